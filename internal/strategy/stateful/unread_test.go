package stateful

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"

	"golang.org/x/tools/go/ssa"
)

// unreadProgram returns a function in which goroutines read and write memory under a lock, and which panics with what is in some of it at the end. So a
// search that takes two states for the same although something in which they differ is read misses a panic.
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

// unreadStack begins a package with a stack, which one goroutine pushes seven numbers to and another one pops: what is above its top does not count.
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
`

// TestUnread compares what searches find that leave out words which nobody reads any more with what one finds that does not.
func TestUnread(t *testing.T) {
	n := sample.Size(120, 40, 12)
	var text strings.Builder
	text.WriteString(unreadStack)
	for i := range n {
		text.WriteString(unreadProgram(fmt.Sprintf("P%d", i), rand.New(rand.NewPCG(uint64(i), 1))))
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module unread\ngo 1.24\n", "unread.go": text.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := vmtest.Load(t, load.Config{Dir: dir, Patterns: []string{"."}})
	root := r.Packages[0]
	prog := compile.NewProgram(r.Prog, r.Sizes, func(p *ssa.Package) bool { return p == root.SSA }, r.Standard)
	all := Options{ForgetKnowledge: true, Rename: true, Alike: true, Ahead: true, ForgetUses: true, ForgetAccesses: true, AddsCommute: true}
	before, now := 0, 0
	for i := range n {
		search := func(o Options) (string, int) {
			m := vm.New(prog, expr.NewArena(), run.NewNames(), run.Settings{})
			if _, err := m.Boot(t.Context(), vmtest.Function(root.SSA, fmt.Sprintf("P%d", i))); err != nil {
				t.Fatal(err)
			}
			return panics(t, m, o)
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
	o := all
	o.ForgetUnread = true
	m := vm.New(prog, expr.NewArena(), run.NewNames(), run.Settings{})
	if _, err := m.Boot(t.Context(), vmtest.Function(root.SSA, "Stack")); err != nil {
		t.Fatal(err)
	}
	if _, runs := panics(t, m, o); runs > 150 { // there are 3,432 classes, and 1,254 runs by states with all words
		t.Errorf("%d runs for a stack", runs)
	}
}

// panics returns with what the runs of a search panic, and the number of runs.
func panics(t *testing.T, m *vm.Machine, o Options) (string, int) {
	t.Helper()
	return collect(t, m, o, 50_000, func(trace *run.Trace, found map[string]bool) (race bool) {
		if trace.Panic != nil {
			found[trace.Panic.Message] = true
		}
		return false
	})
}
