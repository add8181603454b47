package ssaform

import (
	"go/constant"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// IsNil reports whether a value is the constant nil.
func IsNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// Int returns the value of an integer constant; ok is false for anything else, and for one that an
// int64 cannot hold.
func Int(v ssa.Value) (n int64, ok bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c.Value)
}

// IsInteger reports whether the values of a type are integers.
func IsInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// IsBuiltin reports whether a call is of one of the builtin functions of these names.
func IsBuiltin(call *ssa.CallCommon, names ...string) bool {
	b, ok := call.Value.(*ssa.Builtin)
	return ok && slices.Contains(names, b.Name())
}

// Outermost returns the function in which fn is a literal, at whatever depth; fn if it is none.
func Outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// Instructions returns the instructions of a function, block by block. There are none if it has no body.
func Instructions(fn *ssa.Function) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if !yield(instr) {
					return
				}
			}
		}
	}
}

// Dominates reports whether every path to at, an instruction of the same function, goes through
// another one first. No instruction dominates itself.
func Dominates(instr, at ssa.Instruction) bool {
	b := instr.Block()
	if b != at.Block() {
		return b.Dominates(at.Block())
	}
	return slices.Index(b.Instrs, instr) < slices.Index(b.Instrs, at)
}
