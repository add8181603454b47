package exec

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/region"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/merge"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
	"github.com/everyway-go/everyway/internal/vm/variant"
)

// Merging. At a conditional jump on a symbolic value that is the head of a region
// (region.Region), both sides are carried out on expressions. Where they meet, the value
// of each register is an if-then-else expression over the condition. Nothing is added to
// the path condition, since the result holds for inputs of both sides.
//
// A condition that consists of several tests (a region with two ends) is a single condition
// of the path. If a value that depends on merged conditions has to be concrete, they are
// added to the path condition then (state.State.Concretize).
//
// The run itself goes through the region as usual, on concrete registers, so that its
// steps, branches and everything else that can be observed are the same. Its shadows are
// put aside (state.Merging), and the frame runs code that calls join where the sides meet.

// Regions returns the regions of fn. A function in which goroutines stop has none: nobody stops in
// the middle of a region, be it one of a function that calls fn.
func (m *Interpreter) Regions(fn *state.Function) *state.RegionCode {
	if fn.Regions != nil {
		return fn.Regions
	}
	rs := &state.RegionCode{Set: &region.Set{}, Code: slices.Clone(fn.Fused)}
	if !m.Stops.In(fn) {
		rs.Set = m.regions.Find(fn.Func)
	}
	fn.Regions = rs
	joins := make(map[int]bool)
	for _, region := range rs.List {
		joins[region.Ends[0]], joins[region.Ends[1]] = true, true
	}
	for i := range fn.Code {
		if joins[fn.Origin(i)] || fn.Code[i].Op == code.Return && joins[len(fn.Code)] {
			variant.Mark(rs.Code, fn.Code, i)
		}
	}
	return rs
}

// merge carries out both sides of the jump on a symbolic value at which f, the top frame
// of g, is. It returns false if that is not possible, or if the path condition admits
// only one of them.
func (m *Interpreter) merge(g *state.Goroutine, f *state.Frame) bool {
	head := f.Func.Origin(int(f.PC))
	region := m.Regions(f.Func).At(head)
	if region == nil || len(f.Defers) > 0 || region.Counted && m.Plan.Merge != run.MergeAll {
		return false
	}
	base, end := int(f.Base), int(f.Base)+f.Func.Regs
	regs := symbolic.Operands{Words: slices.Clone(g.Stack[base:end]), Syms: slices.Clone(g.Sym[base:end])}
	e := merge.Evaluation{Arena: m.Arena, Known: m.Events.Known, Slot: g.Slot, Program: m}
	shadows, first, ok := e.Merge(f.Func, region, regs)
	if !ok {
		return false
	}
	g.Merging = state.Merging{On: true, Region: region, Shadows: shadows, First: first}
	m.Events.Merged = append(m.Events.Merged, e.Merged...)
	clear(g.Sym[base:end])
	return true
}

// join is called when f, which is in a region, has reached an instruction at which some
// region ends. If it is the region of f, the region is left: the registers get their
// shadows. If the region has two ends, which one was reached is added to the path
// condition.
func (m *Interpreter) join(g *state.Goroutine, f *state.Frame) bool {
	region := g.Merging.Region
	in, at, to := &f.Func.Code[f.PC], f.Func.Origin(int(f.PC)), f.Base
	if in.Op == code.Return && region.Ends[0] == len(f.Func.Code) {
		at, to = len(f.Func.Code), to+in.A
	}
	k := slices.Index(region.Ends[:], at)
	if k < 0 {
		return false
	}
	copy(g.Sym[to:], g.Merging.Shadows[k])
	if region.Ends[1] >= 0 {
		m.AddConditionAt(g, run.SiteID{Func: f.Func.ID, Instr: int32(region.Head)}, g.Merging.First, k == 0, run.Jump)
	}
	g.Merging = state.Merging{}
	return true
}
