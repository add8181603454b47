package code

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// sourcePos returns a position for fn: its own, or that of the receiver type of a
// promoted method, or that of a file of the package that it initialises.
func sourcePos(fn *ssa.Function) token.Pos {
	for f := fn; f != nil; f = f.Parent() {
		if f.Pos().IsValid() {
			return f.Pos()
		}
	}
	if recv := fn.Signature.Recv(); recv != nil {
		return typePos(recv.Type())
	}
	if fn.Pkg != nil && fn.Pkg.Pkg.Scope().NumChildren() > 0 {
		return fn.Pkg.Pkg.Scope().Child(0).Pos()
	}
	return token.NoPos
}

// typePos returns where t, or the first field of struct type t, is declared.
func typePos(t types.Type) token.Pos {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return typePos(t.Elem())
	case *types.Named:
		return t.Obj().Pos()
	case *types.Struct:
		if t.NumFields() > 0 {
			return t.Field(0).Pos()
		}
	}
	return token.NoPos
}
