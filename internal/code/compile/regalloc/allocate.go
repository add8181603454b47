package regalloc

import "slices"

// Allocate gives registers to the nodes of f.
func Allocate(f *Function) *Allocation {
	instrs := f.number()
	f.liveness(instrs)
	a := &Allocation{fn: f, instrs: instrs, webs: f.makeWebs(), top: f.Params}
	var active []*web
	var taken []bool
	for _, w := range a.webs {
		start := w.ranges[0].from
		active = slices.DeleteFunc(active, func(a *web) bool { return a.ranges[len(a.ranges)-1].to <= start })
		if !w.fixed {
			taken = markTaken(taken, active, w)
			w.reg = -1
			if at := preferred(active, w); at >= 0 && fits(taken, at, w.words) {
				w.reg = at
			}
			for r := int32(0); w.reg < 0; r++ {
				if fits(taken, r, w.words) {
					w.reg = r
				}
			}
		}
		for _, n := range w.nodes {
			n.Reg = w.reg
		}
		a.top = max(a.top, w.end())
		active = append(active, w)
	}
	a.enter(0)
	return a
}

// markTaken marks the registers of the active webs with which w cannot share registers.
func markTaken(taken []bool, active []*web, w *web) []bool {
	taken = taken[:0]
	for _, a := range active {
		if !overlap(a.ranges, w.ranges) {
			continue
		}
		for int32(len(taken)) < a.end() {
			taken = append(taken, false)
		}
		for r := a.reg; r < a.end(); r++ {
			taken[r] = true
		}
	}
	return taken
}

// fits reports whether the n registers from r on are not taken.
func fits(taken []bool, r, n int32) bool {
	for i := r; i < r+n && i < int32(len(taken)); i++ {
		if taken[i] {
			return false
		}
	}
	return true
}

// preferred returns the register where w needs no move from or to the window
// of a call, -1 when there is none. For arguments it is a guess: values that
// become live later may raise the window.
func preferred(active []*web, w *web) int32 {
	switch {
	case w.result != nil:
		return windowBase(active, w.result, w)
	case w.argument != nil:
		return windowBase(active, w.argument, w) + w.offset
	}
	return -1
}

// windowBase returns where the window of a call begins: above all webs that hold
// something across it, except for one, and above what it calls.
func windowBase(active []*web, call *Call, except *web) int32 {
	base := int32(0)
	for _, a := range active {
		if a != except && a.covers(2*call.at+1) {
			base = max(base, a.end())
		}
	}
	if call.Func != nil {
		base = max(base, call.Func.Reg+call.FuncEnd)
	}
	return base
}
