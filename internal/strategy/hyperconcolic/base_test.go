package hyperconcolic

import (
	"fmt"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/schedule"
)

// TestWritten checks that what a search writes of its items is proportional to what its runs do,
// and not to that times the number of items, also when each run goes on from an item of the one
// before it.
func TestWritten(t *testing.T) {
	const rounds = 12
	choices := func(n int) (gs [][]toyOp) {
		gs = make([][]toyOp, 1)
		for i := range n {
			gs[0] = append(gs[0], toyOp{op: schedule.AtomicWrite, cell: int32(i % 3), choices: 2})
		}
		return gs
	}
	branches := func(n int) (gs [][]toyOp) {
		gs = make([][]toyOp, 1)
		for i := range n {
			gs[0] = append(gs[0], toyOp{op: schedule.AtomicWrite, branch: fmt.Sprint("x", i), bound: 7})
		}
		return gs
	}
	races := func(n int) (gs [][]toyOp) {
		gs = make([][]toyOp, 2)
		for i := range n {
			gs[i%2] = append(gs[i%2], write(int32(i/2)))
		}
		return gs
	}
	for _, c := range []struct {
		name    string
		program func(n int) [][]toyOp
		n       int
		item    int // bytes that an item takes at most, in the mean, beside what it has in common with others
		step    int // bytes that a step of a run takes at most
	}{{"choices", choices, 2000, 64, 16}, {"branches", branches, 150, 64, 32}, {"races", races, 100, 80, 16}} {
		t.Run(c.name, func(t *testing.T) {
			m := &toy{arena: expr.NewArena(), gs: c.program(c.n)}
			names := run.NewNames()
			for i := range m.gs {
				names.Child(0, int32(i)+1)
			}
			items := New(Options{Names: names}).Export()
			next := items[0]
			var all []strategy.Item
			runs := 0
			for range rounds {
				s := New(Options{Names: names})
				s.Export()
				if err := s.Import([]strategy.Item{next}); err != nil {
					t.Fatal(err)
				}
				stepToy(t, m, s, 1)
				runs++
				items := s.Export()
				if len(items) == 0 {
					break
				}
				all = append(all, items...)
				next = items[len(items)-1] // the first thing that can be otherwise is
			}
			if runs < rounds || len(all) < c.n {
				t.Fatalf("%d items of %d runs", len(all), runs)
			}
			data, bases := written(all)
			t.Logf("%d items: %d bytes, and %d in common", len(all), data, bases)
			if most := c.item * len(all); data > most {
				t.Errorf("%d items take %d bytes, want at most %d", len(all), data, most)
			}
			if most := c.step * c.n * runs; bases > most {
				t.Errorf("what the items of %d runs of %d steps have in common takes %d bytes, want at most %d", runs, c.n, bases, most)
			}
		})
	}
}

// written returns how many bytes items take, and what they have in common, which counts once.
func written(items []strategy.Item) (data, bases int) {
	counted := map[*strategy.Base]bool{}
	for _, it := range items {
		data += len(it.Data)
		for b := it.Base; b != nil && !counted[b]; b = b.From {
			counted[b] = true
			bases += len(b.Data)
		}
	}
	return data, bases
}

// TestBases checks that items that have something in common are read as they were written, from
// bases that are from others too, and that their sizes are those without bases.
func TestBases(t *testing.T) {
	names := run.NewNames()
	child := names.Child(0, 1)
	step := func(i int) decision {
		return decision{goroutine: []int32{0, child}[i%2], alt: int32(i % 5), partner: -1}
	}
	list := func(n int) (list []decision) {
		for i := range n {
			list = append(list, step(i))
		}
		return list
	}
	first := &runDecisions{list: list(100), edges: []edge{{1, 2, 0, timer{}}, {3, 4, child, timer{}}}, flips: []flip{{event: 3, index: 1}}, given: run.Input{"a": 1}, users: 1}
	second := &runDecisions{list: append(list(60), slices.Repeat([]decision{step(2)}, 30)...), from: first, common: 60, given: run.Input{"a": 2}, drawn: run.Input{"a": 2, "b": 3}, users: 1}
	third := &runDecisions{list: append(list(50), slices.Repeat([]decision{step(3)}, 500)...), from: second, common: 50, users: 1}
	var items []*item
	for _, r := range []*runDecisions{first, second, third} {
		for _, n := range []int{0, 1, 40, len(r.list)} {
			it := &item{kind: valued, run: r, head: r.list[:n:n], tail: []decision{step(n + 1)}, input: r.given, inputOf: given}
			it.edges, it.ofRun.edges = r.edges[:len(r.edges)/2], len(r.edges)/2
			it.edge, it.hasEdge = edge{9, 10, child, timer{}}, true
			if r.drawn != nil {
				it.kind, it.input, it.inputOf, it.changed, it.flip = flipped, r.drawn, drawn, run.Input{"b": 9}, &flip{event: 5, index: 7}
			}
			items = append(items, it)
		}
	}
	var data []strategy.Item
	for _, it := range items {
		data = append(data, encode(it, names))
	}
	if second.base.From != first.base || third.base.From != second.base {
		t.Error("a base is written as from none, want from the run before")
	}
	others := run.NewNames()
	others.Child(0, 7)
	known := map[*strategy.Base]*runDecisions{}
	for i, it := range items {
		got, err := decode(data[i], others, known)
		if err != nil {
			t.Fatal(err)
		}
		got.begin(new(pool))
		it.begin(new(pool))
		whole := func(it *item, names *run.Names) string {
			flat := &item{kind: it.kind, head: append(slices.Clone(it.head), it.tail...), edges: it.edges, flips: it.flips, input: it.input}
			return string(encode(flat, names).Data)
		}
		if got, want := whole(got, others), whole(it, names); got != want {
			t.Errorf("item %d is read as %q, want %q", i, got, want)
		}
	}
}
