package initial

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static/protection"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// memory finds the definitions of memory that must reach a context (Bergan 2014, sections 2.4.2 and
// 2.6.2): what was last stored, on every path, where nothing may have stored since. The paper tells
// locations that no other thread writes from shared ones, of which it knows something where
// programs have no data races; here programs may have some, so that nothing is known of what
// another goroutine may write, unless it has done so before it started the others, or a lock keeps
// it out that the goroutine has held since.
type memory struct {
	definitions *reaching.Program
	fields      *fields
	beginnings  *beginnings
	protection  *protection.Program
}

// of returns what is known of memory because of a frame, the i-th of a stack.
func (m memory) of(stack []ssa.Instruction, i int) fragment.Memory {
	known := fragment.Memory{
		Holds: make(map[ssa.Instruction]bool), Zero: make(map[*ssa.Alloc][]int),
		Fresh: make(map[ssa.Value]bool), Filled: make(map[*ssa.Alloc]bool), Contents: make(map[*ssa.FreeVar]fragment.Content),
	}
	at := stack[i]
	anyOf(at.Parent(), func(instr ssa.Instruction) bool {
		if !ssaform.Dominates(instr, at) {
			return false
		}
		switch instr := instr.(type) {
		case *ssa.Store:
			if m.stays(instr, instr.Addr, stack, i) {
				known.Holds[instr] = true
			}
		case *ssa.UnOp:
			if instr.Op == token.MUL && (m.fields.isConstant(instr) || m.stays(instr, instr.X, stack, i)) {
				known.Holds[instr] = true
			}
		case *ssa.Alloc:
			if zero := m.zero(instr, stack, i); len(zero) > 0 {
				known.Zero[instr] = zero
			}
		case *ssa.MakeChan:
			if isFresh(instr, at, i > 0) {
				known.Fresh[instr] = true
			}
		}
		return false
	})
	return known
}

// stays reports whether what is at an address is the same after an instruction of a frame has been
// executed, and at the context.
func (m memory) stays(from ssa.Instruction, addr ssa.Value, stack []ssa.Instruction, i int) bool {
	if m.definitions.Interferes(addr) && !m.beginnings.settled(m.definitions, addr) && !m.protection.Stays(from, addr, stack, i) || m.definitions.Between(from, stack[i], addr) {
		return false
	}
	for _, inner := range stack[:i] {
		if m.definitions.Between(nil, inner, addr) {
			return false
		}
	}
	return true
}

// zero returns the fields of a variable that have not been written since it was made, fragment.Whole if none has.
func (m memory) zero(alloc *ssa.Alloc, stack []ssa.Instruction, i int) []int {
	if m.stays(alloc, alloc, stack, i) {
		return []int{fragment.Whole}
	}
	s, ok := alloc.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	// The address of each field as it is used in the function. A field whose address is not
	// computed here is not told apart.
	addresses := make(map[int]ssa.Value)
	for _, ref := range *alloc.Referrers() {
		if f, ok := ref.(*ssa.FieldAddr); ok {
			addresses[f.Field] = f
		}
	}
	var list []int
	for f := range s.NumFields() {
		if addr := addresses[f]; addr != nil && m.stays(alloc, addr, stack, i) {
			list = append(list, f)
		}
	}
	return list
}
