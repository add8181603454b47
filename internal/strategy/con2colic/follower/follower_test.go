package follower

import (
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/constraint"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/internal/toy"
	"github.com/everyway-go/everyway/schedule"
)

// follow runs p by a follower of the scenario of a sink with other tips and edges, whose
// events are those of order.
func follow(t *testing.T, p *toy.Program, f *forest.Forest, sink forest.NodeID, tips []forest.NodeID, edges []forest.Edge, order ...forest.NodeID) (*run.Trace, *Follower) {
	t.Helper()
	var m forest.Merge
	m.Start(f, sink)
	for _, n := range tips {
		m.AddTip(n)
	}
	for _, e := range edges {
		m.AddEdge(e)
	}
	s := m.Finish(nil)
	if s == nil {
		t.Fatal("no scenario")
	}
	o := &constraint.Order{}
	for _, n := range order {
		o.Events = append(o.Events, constraint.Event{Node: n})
	}
	w := New(f, s, o)
	return toy.NewMachine(p).Run(&run.Plan{Visible: run.Visible{Objects: p.Objects()}, ReadSymbols: true, Record: true}, w), w
}

// operations returns the operations of a trace on objects.
func operations(trace *run.Trace) []operation {
	var list []operation
	for _, e := range trace.Events {
		if e.Object != run.NoObject {
			list = append(list, operation{e.Goroutine, e.Op})
		}
	}
	return list
}

type operation struct {
	goroutine int32
	op        schedule.Op
}

// find returns the first node of goroutine g with the operation.
func find(t *testing.T, f *forest.Forest, nodes []forest.NodeID, g int32, op schedule.Op) forest.NodeID {
	t.Helper()
	i := slices.IndexFunc(nodes, func(n forest.NodeID) bool { return f.At(n).Goroutine == g && f.At(n).Op == op })
	if i < 0 {
		t.Fatalf("goroutine %d has no %v", g, op)
	}
	return nodes[i]
}

// TestFollow checks that a run follows the order, and that the sink's goroutine then runs
// exclusively up to an unforeseen interference.
func TestFollow(t *testing.T) {
	const store, load = schedule.AtomicWrite, schedule.AtomicRead
	// The main goroutine writes x and reads y, the other reads x, writes y and reads x.
	p := (&toy.Program{
		Cells: []toy.Cell{{}, {}},
		Funcs: [][]toy.Stmt{
			{{Op: toy.Spawn, Obj: 1}, {Op: toy.Store, Obj: 0, X: toy.C(1)}, {Op: toy.Load, Obj: 1}, {Op: toy.Store, Obj: 0, X: toy.C(2)}},
			{{Op: toy.Load, Obj: 0}, {Op: toy.Store, Obj: 1, X: toy.C(1)}, {Op: toy.Load, Obj: 1}, {Op: toy.Load, Obj: 0}},
		},
	}).Number()
	f := forest.New()
	nodes := p.Record(f)
	spawn, write, read := find(t, f, nodes, 0, schedule.Spawn), find(t, f, nodes, 0, store), find(t, f, nodes, 1, load)

	// With an interference. What comes next from the main goroutine is unforeseen.
	trace, w := follow(t, p, f, read, []forest.NodeID{write}, []forest.Edge{{Read: read, Write: write}}, spawn, write, read)
	result := w.End(trace)
	want := []operation{{0, store}, {1, load}, {1, store}, {1, load}}
	if got := operations(trace); !slices.Equal(got, want) {
		t.Errorf("operations %v, want %v", got, want)
	}
	if result.Infeasible || result.Events != len(trace.Events) || result.Concurrent != -1 {
		t.Errorf("result %+v", result)
	}
	if next := PendingOf(result.Pending, 1); len(next) != 1 || next[0].Op != load {
		t.Errorf("goroutine 1 is about to do %v, want a read of what the main goroutine wrote", next)
	}
	if a := result.Alternatives; len(a) == 0 || a[0].Index != f.At(read).Index {
		t.Errorf("alternatives %v, want the first for event %d", a, f.At(read).Index)
	}

	// Without one the read comes first, and nothing is unforeseen.
	trace, w = follow(t, p, f, read, nil, nil, spawn, read)
	want = []operation{{1, load}, {1, store}, {1, load}, {1, load}}
	if got := operations(trace); !slices.Equal(got, want) {
		t.Errorf("operations %v, want %v", got, want)
	}
	if result := w.End(trace); result.Infeasible {
		t.Errorf("result %+v", result)
	}
}

// TestInfeasible checks that a run ends where an operation of the scenario is blocked, and
// that the follower says by what order.
func TestInfeasible(t *testing.T) {
	body := []toy.Stmt{{Op: toy.Lock}, {Op: toy.Unlock}}
	p := (&toy.Program{Locks: 1, Funcs: [][]toy.Stmt{append([]toy.Stmt{{Op: toy.Spawn, Obj: 1}}, body...), body}}).Number()
	f := forest.New()
	nodes := p.Record(f)
	spawn := find(t, f, nodes, 0, schedule.Spawn)
	lock, unlock := find(t, f, nodes, 0, schedule.Lock), find(t, f, nodes, 0, schedule.Unlock)
	lock1 := find(t, f, nodes, 1, schedule.Lock)

	trace, w := follow(t, p, f, unlock, []forest.NodeID{lock1}, nil, spawn, lock, lock1, unlock)
	result := w.End(trace)
	if !result.Infeasible || result.Blocked.Op != schedule.Lock || result.Blocked.Goroutine != 1 {
		t.Fatalf("result %+v, want one blocked at the second Lock", result)
	}
	b, ok := w.Blocking()
	if !ok || b.Blocked != lock1 || !slices.Equal(b.Before, []forest.NodeID{lock}) || !slices.Equal(b.After, []forest.NodeID{unlock}) {
		t.Errorf("blocking %+v, %v; want node %d after %d and before %d", b, ok, lock1, lock, unlock)
	}
}
