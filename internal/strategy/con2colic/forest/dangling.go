package forest

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// StartOf returns the first node of the goroutine that spawn starts.
func (f *Forest) StartOf(spawn NodeID) NodeID {
	return f.Child(spawn, Label{Goroutine: f.At(spawn).Child, Op: schedule.Start, Object: run.NoObject})
}

// OpaqueChild returns the child of parent that is an opaque read with the label.
func (f *Forest) OpaqueChild(parent NodeID, l Label) NodeID {
	n := f.Child(parent, l)
	f.At(n).Opaque = true
	return n
}

// Alternative returns the child of parent with the label, which could have come in the place
// of the child n, or of nothing if n is 0. It is false if that is n itself.
func (f *Forest) Alternative(parent, n NodeID, l Label) (other NodeID, ok bool) {
	if n != 0 && f.At(n).Label == l {
		return 0, false
	}
	other = f.Child(parent, l)
	if n != 0 && l.Op == schedule.WaitGroupAdd {
		f.At(other).Delta = f.At(n).Delta
	}
	return other, true
}

// PendingLabels returns the labels of the events that the pending transition t may become;
// the first is that of t as it is now. It returns nil if there is only one such event.
// Plain accesses are visible if they are to objects in visible.
func PendingLabels(t *run.Transition, visible map[run.ObjectID]bool) []Label {
	if t.Op == schedule.CondSignal || t.Op == schedule.NoOp || t.Object == run.NoObject && t.Op != schedule.SelectDefault {
		return nil
	}
	l := Label{
		Goroutine: t.Goroutine, Op: t.Op, Select: t.Select,
		Object: t.Object, Offset: t.Offset, Site: t.Site,
	}
	if onLocation(t.Op) {
		l.Cells = max(t.Cells, 1)
	}
	if t.From.Cells > 0 && visible[t.From.Object] {
		// A copy reads first.
		l.Op, l.Object, l.Offset, l.Cells = schedule.Read, t.From.Object, t.From.Offset, t.From.Cells
	}
	if t.Select {
		l.Alt = int32(t.Case())
	}
	labels := []Label{l}
	switch t.Op {
	case schedule.Recv:
		l.Op = schedule.RecvClosed
	case schedule.RecvClosed:
		l.Op = schedule.Recv
	case schedule.LockIntent:
		l.Op = schedule.Lock
	default:
		return labels
	}
	return append(labels, l)
}

// isSwapOutcome reports whether the branch n is on the outcome of the compare-and-swap before
// it: it has the same site.
func (f *Forest) isSwapOutcome(n NodeID) bool {
	e, m := &f.nodes[n], &f.nodes[f.nodes[n].Parent]
	return e.Op == schedule.Branch && m.Site == e.Site && (m.Op == schedule.AtomicUpdate || m.Op == schedule.AtomicRead)
}

// SwapOutcome returns the branch on the outcome of n if n is a compare-and-swap, and 0
// otherwise.
func (f *Forest) SwapOutcome(n NodeID) NodeID {
	if c := f.nodes[n].FirstChild; c != 0 && f.isSwapOutcome(c) {
		return c
	}
	return 0
}

// Duals returns the nodes for the other sides of the branch n (section 7.1 of the paper). For
// a value that was concretized, these are the other values seen and one for all the rest.
func (f *Forest) Duals(n NodeID) []NodeID {
	e := *f.At(n)
	if f.isSwapOutcome(n) {
		return []NodeID{f.dualSwap(n)}
	}
	a := f.Arena
	residual := a.Not(e.Cond)
	var duals []NodeID
	for k := f.At(e.Parent).FirstChild; k != 0; k = f.At(k).NextSibling {
		o := f.At(k)
		if k == n || o.Op != schedule.Branch || e.Kind == run.Concretized && !o.Seen {
			continue
		}
		residual = a.And(residual, a.Not(o.Cond))
		duals = append(duals, k)
	}
	if len(duals) > 0 && e.Kind != run.Concretized {
		return duals
	}
	if v, constant := a.ConstValue(residual); constant && v == 0 {
		return duals
	}
	l := Label{Goroutine: e.Goroutine, Op: schedule.Branch, Object: run.NoObject, Site: e.Site, Cond: residual}
	return append(duals, f.dual(e.Parent, l, &e))
}

// dual returns the child of parent with the label, which is the other side of branch.
func (f *Forest) dual(parent NodeID, l Label, branch *Node) NodeID {
	n := f.Child(parent, l)
	f.At(n).Kind = branch.Kind
	f.At(n).Side = 1 - branch.Side
	return n
}

// dualSwap returns the node for the other outcome of a compare-and-swap. n is the branch on
// its outcome, which follows the access itself; a swap that does not succeed only reads.
func (f *Forest) dualSwap(n NodeID) NodeID {
	branch, access := *f.At(n), *f.At(f.At(n).Parent)
	l := access.Label
	l.Op = schedule.AtomicRead
	if access.Op == schedule.AtomicRead {
		l.Op = schedule.AtomicUpdate
	}
	other := f.Child(access.Parent, l)
	l = branch.Label
	l.Cond = f.Arena.Not(branch.Cond)
	return f.dual(other, l, &branch)
}
