package con2colic

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// startOf returns the first node of the goroutine that spawn starts.
func (f *forest) startOf(spawn nodeID) nodeID {
	return f.child(spawn, label{goroutine: f.at(spawn).child, op: schedule.Start, object: run.NoObject})
}

// opaqueChild returns the child of parent that is an opaque read with the label.
func (f *forest) opaqueChild(parent nodeID, l label) nodeID {
	n := f.child(parent, l)
	f.at(n).opaque = true
	return n
}

// alternative returns the child of parent with the label, as something that could have come
// in the place of n, or also after parent if n is 0. It is false if that is n itself.
func (f *forest) alternative(parent, n nodeID, l label) (other nodeID, ok bool) {
	if n != 0 && f.at(n).label == l {
		return 0, false
	}
	other = f.child(parent, l)
	if n != 0 && l.op == schedule.WaitGroupAdd {
		f.at(other).delta = f.at(n).delta
	}
	return other, true
}

// pendingLabels returns the labels of the events that t, which is pending, may become; the
// first is that of t as it is now. It returns nil if the event is always the same. Objects
// in visible are those to which plain accesses are visible.
func pendingLabels(t *run.Transition, visible map[run.ObjectID]bool) []label {
	if t.Op == schedule.CondSignal || t.Op == schedule.NoOp || t.Object == run.NoObject && t.Op != schedule.SelectDefault {
		return nil
	}
	l := label{
		goroutine: t.Goroutine, op: t.Op, selects: t.Select,
		object: t.Object, offset: t.Offset, site: t.Site,
	}
	if onLocation(t.Op) {
		l.cells = max(t.Cells, 1)
	}
	if t.From.Cells > 0 && visible[t.From.Object] {
		// A copy reads first.
		l.op, l.object, l.offset, l.cells = schedule.Read, t.From.Object, t.From.Offset, t.From.Cells
	}
	if t.Select {
		l.alt = int32(t.Case())
	}
	labels := []label{l}
	switch t.Op {
	case schedule.Recv:
		l.op = schedule.RecvClosed
	case schedule.RecvClosed:
		l.op = schedule.Recv
	case schedule.LockIntent:
		l.op = schedule.Lock
	default:
		return labels
	}
	return append(labels, l)
}

// isSwapOutcome reports whether the branch n is on the outcome of the
// compare-and-swap before it: it has the same place in the code.
func (f *forest) isSwapOutcome(n nodeID) bool {
	e, m := &f.nodes[n], &f.nodes[f.nodes[n].parent]
	return e.op == schedule.Branch && m.site == e.site && (m.op == schedule.AtomicUpdate || m.op == schedule.AtomicRead)
}

// swapOutcome returns the branch on the outcome of n if that is a
// compare-and-swap, and 0 otherwise.
func (f *forest) swapOutcome(n nodeID) nodeID {
	if c := f.nodes[n].first; c != 0 && f.isSwapOutcome(c) {
		return c
	}
	return 0
}

// duals returns the nodes for the other sides of the branch n. For a value that was
// concretized, these are the other values seen and one for all the rest.
func (f *forest) duals(n nodeID) []nodeID {
	e := *f.at(n)
	if f.isSwapOutcome(n) {
		return []nodeID{f.dualSwap(n)}
	}
	a := f.arena
	residual := a.Not(e.cond)
	var duals []nodeID
	for k := f.at(e.parent).first; k != 0; k = f.at(k).sibling {
		o := f.at(k)
		if k == n || o.op != schedule.Branch || e.kind == run.Concretized && !o.seen {
			continue
		}
		residual = a.And(residual, a.Not(o.cond))
		duals = append(duals, k)
	}
	if len(duals) > 0 && e.kind != run.Concretized {
		return duals
	}
	if v, constant := a.ConstValue(residual); constant && v == 0 {
		return duals
	}
	l := label{goroutine: e.goroutine, op: schedule.Branch, object: run.NoObject, site: e.site, cond: residual}
	return append(duals, f.dual(e.parent, l, &e))
}

// dual returns the child of parent with the label, which is the other side of branch.
func (f *forest) dual(parent nodeID, l label, branch *node) nodeID {
	n := f.child(parent, l)
	f.at(n).kind = branch.kind
	f.at(n).side = 1 - branch.side
	return n
}

// dualSwap returns the node for the other outcome of a compare-and-swap. n is the branch on
// its outcome, which follows the access itself; a swap that does not succeed only reads.
func (f *forest) dualSwap(n nodeID) nodeID {
	branch, access := *f.at(n), *f.at(f.at(n).parent)
	l := access.label
	l.op = schedule.AtomicRead
	if access.op == schedule.AtomicRead {
		l.op = schedule.AtomicUpdate
	}
	other := f.child(access.parent, l)
	l = branch.label
	l.cond = f.arena.Not(branch.cond)
	return f.dual(other, l, &branch)
}
