package gotrace

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/trace"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/registry"
	"github.com/everyway-go/everyway/internal/analysis/waits"
	"github.com/everyway-go/everyway/schedule"
)

var update = flag.Bool("update", false, "rewrite testdata/small.schedule.txt")

// converted returns the text of the schedule of a trace, which is checked.
func converted(t testing.TB, data []byte) (string, error) {
	t.Helper()
	var b bytes.Buffer
	if err := Convert(context.Background(), bytes.NewReader(data), "trace.out", t.TempDir(), &b, schedule.TextEncoding); err != nil {
		return "", err
	}
	r, err := schedule.NewReader(bytes.NewReader(b.Bytes()), "trace.out")
	if err != nil {
		t.Fatal(err)
	}
	s := schedule.NewState(r.Table())
	for e, err := range r.Events() {
		if err == nil {
			if err = s.Next(e); err != nil {
				err = r.Fail(err.Error())
			}
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
	}
	return b.String(), nil
}

// findings returns what detectors find in a schedule, and where.
func findings(t testing.TB, text string, infos []analysis.Info) []string {
	t.Helper()
	r, err := schedule.NewReader(strings.NewReader(text), "trace.out")
	if err != nil {
		t.Fatal(err)
	}
	report, err := analysis.Run(t.Context(), r, infos, analysis.Limits{Window: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range report.Findings {
		what := f.Kind + ":"
		for _, s := range f.Sites {
			what += " " + s.Note + " in " + report.Table.Name(report.Table.Location(s.Location).Func) + ";"
		}
		list = append(list, what)
	}
	return list
}

// traceOf returns a trace of this process while do runs.
func traceOf(t *testing.T, do func()) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skip(err) // the tests themselves are traced
	}
	do()
	trace.Stop()
	return b.Bytes()
}

// TestCommunication traces goroutines that wait for each other in every way, and ends them.
func TestCommunication(t *testing.T) {
	text, err := converted(t, traceOf(t, communicate))
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{waits.ChanReceive, waits.ChanSend, waits.Select, waits.WaitGroup, waits.Mutex, waits.ReadLock, waits.RWMutex, waits.Condition} {
		if !strings.Contains(text, kind) {
			t.Errorf("nobody waits for: %s\n%s", kind, text)
		}
	}
	if found := findings(t, text, registry.Detectors()); slices.ContainsFunc(found, func(f string) bool { return !strings.HasPrefix(f, analysis.LongWait) }) {
		t.Errorf("found %q\n%s", found, text)
	}
}

// communicate has goroutines wait in every way, again and again, until each has waited for certain:
// it is the other that goes on only when this one waits.
func communicate() {
	var all sync.WaitGroup
	unbuffered, full, chosen, woken := make(chan int), make(chan int, 1), make(chan int), false
	var mutex sync.Mutex
	var read, written sync.RWMutex
	cond := sync.NewCond(new(sync.Mutex))
	full <- 0
	mutex.Lock()
	read.RLock()
	written.Lock()
	all.Go(func() { <-unbuffered })
	all.Go(func() { full <- 1 })
	all.Go(func() {
		select {
		case <-chosen:
		case <-make(chan int):
		}
	})
	all.Go(func() { mutex.Lock(); mutex.Unlock() })
	all.Go(func() { written.RLock(); written.RUnlock() })
	all.Go(func() { read.Lock(); read.Unlock() })
	all.Go(func() {
		cond.L.Lock()
		for !woken {
			cond.Wait()
		}
		cond.L.Unlock()
	})
	waitFor("communicate", "chan receive", "chan send", "select", "sync.Mutex.Lock", "sync.RWMutex.RLock", "sync.RWMutex.Lock", "sync.Cond.Wait")
	var last sync.WaitGroup
	last.Go(func() { all.Wait() })
	waitFor("communicate", "sync.WaitGroup.Wait")
	unbuffered <- 1
	<-full
	<-full
	chosen <- 1
	mutex.Unlock()
	read.RUnlock()
	written.Unlock()
	cond.L.Lock()
	woken = true
	cond.Broadcast()
	cond.L.Unlock()
	last.Wait()
}

// waitFor returns when goroutines whose code is in the function wait for all of these, as the
// runtime calls it: the goroutines of package testing wait as well.
func waitFor(function string, reasons ...string) {
	waits := func(reason string) bool {
		for stack := range strings.SplitSeq(string(allStacks()), "\n\n") {
			head, frames, _ := strings.Cut(stack, "\n")
			if strings.Contains(head, "["+reason+"]") && strings.Contains(frames, "gotrace."+function+".func") {
				return true
			}
		}
		return false
	}
	for slices.ContainsFunc(reasons, func(r string) bool { return !waits(r) }) {
		runtime.Gosched()
	}
}

// TestLeak traces a goroutine that has ended and left others that wait for each other.
func TestLeak(t *testing.T) {
	release := make(chan int)
	defer close(release)
	text, err := converted(t, traceOf(t, func() {
		var started sync.WaitGroup
		started.Go(func() { leave(release) })
		started.Wait()
		waitFor("leave", "chan receive", "select")
	}))
	if err != nil {
		t.Fatal(err)
	}
	found := findings(t, text, []analysis.Info{waits.Abandoned})
	const in = "github.com/everyway-go/everyway/internal/gotrace.leave"
	want := []string{"leak: starts it in " + in + "; waits: select in " + in + ".func1;", "leak: starts it in " + in + "; waits: chan receive in " + in + ".func2;"}
	slices.Sort(found)
	slices.Sort(want)
	if !slices.Equal(found, want) {
		t.Errorf("found %q, want %q\n%s", found, want, text)
	}
}

// leave starts goroutines that go on when release is closed.
func leave(release chan int) {
	go func() {
		select {
		case <-release:
		case <-make(chan int):
		}
	}()
	go func() { <-release }()
}

// TestForeign has files that are no traces, or not whole ones.
func TestForeign(t *testing.T) {
	whole := traceOf(t, communicate)
	if _, err := converted(t, whole); err != nil {
		t.Fatal(err)
	}
	var wrong *Error
	for _, n := range []int{0, 1, 15, 16, 17, 100, len(whole) / 2} {
		if _, err := converted(t, whole[:n]); !errors.As(err, &wrong) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
	for _, text := range []string{"everyway schedule 1\n", "go 1.22 trace\x00\x00\x00rest", "go 1.99 trace\x00\x00\x00", "go 1.5 trace\x00\x00\x00\x00"} {
		if _, err := converted(t, []byte(text)); !errors.As(err, &wrong) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if !Is(whole[:16]) || Is([]byte("everyway schedule 1")) || Is([]byte("go 1.26")) || Is(nil) {
		t.Error("Is is wrong")
	}
}

// FuzzConvert converts any bytes, which may begin as a trace does.
func FuzzConvert(f *testing.F) {
	small, err := os.ReadFile("testdata/small.trace")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(small)
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := converted(t, data)
		if wrong := (*Error)(nil); err != nil && !errors.As(err, &wrong) {
			t.Error(err)
		}
	})
}

// TestSmall converts a trace that go test has written of testdata/small_test.go.
func TestSmall(t *testing.T) {
	data, err := os.ReadFile("testdata/small.trace")
	if err != nil {
		t.Fatal(err)
	}
	text, err := converted(t, data)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/small.schedule.txt", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/small.schedule.txt")
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// TestTool converts a trace that the go command writes.
func TestTool(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a test")
	}
	dir := t.TempDir()
	for name, from := range map[string]string{"small_test.go": "testdata/small_test.go", "go.mod": "testdata/go.mod.txt"} {
		data, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "wait_test.go"), []byte(waitTest), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-count=1", "-trace", "trace.out", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "trace.out"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := converted(t, data)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"leak: starts it in example.com/small.TestSmall; waits: chan send in example.com/small.TestSmall.func1;"}
	if found := findings(t, text, registry.Detectors()); !slices.Equal(found, want) {
		t.Errorf("found %q, want %q\n%s", found, want, text)
	}
}

// waitTest is a test that ends when the goroutine that another one has left waits to send.
const waitTest = `package small

import (
	"runtime"
	"strings"
	"testing"
)

func TestWait(t *testing.T) {
	buf := make([]byte, 1<<16)
	for !strings.Contains(string(buf[:runtime.Stack(buf, true)]), "[chan send]") {
		runtime.Gosched()
	}
}
`

// allStacks returns the stacks of all goroutines.
func allStacks() []byte {
	for size := 1 << 16; ; size *= 2 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, true); n < size {
			return buf[:n]
		}
	}
}
