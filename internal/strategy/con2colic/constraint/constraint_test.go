package constraint

import (
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/internal/toy"
	"github.com/everyway-go/everyway/schedule"
)

// recorded is a forest with one run.
type recorded struct {
	*forest.Forest
	nodes []forest.NodeID
}

func record(p *toy.Program) *recorded {
	f := forest.New()
	return &recorded{f, p.Record(f)}
}

// find returns the first node of goroutine g with the operation.
func (r *recorded) find(t *testing.T, g int32, op schedule.Op) forest.NodeID {
	t.Helper()
	i := slices.IndexFunc(r.nodes, func(n forest.NodeID) bool { return r.At(n).Goroutine == g && r.At(n).Op == op })
	if i < 0 {
		t.Fatalf("goroutine %d has no %v", g, op)
	}
	return r.nodes[i]
}

// check returns the verdict on the scenario of a sink with other tips and edges.
func (r *recorded) check(t *testing.T, sink forest.NodeID, tips []forest.NodeID, edges ...forest.Edge) Verdict {
	t.Helper()
	var m forest.Merge
	m.Start(r.Forest, sink)
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
	v, err := NewChecker(r.Forest, solve.New(r.Arena, solve.Options{}), true).Check(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v.Open != "" {
		t.Errorf("open: %s", v.Open)
	}
	return v
}

// wantOrder checks that the events of v come in the order of nodes.
func (v *Verdict) wantOrder(t *testing.T, nodes ...forest.NodeID) {
	t.Helper()
	if v.Order == nil {
		t.Fatalf("not realizable because of %v", v.Causes)
	}
	last := -1
	for _, n := range nodes {
		i := slices.IndexFunc(v.Order.Events, func(e Event) bool { return e.Node == n || e.Partner == n })
		if i <= last {
			t.Errorf("node %d is event %d of %v, want it after event %d", n, i, v.Order.Events, last)
		}
		last = i
	}
}

// TestData checks scenarios that lead to a branch on what another goroutine may write.
func TestData(t *testing.T) {
	r := record(toy.Exchange())
	write, read := r.find(t, 0, schedule.AtomicWrite), r.find(t, 1, schedule.AtomicRead)
	sink := r.Duals(r.find(t, 1, schedule.Branch))[0] // the cell is greater than 2

	v := r.check(t, sink, nil)
	if v.Order == nil || !v.Incomplete {
		t.Errorf("the initial value is not known: %+v", v)
	}
	l := r.Location(r.At(read).Loc)
	l.Initial, l.InitialKnown = 0, true
	v = r.check(t, sink, nil)
	if want := []forest.Cause{{Node: read}}; v.Order != nil || !slices.Equal(v.Causes, want) {
		t.Errorf("without an interference: order %v, causes %v; want no order and %v", v.Order, v.Causes, want)
	}
	v = r.check(t, sink, []forest.NodeID{write}, forest.Edge{Read: read, Write: write})
	v.wantOrder(t, write, read)
	if n := v.Input["n"]; n+1 <= 2 || n >= 8 {
		t.Errorf("input %v does not take the branch", v.Input)
	}
}

// TestCells checks that no write comes between a read and the write that it takes its value
// from.
func TestCells(t *testing.T) {
	r := record(toy.Exchange())
	write, read := r.find(t, 0, schedule.AtomicWrite), r.find(t, 1, schedule.AtomicRead)
	v := r.check(t, r.find(t, 1, schedule.Branch), []forest.NodeID{write})
	v.wantOrder(t, read, write)
}

// TestLocks checks that lock blocks do not overlap.
func TestLocks(t *testing.T) {
	body := []toy.Stmt{{Op: toy.Lock}, {Op: toy.Load, Dst: 0}, {Op: toy.Store, X: toy.C(1)}, {Op: toy.Unlock}}
	p := (&toy.Program{
		Cells: []toy.Cell{{}}, Locks: 1,
		Funcs: [][]toy.Stmt{append([]toy.Stmt{{Op: toy.Spawn, Obj: 1}}, body...), body},
	}).Number()
	r := record(p)
	lock, read, write, unlock := r.find(t, 0, schedule.Lock), r.find(t, 0, schedule.AtomicRead), r.find(t, 0, schedule.AtomicWrite), r.find(t, 0, schedule.Unlock)
	lock1, read1, unlock1 := r.find(t, 1, schedule.Lock), r.find(t, 1, schedule.AtomicRead), r.find(t, 1, schedule.Unlock)

	interference := forest.Edge{Read: read1, Write: write}
	v := r.check(t, read1, []forest.NodeID{unlock}, interference)
	v.wantOrder(t, lock, write, unlock, lock1, read1)

	// Both goroutines read the initial value: that takes blocks that overlap.
	v = r.check(t, unlock, []forest.NodeID{unlock1})
	if v.Order != nil || !slices.Contains(v.Causes, forest.Cause{Node: read}) || !slices.Contains(v.Causes, forest.Cause{Node: read1}) {
		t.Errorf("order %v, causes %v; want no order because of nodes %d and %d", v.Order, v.Causes, read, read1)
	}

	// Without the release the other goroutine is blocked for ever.
	v = r.check(t, read1, []forest.NodeID{write}, interference)
	if v.Order != nil || !slices.Contains(v.Causes, forest.Cause{Node: lock}) {
		t.Errorf("order %v, causes %v; want no order because of node %d", v.Order, v.Causes, lock)
	}
}

// TestChannel checks that a send on a full channel has to come after a receive, which the
// simulation finds.
func TestChannel(t *testing.T) {
	p := (&toy.Program{
		Chans: []int{1},
		Funcs: [][]toy.Stmt{
			{{Op: toy.Spawn, Obj: 1}, {Op: toy.Send, X: toy.C(1)}, {Op: toy.Send, X: toy.C(2)}},
			{{Op: toy.Recv, Dst: 0}},
		},
	}).Number()
	r := record(p)
	first, recv := r.find(t, 0, schedule.Send), r.find(t, 1, schedule.Recv)
	second := r.At(first).FirstChild
	r.Location(r.At(first).Loc).Capacity = 1
	v := r.check(t, second, []forest.NodeID{recv}, forest.Edge{Read: recv, Write: first})
	v.wantOrder(t, first, recv, second)

	v = r.check(t, second, nil)
	if want := []forest.Cause{{Node: second}}; v.Order != nil || !slices.Equal(v.Causes, want) {
		t.Errorf("without the receive: order %v, causes %v; want no order and %v", v.Order, v.Causes, want)
	}
}
