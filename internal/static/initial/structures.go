package initial

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/fragment"
)

// structures returns those to which the variables of functions, and package variables, may lead.
func (v *Variables) structures(stacks [][]ssa.Instruction, variables []*ssa.Global) []fragment.Structure {
	var of []types.Type
	for _, stack := range stacks {
		for _, at := range stack {
			fn := at.Parent()
			for _, p := range fn.Params {
				of = append(of, p.Type())
			}
			for _, p := range fn.FreeVars {
				of = append(of, p.Type())
			}
			anyOf(fn, func(instr ssa.Instruction) bool {
				if x, ok := instr.(ssa.Value); ok {
					of = append(of, x.Type())
				}
				return false
			})
		}
	}
	for _, g := range variables {
		of = append(of, g.Type())
	}
	return v.ownership.Structures(of)
}
