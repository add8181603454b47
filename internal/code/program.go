package code

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// A Program compiles the functions of an ssa.Program as they are asked for.
// It is not safe for concurrent use: each worker has its own.
type Program struct {
	SSA      *ssa.Program
	Types    []*Type  // by Type.ID
	Branches []Branch // by the operand of Cover; grows as functions are compiled

	sizes   types.Sizes
	covered func(*ssa.Package) bool
	funcs   map[*ssa.Function]*Func
	types   typeutil.Map // types.Type → *Type
}
