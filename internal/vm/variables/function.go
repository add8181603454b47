package variables

import (
	"go/token"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
)

// A function is what is known of the code of a function.
type function struct {
	*code.Func
	traps []int32
	// firsts are the instructions at which a line may begin: the first ones of what can be jumped to or is
	// on another line than what comes before.
	firsts map[int32]bool
	lines  []int // by instruction, the line of its statement; 0 if it belongs to none
}

// newFunction looks at a function of the source.
func newFunction(f *code.Func, fset *token.FileSet) *function {
	fn := &function{Func: f, firsts: map[int32]bool{0: true}}
	fn.lines = make([]int, len(f.Code))
	for i, pos := range f.Variables.Statements {
		if pos.IsValid() {
			fn.lines[i] = fset.Position(pos).Line
		}
		if i > 0 && fn.lines[i] != fn.lines[i-1] {
			fn.firsts[int32(i)] = true
		}
	}
	at := map[int32]bool{0: true}
	for i := range f.Code {
		in := &f.Code[i]
		if _, target := in.Flow(); target >= 0 {
			fn.firsts[int32(target)] = true
		}
		if in.Op == code.Return {
			at[int32(i)] = true
		}
	}
	if f.Recover >= 0 {
		fn.firsts[int32(f.Recover)] = true
	}
	for pc := range fn.firsts {
		at[pc] = true
	}
	for _, a := range f.Variables.Assignments {
		at[a.PC] = true
		if a.From == code.FromBefore || a.From == code.FromUnknown {
			at[a.PC-1] = true
		}
	}
	for pc := range at {
		if pc >= 0 {
			fn.traps = append(fn.traps, pc)
		}
	}
	slices.Sort(fn.traps)
	return fn
}

// assignments returns the assignments that may happen before an instruction.
func (fn *function) assignments(pc int32) []code.Assignment {
	list := fn.Variables.Assignments
	i, _ := slices.BinarySearchFunc(list, pc, func(a code.Assignment, pc int32) int { return int(a.PC - pc) })
	j := i
	for j < len(list) && list[j].PC == pc {
		j++
	}
	return list[i:j]
}
