package symmetry

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

const (
	maxSymmetric = 256 // bound on the number of goroutines of a run among which symmetric ones are looked for
	maxCaptures  = 8   // bound on the depth of closures in closures that are compared
)

// Note is called when g has started child, which calls fn.
func Note(m *state.State, g, child *state.Goroutine, fn *state.Function, closure *heap.Object) {
	was := g.Started
	g.Started = nil
	if len(m.Goroutines) > maxSymmetric || m.Initialising() || child.Frames[0].Symbolic {
		return
	}
	s := &state.Start{
		Goroutine: child.ID, Slot: child.Slot, Site: child.Created, Func: fn, Closure: closure, Args: slices.Clone(child.Stack[:fn.Params]),
		Allocs: g.Allocs,
	}
	s.Clock.Assign(&child.Clock)
	g.Started = s
	g.Unprepare()
	if was != nil && sameStart(m, was, s, g.Slot) {
		m.Trace.Symmetric = append(slices.Clip(m.Trace.Symmetric), run.Symmetric{Goroutine: s.Goroutine, Earlier: was.Goroutine})
	}
}

// sameStart reports whether two goroutines that the one at slot parent has started are symmetric.
func sameStart(m *state.State, a, b *state.Start, parent int32) bool {
	if a.Func != b.Func || a.Site != b.Site || len(a.Args) != len(b.Args) || !sameClosure(m, a.Closure, b.Closure, 0) {
		return false
	}
	for i := range a.Args {
		if !sameWord(m, a.Args[i], b.Args[i], 0) {
			return false
		}
	}
	if a.Clock.Time != b.Clock.Time || a.Clock.Readings != b.Clock.Readings {
		return false
	}
	for slot := range int32(len(m.Goroutines)) {
		if slot != parent && slot != a.Slot && slot != b.Slot && a.Clock.At(slot) != b.Clock.At(slot) {
			return false
		}
	}
	return true
}

// sameWord reports whether two arguments are the same.
func sameWord(m *state.State, a, b heap.Word, depth int) bool {
	return a == b || a.N == b.N && isClosure(a.P) && isClosure(b.P) && sameClosure(m, a.P, b.P, depth)
}

func isClosure(o *heap.Object) bool { return o != nil && o.Kind == heap.ClosureObject }

// sameClosure reports whether two closures, which may be nil, are the same.
func sameClosure(m *state.State, a, b *heap.Object, depth int) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || a.Func != b.Func || len(a.Cells) != len(b.Cells) || a.Sym != nil || b.Sym != nil || depth == maxCaptures {
		return false
	}
	fn := m.Funcs[a.Func]
	for i := range a.Cells {
		if !sameWord(m, a.Cells[i], b.Cells[i], depth+1) && !(capturesValue(fn, i) && sameVariable(m, a.Cells[i], b.Cells[i], depth+1)) {
			return false
		}
	}
	return true
}

// sameVariable reports whether two pointers are to variables of the same value.
func sameVariable(m *state.State, a, b heap.Word, depth int) bool {
	p, q := a.P, b.P
	if p == nil || q == nil || a.N != 0 || b.N != 0 || p.Kind != heap.Variable || q.Kind != heap.Variable ||
		p.Bytes != nil || q.Bytes != nil || p.Sym != nil || q.Sym != nil || len(p.Cells) != len(q.Cells) {
		return false
	}
	for i := range p.Cells {
		if !sameWord(m, p.Cells[i], q.Cells[i], depth) {
			return false
		}
	}
	return true
}
