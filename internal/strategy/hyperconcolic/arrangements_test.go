package hyperconcolic

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/schedule"
)

// readers are n goroutines that read a cell, and one that writes it: each set of reads can come
// before the write.
func readers(n int) [][]toyOp {
	var gs [][]toyOp
	for range n {
		gs = append(gs, []toyOp{read(0)})
	}
	return append(gs, []toyOp{write(0)})
}

// namesOf names the goroutines of m.
func namesOf(m *toy) *run.Names {
	names := run.NewNames()
	names.Child(0, int32(len(m.gs)-1))
	return names
}

// TestManyArrangements checks that a run that can be ordered in exponentially many ways ends, and
// that the search then is not exhausted.
func TestManyArrangements(t *testing.T) {
	m := &toy{arena: expr.NewArena(), gs: readers(40)}
	s := New(Options{Names: namesOf(m)})
	job, err := s.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	trace := m.run(job.Plan, job.Scheduler)
	if err := s.Learn(t.Context(), job, trace, m.arena); err != nil {
		t.Fatal(err)
	}
	s.Export()
	if st := s.Status(); st.Exhausted || !slices.Contains(st.LeftOut, "a long run can be ordered in more ways than are kept") {
		t.Errorf("status %+v, want that not all orders are kept", st)
	}
}

// TestManyTries is TestManyArrangements for sets of steps of which none is possible: they would come
// before a choice that the item is made from.
func TestManyTries(t *testing.T) {
	const before = 40 // readers before the choice
	gs := readers(before + 1)
	gs = slices.Insert(gs, before, []toyOp{{op: schedule.AtomicWrite, cell: 1, choices: 2}})
	m := &toy{arena: expr.NewArena(), gs: gs}
	names := namesOf(m)
	s := New(Options{Names: names})
	s.Export()
	it := item{kind: valued}
	for g := range int32(before + 1) {
		it.head = append(it.head, decision{goroutine: g, partner: -1})
	}
	it.head = append(it.head, decision{kind: run.Value, goroutine: before, alt: 1, partner: -1})
	if err := s.Import([]strategy.Item{encode(&it, names)}); err != nil {
		t.Fatal(err)
	}
	job, err := s.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	trace := m.run(job.Plan, job.Scheduler)
	if err := s.Learn(t.Context(), job, trace, m.arena); err != nil {
		t.Fatal(err)
	}
	s.Export()
	if st := s.Status(); st.Exhausted || !slices.Contains(st.LeftOut, "a run can be ordered in more ways than are tried") {
		t.Errorf("status %+v, want that not all orders are tried", st)
	}
}

// TestInterruptedRun checks that a run during which the search is interrupted counts as unexplored,
// whatever context Learn gets.
func TestInterruptedRun(t *testing.T) {
	for _, n := range []int{3, 40} {
		m := &toy{arena: expr.NewArena(), gs: readers(n)}
		s := New(Options{Names: namesOf(m)})
		ctx, cancel := context.WithCancel(t.Context())
		job, err := s.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		trace := m.run(job.Plan, job.Scheduler)
		if err := s.Learn(t.Context(), job, trace, m.arena); !errors.Is(err, context.Canceled) {
			t.Errorf("%d readers: Learn returns %v, want that the search is interrupted", n, err)
		}
		items := s.Export()
		if len(items) != 1 {
			t.Fatalf("%d readers: %d items are left, want the one of the run", n, len(items))
		}
		if n > 3 {
			continue
		}
		if err := s.Import(items); err != nil {
			t.Fatal(err)
		}
		if runs := runAll(t, s, m); runs != 1<<n {
			t.Errorf("%d readers: %d runs after the interrupt, want %d", n, runs, 1<<n)
		}
	}
}
