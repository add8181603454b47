package vm_test

import (
	"fmt"
	"go/format"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/vm/golib"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// The exhaustive search finds exactly the outcomes of all interleavings of random programs in
// which goroutines wait at channels when synctest.Wait returns or time passes.
func TestWaiters(t *testing.T) {
	dir := t.TempDir()
	var src strings.Builder
	src.WriteString(waitersHeader)
	var names []string
	for seed := range sample.Of(200, 60, 10) {
		name := fmt.Sprint("program", seed)
		names = append(names, name)
		src.WriteString(generateWaiters(name, uint64(seed)))
	}
	text, err := format.Source([]byte(src.String()))
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{"go.mod": "module waiters\n\ngo 1.26\n", "waiters.go": string(text)} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := golib.Load(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	p := newFuncs(r, r.Packages[0])
	const maxRuns = 6000
	compared, outcomes, total, wasted := 0, 0, 0, 0
	for _, name := range names {
		m := newRunner(t, p.code, vmtest.Function(p.pkg, name), run.Settings{Limits: run.Limits{Instructions: 1e6, Depth: 1000}})
		want := map[string]bool{}
		if !m.someRuns(t, maxRuns, func(out string) { want[out] = true }) {
			continue
		}
		s := hyperconcolic.New(hyperconcolic.Options{Names: m.Names})
		got, runs := m.search(t, s)
		compared++
		outcomes += len(want)
		total += runs
		wasted += s.Status().Blocked + s.Status().Redundant
		if !maps.Equal(got, want) {
			text, _ := os.ReadFile(filepath.Join(dir, "waiters.go"))
			i := strings.Index(string(text), "func "+name+"()")
			body, _, _ := strings.Cut(string(text)[i:], "\n}\n")
			t.Errorf("%s: in %d runs\ngot\n\t%s\nwant\n\t%s\n%s", name, runs,
				strings.Join(slices.Sorted(maps.Keys(got)), "\n\t"), strings.Join(slices.Sorted(maps.Keys(want)), "\n\t"), body)
		}
	}
	t.Logf("%d programs of %d, %d outcomes, %d runs, %d more blocked or redundant", compared, len(names), outcomes, total, wasted)
	if compared < len(names)/3 {
		t.Error("too few")
	}
}

// someRuns calls visit with the outcomes of all interleavings. It returns false if there are more
// than max.
func (r *runner) someRuns(t *testing.T, max int, visit func(outcome string)) bool {
	t.Helper()
	var e run.Enumeration
	plan, more := run.Plan{}, true
	for range max {
		_, out := r.run(t, &plan, &e)
		visit(out)
		if plan.Prefix, more = e.Next(); !more {
			return true
		}
	}
	return false
}

const waitersHeader = `package waiters

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// bubble runs f in a bubble and prints the panic that ends it, if any.
func bubble(f func()) {
	defer func() {
		if x := recover(); x != nil {
			print(fmt.Sprint(x))
		}
	}()
	synctest.Test(new(testing.T), func(*testing.T) { f() })
}

// try calls f, which sends on a channel that may be closed.
func try(f func()) (s string) {
	defer func() {
		if recover() != nil {
			s = "!"
		}
	}()
	f()
	return ""
}

`

// generateWaiters returns a function of some rounds. In each it starts goroutines or uses channels
// itself, and then lets the others come to where they wait: in a bubble by synctest.Wait, else
// by letting time pass.
func generateWaiters(name string, seed uint64) string {
	g := &waitersGenerator{Rand: rand.New(rand.NewPCG(seed, 7)), bubbled: seed%3 > 0}
	g.add("func %s() {", name)
	if g.bubbled {
		g.add("bubble(func() {")
	}
	g.chans = 1 + g.IntN(3)
	for c := range g.chans {
		g.add("c%d := make(chan int, %d)", c, []int{0, 0, 1, 1, 2}[g.IntN(5)])
	}
	g.add("var l [9]string")
	g.add("var o [9]chan string")
	g.add("for i := range o { o[i] = make(chan string, 1) }")
	g.add("_, _ = l, o")
	for round := range 2 + g.IntN(2) {
		for range 2 + g.IntN(2) {
			if (round == 0 || g.IntN(4) > 0) && g.goroutines < 6 {
				g.goroutine(round)
			} else {
				g.operation(0, true)
			}
		}
		g.rest()
	}
	if g.bubbled {
		g.add("synctest.Wait()")
	}
	for c := range g.chans {
		g.add("l[0] += fmt.Sprint(len(c%d))", c)
	}
	if g.bubbled {
		g.add("for _, s := range l { print(s, \" \") }")
		g.add("})")
	} else {
		g.add("print(l[0], \" \")")
		g.add("for _, c := range o[1:] { select { case s := <-c: print(s, \" \")\ndefault: print(\"- \") } }")
	}
	g.add("}")
	return g.String()
}

// A waitersGenerator writes a program.
type waitersGenerator struct {
	*rand.Rand
	strings.Builder
	bubbled    bool
	chans      int
	goroutines int
	values     int
}

func (g *waitersGenerator) add(text string, args ...any) {
	fmt.Fprintf(&g.Builder, text+"\n", args...)
}

// rest lets the others come to where they wait.
func (g *waitersGenerator) rest() {
	if g.bubbled && g.IntN(4) > 0 {
		g.add("synctest.Wait()")
	} else {
		g.add("time.Sleep(time.Second)")
	}
}

// goroutine adds a goroutine with one or two operations.
func (g *waitersGenerator) goroutine(round int) {
	g.goroutines++
	n := g.goroutines
	g.add("go func() {")
	if !g.bubbled {
		g.add("l := &[9]string{}")
	}
	if g.IntN(6) == 0 {
		g.add("time.Sleep(%d * time.Second)", 1+g.IntN(2))
	}
	for range 1 + g.IntN(2) {
		g.operation(n, round > 0 && g.IntN(3) > 0)
	}
	if !g.bubbled {
		g.add("o[%d] <- l[%d]", n, n)
	}
	g.add("}()")
}

// operation adds an operation of goroutine n.
func (g *waitersGenerator) operation(n int, closes bool) {
	c := g.IntN(g.chans)
	switch g.IntN(8) {
	case 0, 1:
		g.values++
		g.add("l[%d] += \"s\" + try(func() { c%d <- %d })", n, c, g.values)
	case 2, 3:
		g.add("l[%d] += fmt.Sprint(\"r\", <-c%d)", n, c)
	case 4:
		if closes {
			g.add("l[%d] += \"c\" + try(func() { close(c%d) })", n, c)
			return
		}
		fallthrough
	default:
		g.values++
		g.add("l[%d] += try(func() { select {", n)
		for k := range 1 + g.IntN(2) {
			if c := g.IntN(g.chans); g.IntN(2) == 0 {
				g.add("case c%d <- %d: l[%d] += \"S%d\"", c, 10*k+g.values, n, k)
			} else {
				g.add("case v := <-c%d: l[%d] += fmt.Sprint(\"R%d:\", v)", c, n, k)
			}
		}
		if n == 0 || g.IntN(3) == 0 {
			g.add("default: l[%d] += \"d\"", n)
		} else if g.IntN(4) == 0 {
			g.add("case <-time.After(%d * time.Second): l[%d] += \"t\"", 1+g.IntN(2), n)
		}
		g.add("} })")
	}
}
