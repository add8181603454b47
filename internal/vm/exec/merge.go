package exec

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/merge"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
	"github.com/everyway-go/everyway/internal/vm/variant"
)

// Merging. At a conditional jump on a symbolic value that has a region (region.Region),
// both sides are carried out on expressions, and where they meet each register gets
// the choice between its values by the condition. The path condition gets nothing
// added to it: what is found there holds for inputs of either side.
//
// A condition of several tests (a region with two ends) is one condition of the path.
// What has to be concrete brings back the conditions that it depends on (split).
//
// The run itself goes through the region as it would in any case, on concrete
// registers: so steps, branches and everything else that can be told of it are the
// same. Its shadows are put aside for the time (merging), and the frame runs code
// that comes back to join where the sides meet.

// Regions returns the regions of fn.
func (m *Interpreter) Regions(fn *state.Function) *state.RegionCode {
	if fn.Regions != nil {
		return fn.Regions
	}
	rs := &state.RegionCode{Set: m.regions.Find(fn.Func), Code: slices.Clone(fn.Fused)}
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

// merge carries out both sides of the jump on a symbolic value that f, the top frame of
// g, is at. It is false when that cannot be done, or when the path condition leaves
// only one of them.
func (m *Interpreter) merge(g *state.Goroutine, f *state.Frame) bool {
	head := f.Func.Origin(int(f.PC))
	region := m.Regions(f.Func).At(head)
	if region == nil || len(f.Defers) > 0 || region.Counted && m.Plan.Merge != run.MergeAll {
		return false
	}
	base, end := int(f.Base), int(f.Base)+f.Func.Regs
	regs := symbolic.Operands{Words: slices.Clone(g.Stack[base:end]), Syms: slices.Clone(g.Sym[base:end])}
	e := merge.Evaluation{Arena: m.Arena, Held: m.Events.Known, Slot: g.Slot, Program: m}
	shadows, first, ok := e.Merge(f.Func, region, regs)
	if !ok {
		return false
	}
	g.Merging = state.Merging{On: true, Region: region, Shadows: shadows, First: first}
	m.Events.Merged = append(m.Events.Merged, e.Merged...)
	clear(g.Sym[base:end])
	return true
}

// join is called when f, which is in a region, has come to where some region ends. If
// it is the one that f is in, it is left: registers have their shadows again. Which of
// two ends it is becomes part of the path condition.
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
