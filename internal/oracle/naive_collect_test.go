package oracle

import "slices"

// A naiveHeap is what a naive run can collect. Its variables are plain ones, after those of
// the program.
type naiveHeap struct {
	holders   []written // 1 if it points to the node
	weak      []bool    // the weak pointer is not nil
	set       []bool    // there is a finalizer or a cleanup
	waiting   []int     // nodes whose finalizers are to be called
	finalizer int       // the thread that was called last, -1 at first
	at        []int     // number of events before the node was collected
}

func newNaiveHeap(p *Program) naiveHeap {
	h := naiveHeap{finalizer: -1}
	for range p.Nodes {
		h.holders = append(h.holders, written{1, -1})
		h.weak, h.set, h.at = append(h.weak, true), append(h.set, true), append(h.at, 0)
	}
	return h
}

func (h *naiveHeap) copy() naiveHeap {
	return naiveHeap{
		slices.Clone(h.holders), slices.Clone(h.weak), slices.Clone(h.set), slices.Clone(h.waiting), h.finalizer, slices.Clone(h.at),
	}
}

// canReach reports whether node k can be reached, if the contents of nodes with finalizers
// can.
func (r *naiveRun) canReach(k int) bool {
	roots := slices.Clone(r.waiting)
	if f := r.finalizer; f >= 0 && r.next(f) != nil {
		for n := range r.p.Nodes {
			if r.p.Nodes[n].Kind == Finalized && r.p.Nodes[n].Body == f {
				roots = append(roots, n)
			}
		}
	}
	for n := range r.p.Nodes {
		if r.holders[n].value == 1 {
			roots = append(roots, n)
		}
		if r.p.Nodes[n].Kind == Finalized && r.set[n] && r.weak[n] && r.p.Nodes[n].Next >= 0 {
			roots = append(roots, r.p.Nodes[n].Next)
		}
	}
	for _, g := range r.gs {
		roots = append(roots, g.refs...)
	}
	for _, n := range roots {
		for range r.p.Nodes {
			if n == k {
				return true
			}
			if n >= 0 {
				n = r.p.Nodes[n].Next
			}
		}
	}
	return false
}

// collect makes a collection, and reports whether it collected anything.
func (r *naiveRun) collect() bool {
	var dead []int
	for k := range r.p.Nodes {
		if r.weak[k] && !r.canReach(k) {
			dead = append(dead, k)
		}
	}
	for _, k := range dead {
		r.weak[k] = false
		r.at[k] = len(r.events)
	}
	for _, k := range dead {
		switch body := r.p.Nodes[k].Body; {
		case !r.set[k]:
		case r.p.Nodes[k].Kind == Finalized:
			r.waiting = append(r.waiting, k)
		case r.p.Nodes[k].Kind == Cleaned:
			r.call(body, 0)
		}
	}
	return len(dead) > 0
}

// call starts a thread after what is in past.
func (r *naiveRun) call(body int, past uint64) {
	r.gs[body] = thread{started: true, frames: []frame{{r.p.Bodies[body], 0}}, last: past}
	r.settle(body)
}

// finalizers returns the runs that come of it if a finalizer is called.
func (r *naiveRun) finalizers() (next []*naiveRun) {
	if r.failed != "" || r.finalizer >= 0 && r.next(r.finalizer) != nil {
		return nil
	}
	for i, k := range r.waiting {
		c := r.copy()
		c.waiting = slices.Delete(c.waiting, i, i+1)
		var past uint64
		if c.finalizer >= 0 {
			past = c.gs[c.finalizer].last
		}
		c.finalizer = c.p.Nodes[k].Body
		c.call(c.finalizer, past)
		next = append(next, c)
	}
	return next
}

// doNode carries out a statement about a node.
func (r *naiveRun) doNode(g int, s *Stmt) {
	t, holder := &r.gs[g], &r.holders[0]
	if s.Op != Collect {
		holder = &r.holders[s.Obj]
	}
	there := false
	switch s.Op {
	case Drop, Revive:
		r.happen(g)
		*holder = written{0, len(r.events) - 1}
		if s.Op == Revive {
			holder.value = 1
		}
		r.done(g, s, 0)
		return
	case Hold:
		if there = holder.value == 1; holder.by >= 0 {
			r.happen(g, r.events[holder.by].past)
		} else {
			r.happen(g)
		}
	case Upgrade, Peek:
		there = r.weak[s.Obj]
		r.happen(g)
	case LetGo:
		t.refs = slices.Clone(t.refs[:len(t.refs)-1])
		r.done(g, s, 0)
		return
	case Cancel:
		r.happen(g)
		r.set[s.Obj] = false
		r.done(g, s, 0)
		return
	case Collect:
		r.happen(g)
		r.collect()
		r.done(g, s, 0)
		return
	}
	result := 0
	if there {
		result = 1
	}
	list := s.Else
	if there {
		t.refs = append(slices.Clone(t.refs), s.Obj)
		list = append(slices.Clone(s.Then), Stmt{Op: LetGo, Obj: s.Obj})
	}
	t.locals[s.Dst] = result
	if s.Show {
		t.shown = append(t.shown, Shown{g, s.ID, result})
	}
	t.frames[len(t.frames)-1].at++
	t.frames = append(t.frames, frame{list, 0})
	r.settle(g)
}

// acrossCollection reports whether a node was collected between two accesses to its
// variable, which are event number i and an earlier one.
func (r *naiveRun) acrossCollection(plain, earlier, i int) bool {
	k := plain - r.p.Plains
	return k >= 0 && !r.weak[k] && earlier < r.at[k] && r.at[k] <= i
}
