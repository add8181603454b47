package compile

import (
	"cmp"
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
)

// A Holding is a value that the registers of a frame hold.
type Holding struct {
	Value ssa.Value
	Reg   int32 // the first of its registers
	// Variable says that the value is a variable that is kept in registers: they hold its content.
	Variable bool
	// Parts are values that are parts of it, and in its registers.
	Parts []ssa.Value
}

// Holdings returns what registers hold when a frame is at an instruction, and what it needs from
// there on: just before the instruction is executed or, if within holds, while the call goes on
// that it makes. They are in the order of registers; a register can be in several, whose values are
// the same then.
func Holdings(p *code.Program, at ssa.Instruction, within bool) ([]Holding, error) {
	of := p.Func(at.Parent())
	if of.Body != at.Parent() {
		return nil, fmt.Errorf("%s has no code of its own", of.Name)
	}
	scratch := &code.Func{
		Name: of.Name + preparing, SSA: of.SSA, Params: of.Params, Results: of.Results,
		Regs: max(of.Params, of.Results), Recover: -1, Standard: of.Standard, Own: of.Own,
	}
	branches := len(p.Branches)
	e, err := emit(p, scratch, of.Body)
	p.Branches = p.Branches[:branches] // which of has counted
	if err != nil {
		return nil, err
	}
	m := &middle{prog: p, at: at, e: e, block: int(e.blocks.index[at.Block().Index])}
	if m.block < 0 {
		return nil, fmt.Errorf("%s: no run comes to the instruction", of.Name)
	}
	m.index = slices.Index(e.blocks.list[m.block].Instrs, at)
	after := m.index - 1
	if within {
		after = m.index
	}
	list := make(map[ssa.Value]*Holding)
	for v, val := range e.of {
		if val.role != own || val.node == nil || !e.needs.HoldsAfter(val.node, m.block, after) {
			continue
		}
		if in, ok := v.(ssa.Instruction); ok && !m.before(in) {
			continue
		}
		list[v] = &Holding{Value: v, Reg: val.node.Reg, Variable: val.variable}
	}
	for v, val := range e.of {
		if val.role != part {
			continue
		}
		base := val.base
		for e.of[base] != nil && e.of[base].role == part {
			base = e.of[base].base
		}
		if h := list[base]; h != nil {
			h.Parts = append(h.Parts, v)
		}
	}
	var sorted []Holding
	for _, h := range list {
		sorted = append(sorted, *h)
	}
	slices.SortFunc(sorted, func(a, b Holding) int {
		return cmp.Or(cmp.Compare(a.Reg, b.Reg), cmp.Compare(a.Value.Name(), b.Value.Name()))
	})
	return sorted, nil
}
