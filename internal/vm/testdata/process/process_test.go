// Package process tests what a program can see of its own process. The tests hold in the
// test binaries of go test, and so they have to hold in the machine.
package process

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// functions returns the names of the functions on the stack from the caller on.
func functions() []string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	var names []string
	for {
		frame, more := frames.Next()
		names = append(names, frame.Function)
		if !more {
			return names
		}
	}
}

const this = "github.com/everyway-go/everyway/internal/vm/testdata/process."

func wantFunctions(t *testing.T, want ...string) {
	t.Helper()
	if got := functions()[1:]; !slices.Equal(got, want) {
		t.Errorf("on the stack: %q, want %q", got, want)
	}
}

func TestCallers(t *testing.T) {
	wantFunctions(t, this+"TestCallers", "testing.tRunner", "runtime.goexit")
	t.Run("sub", func(t *testing.T) {
		wantFunctions(t, this+"TestCallers.func1", "testing.tRunner", "runtime.goexit")
	})
	done := make(chan bool)
	go func() {
		defer close(done)
		wantFunctions(t, this+"TestCallers.func2", "runtime.goexit")
	}()
	<-done
}

func FuzzCallers(f *testing.F) {
	if got := functions(); !slices.Equal(got, []string{this + "FuzzCallers", "testing.fRunner", "runtime.goexit"}) {
		f.Errorf("%q", got)
	}
	f.Add(1)
	f.Fuzz(func(t *testing.T, n int) {
		got := functions()
		if i := slices.Index(got, "testing.tRunner"); i < 0 || got[0] != this+"FuzzCallers.func1" || !slices.Contains(got, "reflect.Value.Call") {
			t.Errorf("%q", got)
		}
	})
}

func TestNumGoroutine(t *testing.T) {
	if n := runtime.NumGoroutine(); n != 2 {
		t.Errorf("%d goroutines", n)
	}
	t.Run("sub", func(t *testing.T) {
		if n := runtime.NumGoroutine(); n != 3 {
			t.Errorf("%d goroutines in a subtest", n)
		}
	})
}

// header is the first line of the stack of a goroutine.
var header = regexp.MustCompile(`^goroutine (\d+) \[([^\]]*)\]:$`)

// A goroutine is what Stack says of one.
type goroutine struct {
	id, state, created string
	functions          []string
}

func goroutines(t *testing.T, text string) []goroutine {
	var list []goroutine
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		lines := strings.Split(part, "\n")
		found := header.FindStringSubmatch(lines[0])
		if found == nil {
			t.Fatalf("no header: %q", lines[0])
		}
		g := goroutine{id: found[1], state: found[2]}
		for i := 1; i+1 < len(lines); i += 2 {
			if !regexp.MustCompile(`^\t[^:]+:\d+( \+0x[0-9a-f]+)?$`).MatchString(lines[i+1]) {
				t.Errorf("no position: %q", lines[i+1])
			}
			if created, ok := strings.CutPrefix(lines[i], "created by "); ok {
				g.created = created
			} else {
				g.functions = append(g.functions, lines[i][:strings.LastIndex(lines[i], "(")])
			}
		}
		list = append(list, g)
	}
	return list
}

func allStacks() string {
	buf := make([]byte, 1<<16)
	return string(buf[:runtime.Stack(buf, true)])
}

//go:noinline
func receive(c chan int) { <-c }

//go:noinline
func lock(mu *sync.Mutex) { mu.Lock() }

// wantBlocked checks that goroutines which call the functions are shown in certain states.
func wantBlocked(t *testing.T, want map[string]func()) {
	t.Helper()
	before := len(goroutines(t, allStacks()))
	for _, f := range want {
		go f()
	}
	time.Sleep(10 * time.Millisecond) // for them to block
	all := goroutines(t, allStacks())
	if len(all) != before+len(want) {
		t.Errorf("%d goroutines, want %d", len(all), before+len(want))
	}
	main := []string{"testing.(*T).Run", "testing.runTests.func1", "testing.tRunner", "testing.runTests", "testing.(*M).Run", "main.main"}
	if all[0].state != "running" || all[1].id != "1" || all[1].state != "chan receive" || !slices.Equal(all[1].functions, main) {
		t.Errorf("the first goroutines are %q", all[:2])
	}
	var states []string
	for _, g := range all[len(all)-len(want):] {
		states = append(states, g.state)
		if g.created != this+"wantBlocked in goroutine "+all[0].id {
			t.Errorf("created by %q", g.created)
		}
	}
	slices.Sort(states)
	if w := slices.Sorted(maps.Keys(want)); !slices.Equal(states, w) {
		t.Errorf("blocked in %q, want %q", states, w)
	}
}

func TestStack(t *testing.T) {
	own := goroutines(t, string(debug.Stack()))
	if len(own) != 1 || own[0].state != "running" || own[0].functions[0] != "runtime/debug.Stack" ||
		own[0].functions[2] != "testing.tRunner" || own[0].created != "testing.(*T).Run in goroutine 1" {
		t.Errorf("own stack: %q", own)
	}
	c, d, e := make(chan int), make(chan int), make(chan int)
	var mu, held sync.Mutex
	held.Lock()
	cond := sync.NewCond(&mu)
	var wg sync.WaitGroup
	wg.Add(1)
	wantBlocked(t, map[string]func(){
		"chan receive": func() { receive(c) },
		"chan send":    func() { d <- 1 },
		"select": func() {
			select {
			case <-c:
			case <-e:
			}
		},
		"sync.Mutex.Lock":     func() { lock(&held) },
		"sync.WaitGroup.Wait": func() { wg.Wait() },
		"sync.Cond.Wait": func() {
			mu.Lock()
			cond.Wait()
			mu.Unlock()
		},
	})
	close(c)
	<-d
	held.Unlock()
	wg.Done()
	cond.Signal()
	time.Sleep(time.Millisecond) // for them to end
}

func TestProfile(t *testing.T) {
	c := make(chan int)
	go receive(c)
	time.Sleep(time.Millisecond)
	if n := pprof.Lookup("goroutine").Count(); n != 3 {
		t.Errorf("%d goroutines in the profile", n)
	}
	var text bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&text, 1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"goroutine profile: total 3\n", this + "receive+0x", this + "TestProfile+0x", "testing.(*T).Run+0x", "main.main+0x"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
	text.Reset()
	if err := pprof.Lookup("goroutine").WriteTo(&text, 2); err != nil {
		t.Fatal(err)
	}
	if all := goroutines(t, text.String()); len(all) != 3 || all[2].functions[0] != this+"receive" {
		t.Errorf("%q", all)
	}
	var records [3]runtime.StackRecord
	if n, ok := runtime.GoroutineProfile(records[:2]); n != 3 || ok {
		t.Error(n, ok)
	}
	if n, ok := runtime.GoroutineProfile(records[:]); n != 3 || !ok || len(records[2].Stack()) == 0 {
		t.Error(n, ok)
	}
	c <- 1
	time.Sleep(time.Millisecond)
}

func TestTimerChannel(t *testing.T) {
	timer := time.NewTimer(time.Millisecond)
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	time.Sleep(5 * time.Millisecond)
	if len(timer.C) != 0 || cap(timer.C) != 0 || len(ticker.C) != 0 || cap(ticker.C) != 0 {
		t.Error(len(timer.C), cap(timer.C), len(ticker.C), cap(ticker.C))
	}
	<-timer.C
	if v := reflect.ValueOf(ticker.C); v.Len() != 0 || v.Cap() != 0 {
		t.Error(v.Len(), v.Cap())
	}
}

func TestDeadline(t *testing.T) {
	deadline, ok := t.Deadline()
	if left := time.Until(deadline); !ok || left < 9*time.Minute || left > 10*time.Minute {
		t.Error(deadline, ok)
	}
}

func TestFlags(t *testing.T) {
	if !flag.Parsed() {
		t.Error("the flags are not parsed")
	}
	for name, want := range map[string]string{"test.run": "", "test.count": "1", "test.shuffle": "off", "test.benchtime": "1s"} {
		if f := flag.Lookup(name); f == nil || f.Value.String() != want {
			t.Errorf("flag %s: %v", name, f)
		}
	}
	if flag.Lookup("test.nosuch") != nil || flag.NArg() != 0 {
		t.Error(flag.Args())
	}
}

func TestExecutable(t *testing.T) {
	path, err := os.Executable()
	if err != nil || !filepath.IsAbs(path) || path != os.Args[0] {
		t.Errorf("executable %q, arguments %q, %v", path, os.Args, err)
	}
}

type named struct{ n int }

func (n named) Value() int    { return n.n }
func (n *named) Pointer() int { return n.n }

func TestMethodPointer(t *testing.T) {
	var n named
	name := func(f any) string { return runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name() }
	for _, test := range []struct {
		f    any
		want string
	}{
		{n.Value, this + "named.Value-fm"},
		{n.Pointer, this + "(*named).Pointer-fm"},
		{(*named).Pointer, this + "(*named).Pointer"},
		{named.Value, this + "named.Value"},
		{fmt.Stringer(t0{}).String, "fmt.Stringer.String-fm"},
		{functions, this + "functions"},
	} {
		if got := name(test.f); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	a, b := reflect.ValueOf(n).Method(0).Pointer(), reflect.ValueOf(&n).Method(0).Pointer()
	if a == 0 || a != b {
		t.Error("pointers of methods made by reflect differ")
	}
}

type t0 struct{}

func (t0) String() string { return "" }

// This test leaks, and is the last one.
func TestStackForEver(t *testing.T) {
	wantBlocked(t, map[string]func(){
		"chan receive (nil chan)": func() { receive(nil) },
		"select (no cases)":       func() { select {} },
		"sleep":                   func() { time.Sleep(time.Hour) },
	})
}

func Example() {
	for _, name := range functions() {
		fmt.Println(name)
	}
	// Output:
	// github.com/everyway-go/everyway/internal/vm/testdata/process.Example
	// testing.runExample
	// testing.runExamples
	// testing.(*M).Run
	// main.main
	// runtime.main
	// runtime.goexit
}
