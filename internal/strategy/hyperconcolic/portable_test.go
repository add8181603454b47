package hyperconcolic

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// fullItem is an item with something in every part.
func fullItem(names *run.Names) *item {
	child := names.Child(names.Child(0, 2), 1)
	return &item{
		kind:  revisited,
		input: run.Input{"a": 7, "len(b)": 1 << 63},
		head: []decision{
			{goroutine: 0, partner: -1},
			{kind: run.Value, goroutine: child, alt: 3, partner: -1},
			{goroutine: -1, alt: 12, partner: -1},
			{goroutine: child, alt: -1, partner: 0, partnerAlt: 2},
		},
		steps:  3,
		edges:  []edge{{position: 1, winner: 2, goroutine: child}},
		flips:  []flip{{event: -1, index: 0, kind: run.Check}, {event: 2, index: 4, kind: run.Concretized, outcome: 1 << 63, values: []string{"(= a #x01)", ""}}},
		path:   5,
		begins: prefix{4, 1<<64 - 1},
		late:   []int32{0, child},

		rank: 3,
	}
}

// TestPortable checks that what is read is what was written, also with names numbered in another
// order.
func TestPortable(t *testing.T) {
	names := run.NewNames()
	it := fullItem(names)
	data := encode(it, names)
	got, err := decode(data, names, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, it) {
		t.Errorf("read back:\n%+v\nwant\n%+v", got, it)
	}
	others := run.NewNames()
	others.Child(0, 5)
	got, err = decode(data, others, nil)
	if err != nil {
		t.Fatal(err)
	}
	if again := encode(got, others); !bytes.Equal(again.Data, data.Data) {
		t.Errorf("with other numbers it is written as\n%q\nwant\n%q", again.Data, data.Data)
	}
}

// TestDivide checks that a search makes the same runs when its items move from instance to
// instance, in either order.
func TestDivide(t *testing.T) {
	for _, order := range []strategy.Order{strategy.DepthFirst, strategy.FewestPreemptions} {
		t.Run(fmt.Sprint(order), func(t *testing.T) { testDivide(t, order) })
	}
}

func testDivide(t *testing.T, order strategy.Order) {
	gs := [][]toyOp{
		{{op: write(0).op, branch: "a", bound: 3}, write(1), read(0)},
		{write(0), read(1), {op: write(0).op, address: "a"}},
		{read(0), write(1)},
	}
	names := run.NewNames()
	for i := range gs {
		names.Child(0, int32(i)+1)
	}
	m := &toy{arena: expr.NewArena(), gs: gs}
	whole := searchToy(t, m, New(Options{Names: names}))

	var got []string
	most := 0
	options := Options{Names: names, Order: order}
	work := New(options).Export()
	for len(work) > 0 {
		s := New(options)
		s.Export()
		if err := s.Import(work[:1]); err != nil {
			t.Fatal(err)
		}
		most = max(most, s.Rank(work[0]))
		work = work[1:]
		got = append(got, stepToy(t, m, s, 3)...)
		work = append(s.Export(), work...)
		slices.SortStableFunc(work, func(a, b strategy.Item) int { return s.Rank(a) - s.Rank(b) })
	}
	if ranked := most > 0; ranked != (order == strategy.FewestPreemptions) {
		t.Errorf("the highest rank is %d", most)
	}
	slices.Sort(got)
	slices.Sort(whole)
	if !slices.Equal(got, whole) {
		t.Errorf("%d runs, want the %d of the undivided search", len(got), len(whole))
	}
}

// TestExportUnlearned checks that Export returns an item whose trace Learn has not had.
func TestExportUnlearned(t *testing.T) {
	s := New(Options{Names: run.NewNames()})
	before := s.Export()
	if err := s.Import(before); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Next(context.Background()); err != nil {
		t.Fatal(err)
	}
	if after := s.Export(); !reflect.DeepEqual(after, before) {
		t.Errorf("exported %v, want %v", after, before)
	}
}

// searchToy lets s search m to the end and returns its runs.
func searchToy(t *testing.T, m *toy, s strategy.Strategy) []string { return stepToy(t, m, s, -1) }

// stepToy lets s make n runs of m, all if n is negative.
func stepToy(t *testing.T, m *toy, s strategy.Strategy, n int) (runs []string) {
	t.Helper()
	for ; n != 0; n-- {
		job, err := s.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			break
		}
		mark := m.arena.Mark()
		trace := m.run(job.Plan, job.Scheduler)
		runs = append(runs, fmt.Sprint(trace.Decisions, trace.Inputs))
		if err := s.Learn(context.Background(), job, trace, m.arena); err != nil {
			t.Fatal(err)
		}
		m.arena.Release(mark)
	}
	return runs
}

// FuzzPortable checks that any data is an item, written and read alike, or refused.
func FuzzPortable(f *testing.F) {
	names := run.NewNames()
	f.Add(encode(fullItem(names), names).Data)
	f.Add(encode(&item{}, names).Data)
	f.Fuzz(func(t *testing.T, data []byte) {
		names := run.NewNames()
		it, err := decode(strategy.Item{Data: data}, names, nil)
		if err != nil {
			return
		}
		again, err := decode(encode(it, names), names, nil)
		if err != nil {
			t.Fatalf("what was written is refused: %v", err)
		}
		if !reflect.DeepEqual(again, it) {
			t.Errorf("read back:\n%+v\nwant\n%+v", again, it)
		}
	})
}
