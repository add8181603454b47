package stateful

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/vm"
)

// unreadProgram returns a function in which goroutines read and write memory under a lock, and
// which panics with what is in some of it at the end. So a search that takes two states for the
// same although something in which they differ is read misses a panic.
func unreadProgram(name string, r *rand.Rand) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	x := func() string {
		return []string{"x[0]", "x[1]", "x[2]", "s.a", "s.b", "*q", "*mine"}[r.IntN(7)]
	}
	goroutines, rounds := 2, 4
	if r.IntN(4) == 0 {
		goroutines, rounds = 3, 2
	}
	alike := r.IntN(3) == 0
	p("func %s() {", name)
	p("var mu sync.Mutex; var wg sync.WaitGroup; x := make([]int, 3); type pair struct{ a, b int }; s := pair{}; o := pair{1, 2}; q := new(int); list := make([]int, 0, 2); var n atomic.Int64; ch := make(chan int, 1)")
	p("_, _, _, _, _, _, _ = x, s, o, q, list, &n, ch")
	p("wg.Add(%d)", goroutines)
	body := func(g int) {
		p("l, mine := 0, new(int)")
		p("_, _ = l, mine")
		for range rounds {
			p("mu.Lock()")
			for range 1 + r.IntN(2) {
				switch r.IntN(16) {
				case 0:
					p("l = %s", x())
				case 1:
					p("%s = l", x())
				case 2:
					p("%s = %s", x(), x())
				case 3:
					p("%s++", x())
				case 4:
					p("if len(list) < cap(list) { list = append(list, %d) }", 1+r.IntN(3))
				case 5:
					p("if len(list) > 0 { list = list[:len(list)-1] }")
				case 6:
					p("if len(list) > 0 { %s = list[len(list)-1] }", x())
				case 7:
					p("list = append(list, %s)", x())
				case 8:
					p("s = pair{%s, %d}", x(), r.IntN(4))
				case 9:
					p("o, s = s, o")
				case 10:
					p("copy(x, x[1:])")
				case 11:
					p("if %s == %d { %s = %d }", x(), r.IntN(4), x(), r.IntN(4))
				case 12: // the first one to come
					p("if o.b == 2 { o.b = 0; %s = *mine }", x())
				case 13:
					p("*mine = %s", x())
				default:
					p("%s = %d", x(), r.IntN(4))
				}
			}
			p("mu.Unlock()")
			switch r.IntN(10) {
			case 0:
				p("n.Store(int64(l))")
			case 1:
				p("l = int(n.Load())")
			case 2:
				p("select { case ch <- l: default: }")
			case 3:
				p("select { case l = <-ch: default: }")
			}
		}
		p("wg.Done()")
	}
	if alike {
		p("for range %d { go func() {", goroutines)
		body(0)
		p("}() }")
	} else {
		for g := range goroutines {
			p("go func() {")
			body(g)
			p("}()")
		}
	}
	p("wg.Wait()")
	p("mine := new(int)")
	if r.IntN(3) == 0 {
		p("%s = 1", x())
	}
	p("_ = mine")
	p("code := 1")
	for _, v := range []string{"x[0]", "x[1]", "x[2]", "s.a", "s.b", "o.a", "*q", "len(list)", "l(list)", "int(n.Load())", "len(ch)"} {
		if r.IntN(5) < 3 {
			p("code = code*8 + %s", v)
		}
	}
	p("panic(code)")
	p("}")
	return b.String()
}

// unreadStack begins a package with a stack, which one goroutine pushes seven numbers to and
// another one pops: what is above its top does not count.
const unreadStack = `package unread

import ("sync"; "sync/atomic")

func l(list []int) int { if len(list) == 0 { return 7 }; return list[len(list)-1] }

func Stack() {
	var mu sync.Mutex; var wg sync.WaitGroup; list := make([]int, 0, 7)
	wg.Add(2)
	go func() { for i := range 7 { mu.Lock(); list = append(list, i); mu.Unlock() }; wg.Done() }()
	go func() { for range 7 { mu.Lock(); if n := len(list); n > 0 { list = list[:n-1] }; mu.Unlock() }; wg.Done() }()
	wg.Wait()
	panic(0)
}

func Ring() {
	var mu sync.Mutex; var wg sync.WaitGroup; ring := make([]int, 11); first, n := 0, 0
	wg.Add(2)
	go func() { for i := range 10 { mu.Lock(); ring[first+n] = i; n++; mu.Unlock() }; wg.Done() }()
	sum := 0
	go func() { for range 10 { mu.Lock(); if n > 0 { sum = 2*sum + ring[first]; first++; n-- }; mu.Unlock() }; wg.Done() }()
	wg.Wait()
	panic(0)
}
`

// unreadStates are programs that come to two states which differ in one word, by the outcome of
// which. Whether the word is read after the first of them shows only in a way of its own. Those
// with an odd number come to the other state first, if the ones with even numbers do not. A second
// goroutine is there all the time, since words of memory that only one has ever used are not kept
// apart.
const unreadStates = `
type cell struct{ n, unused int }

type guard struct {
	mu     sync.Mutex
	unused int
}

// beside starts a goroutine that does nothing.
func beside() {
	stop := make(chan bool)
	go func() { <-stop }()
}

// choose sets x to one of 0 and 1.
func choose(x *int, flip int) { *x = which() ^ flip }

// alike has two goroutines that are alike in one of the states: only the one that comes first reads its variable.
func alike(flip int) {
	beside()
	var mu sync.Mutex
	first := true
	a, b := &cell{}, &cell{}
	a.unused, b.unused, a.n = 1, 1, 0
	choose(&b.n, flip)
	for _, c := range [2]*cell{a, b} {
		go func() {
			mu.Lock()
			if first {
				first = false
				if c.n == 1 {
					panic(c.n)
				}
			}
			mu.Unlock()
		}()
	}
	var wg sync.WaitGroup
	wg.Add(1)
	wg.Wait()
}

func TestAlike0(t *testing.T) { alike(0) }

func TestAlike1(t *testing.T) { alike(1) }

// locked returns a copy of a lock that is locked, or not.
func locked(flip int) *guard {
	a, b := &guard{}, &guard{}
	a.unused, b.unused = 1, 1
	if which() == flip {
		a.mu.Lock()
	}
	*b = *a
	return b
}

// waits locks a copy of a lock, and may have to wait for ever.
func waits(flip int) {
	beside()
	b := locked(flip)
	var mu sync.Mutex
	go func() {
		mu.Lock()
		mu.Unlock()
	}()
	go func() {
		mu.Lock()
		mu.Unlock()
		b.mu.Lock()
		panic("locked")
	}()
	var wg sync.WaitGroup
	wg.Add(1)
	wg.Wait()
}

func TestWaits0(t *testing.T) { waits(0) }

func TestWaits1(t *testing.T) { waits(1) }

// indexed writes to an element at an index that depends on an input, and not to the one that makes the difference.
func indexed(flip int, i uint8) {
	beside()
	var mu sync.Mutex
	x := make([]int, 4)
	choose(&x[0], flip)
	go func() {
		mu.Lock()
		mu.Unlock()
	}()
	mu.Lock()
	mu.Unlock()
	x[1+i%2] = 5
	mu.Lock()
	mu.Unlock()
	if x[0] == 1 {
		panic(x[0])
	}
}

// parts writes to a part of a variable.
func parts(flip int) {
	beside()
	var mu sync.Mutex
	x := make([]int, 2)
	choose(&x[0], flip)
	go func() {
		mu.Lock()
		mu.Unlock()
	}()
	mu.Lock()
	mu.Unlock()
	*(*uint32)(unsafe.Add(unsafe.Pointer(&x[0]), 4)) = 0
	if x[0] == 1 {
		panic(x[0])
	}
}

func TestParts0(t *testing.T) { parts(0) }

func TestParts1(t *testing.T) { parts(1) }

func FuzzIndexed0(f *testing.F) { f.Fuzz(func(t *testing.T, i uint8) { indexed(0, i) }) }

func FuzzIndexed1(f *testing.F) { f.Fuzz(func(t *testing.T, i uint8) { indexed(1, i) }) }
`

// TestUnreadStates compares what searches find in the programs of unreadStates.
func TestUnreadStates(t *testing.T) {
	dir := t.TempDir()
	text := "package unread\nimport (\"sync\"; \"testing\"; \"unsafe\")\n" + suite.Which + unreadStates
	if err := suite.Write(dir, "unread", map[string]string{"unread_test.go": text}); err != nil {
		t.Fatal(err)
	}
	programs, err := suite.Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"TestAlike0", "TestAlike1", "TestWaits0", "TestWaits1", "TestParts0", "TestParts1", "FuzzIndexed0", "FuzzIndexed1"} {
		search := func(o Options) string {
			m, err := programs.Machine(t.Context(), name, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			found, _ := panics(t, m, o)
			return found
		}
		want := search(Options{})
		if !strings.Contains(want, "panic") {
			t.Errorf("%s: found %s, want a panic", name, want)
		}
		for _, o := range []Options{
			{ForgetKnowledge: true, ForgetUnread: true},
			{ForgetKnowledge: true, ForgetUnread: true, Rename: true, Alike: true},
			{ForgetKnowledge: true, ForgetUnread: true, Rename: true, Alike: true, Ahead: true, ForgetUses: true, ForgetAccesses: true, AddsCommute: true},
		} {
			if got := search(o); got != want {
				t.Errorf("%s, %+v: found %s, want %s", name, o, got, want)
			}
		}
	}
}

// TestUnread compares what searches find that leave out words which nobody reads any more with what
// one finds that does not.
func TestUnread(t *testing.T) {
	n := sample.Size(120, 40, 12)
	var text strings.Builder
	text.WriteString(unreadStack)
	for i := range n {
		text.WriteString(unreadProgram(fmt.Sprintf("P%d", i), rand.New(rand.NewPCG(uint64(i), 1))))
	}
	boot := programsOf(t, text.String())
	all := Options{ForgetKnowledge: true, Rename: true, Alike: true, Ahead: true, ForgetUses: true, ForgetAccesses: true, AddsCommute: true}
	before, now := 0, 0
	for i := range n {
		search := func(o Options) (string, int) {
			return panics(t, boot(fmt.Sprintf("P%d", i)), o)
		}
		want, _ := search(Options{})
		_, runs := search(all)
		before += runs
		for _, o := range []Options{{ForgetKnowledge: true}, all} {
			o.ForgetUnread = true
			got, runs := search(o)
			if o.Rename {
				now += runs
			}
			if got != want {
				t.Errorf("P%d, %+v: found\n%s\nwant\n%s\n%s", i, o, got, want, unreadProgram(fmt.Sprintf("P%d", i), rand.New(rand.NewPCG(uint64(i), 1))))
			}
		}
	}
	t.Logf("%d programs, %d runs instead of %d", n, now, before)
	if now >= before {
		t.Errorf("%d runs, %d without", now, before)
	}
	runsOf := func(name string, o Options) int {
		_, runs := panics(t, boot(name), o)
		return runs
	}
	o := all
	o.ForgetUnread = true
	if runs := runsOf("Stack", o); runs > 150 { // there are 3,432 classes, and 1,254 runs by states with all words
		t.Errorf("%d runs for a stack", runs)
	}
	// All words are read, which is found out by the runs that are made anyhow.
	if with, without := runsOf("Ring", o), runsOf("Ring", all); with > without || without < 2*minEnded {
		t.Errorf("%d runs for a ring, %d with all words", with, without)
	}
}

// panics returns with what the runs of a search panic, and the number of runs.
func panics(t *testing.T, m *vm.Machine, o Options) (string, int) {
	t.Helper()
	return collect(t, m, o, 50_000, false, func(trace *run.Trace, found map[string]bool) (race bool) {
		if trace.Panic != nil {
			found[trace.Panic.Message] = true
		}
		return false
	})
}
