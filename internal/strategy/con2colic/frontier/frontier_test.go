package frontier

import (
	"context"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/schedule"
)

// A relay is a forest of two goroutines: the main one spawns the other and writes a cell,
// which the other reads.
type relay struct {
	*forest.Forest
	spawn, write, read, other forest.NodeID
}

func newRelay() *relay {
	f := &relay{Forest: forest.New()}
	cell := run.ObjectID{Count: 1}
	f.spawn = f.Child(forest.Root, forest.Label{Op: schedule.Spawn, Object: run.NoObject, Child: 1})
	f.write = f.Child(f.spawn, forest.Label{Op: schedule.AtomicWrite, Object: cell, Cells: 1})
	f.read = f.Child(f.StartOf(f.spawn), forest.Label{Goroutine: 1, Op: schedule.AtomicRead, Object: cell, Cells: 1})
	f.other = f.Child(f.StartOf(f.spawn), forest.Label{Goroutine: 1, Op: schedule.Yield, Object: run.NoObject})
	return f
}

// scenario returns the scenario of a sink, with the interference if it has one.
func (f *relay) scenario(sink forest.NodeID, interference bool) *forest.Scenario {
	var m forest.Merge
	m.Start(f.Forest, sink)
	if interference {
		m.AddTip(f.write)
		m.AddEdge(forest.Edge{Read: f.read, Write: f.write})
	}
	return m.Finish(nil)
}

// pop checks that the next candidate is s.
func pop(t *testing.T, x *Frontier, s *forest.Scenario) *Candidate {
	t.Helper()
	c := x.Pop()
	switch {
	case c == nil && s != nil:
		t.Fatalf("no candidate, want one of sink %d", s.Sink)
	case c != nil && s == nil:
		t.Fatalf("candidate of sink %d and degree %d, want none", c.Sink, c.Degree)
	case c != nil && !c.Equal(s):
		t.Errorf("candidate of sink %d and degree %d, want %d and %d", c.Sink, c.Degree, s.Sink, s.Degree)
	}
	return c
}

// TestOrder checks that candidates come by degree, and first those with an uncovered sink.
func TestOrder(t *testing.T) {
	f := newRelay()
	covered := map[forest.Outcome]bool{f.Outcome(f.read): true}
	x := New(f.Forest, covered, Options{MaxDegree: 1, UnsatCore: true, Duplicates: true, Priority: true})
	read, other, interfered := f.scenario(f.read, false), f.scenario(f.other, false), f.scenario(f.read, true)
	for _, s := range []*forest.Scenario{interfered, read, read, other} {
		x.Push(s)
	}
	if k, ok := x.LowestDegree(); !ok || k != 0 {
		t.Errorf("lowest degree %d, %v, want 0", k, ok)
	}
	pop(t, x, other)
	c := pop(t, x, read) // once
	pop(t, x, interfered)
	if k, ok := x.LowestDegree(); ok {
		t.Errorf("lowest degree %d of an empty frontier", k)
	}
	x.Push(read)
	pop(t, x, nil)
	x.Requeue(c)
	pop(t, x, read)
}

// TestExplore checks that a candidate is extended by a write, whether that is found before or
// after it, and up to the bound on the degree.
func TestExplore(t *testing.T) {
	for _, c := range []struct {
		name      string
		found     bool // the write is found before the candidate is explored
		maxDegree int
	}{
		{"known", true, 1},
		{"found later", false, 1},
		{"beyond the bound", true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newRelay()
			x := New(f.Forest, map[forest.Outcome]bool{}, Options{MaxDegree: c.maxDegree, UnsatCore: true, Duplicates: true, Priority: true})
			s := f.scenario(f.read, false)
			x.Push(s)
			write := forest.Occurrence{Base: f.scenario(f.write, false), Node: f.write}
			if c.found {
				x.Reach(t.Context(), write)
			}
			x.Explore(t.Context(), pop(t, x, s), []forest.Cause{{Node: f.read}})
			if !c.found {
				pop(t, x, nil)
				x.Reach(t.Context(), write)
			}
			if c.maxDegree > 0 {
				pop(t, x, f.scenario(f.read, true))
			}
			pop(t, x, nil)
		})
	}
}

// TestExploreInterrupted checks that the end of the context ends an exploration.
func TestExploreInterrupted(t *testing.T) {
	f := newRelay()
	x := New(f.Forest, map[forest.Outcome]bool{}, Options{MaxDegree: 1, Duplicates: true})
	s := f.scenario(f.read, false)
	x.Push(s)
	x.Reach(t.Context(), forest.Occurrence{Base: f.scenario(f.write, false), Node: f.write})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	x.Explore(ctx, pop(t, x, s), []forest.Cause{{Node: f.read}})
	pop(t, x, nil)
}

// TestDangling checks that an occurrence that contains a known one of the node is dropped.
func TestDangling(t *testing.T) {
	f := newRelay()
	x := New(f.Forest, map[forest.Outcome]bool{}, Options{MaxDegree: 1, UnsatCore: true, Duplicates: true, Priority: true})
	after := f.Child(f.read, forest.Label{Goroutine: 1, Op: schedule.Yield, Object: run.NoObject})
	plain := forest.Occurrence{Base: f.scenario(f.read, false), Node: f.read}
	interfered := forest.Occurrence{Base: f.scenario(f.read, true), Node: f.read}
	if s := x.Dangling(t.Context(), after, plain); s == nil || s.Sink != after || s.Degree != 0 {
		t.Errorf("scenario %+v, want one of sink %d and degree 0", s, after)
	}
	if s := x.Dangling(t.Context(), after, interfered); s != nil {
		t.Errorf("scenario %+v, want none", s)
	}
}
