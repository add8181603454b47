package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// elem returns the type that pointer type t points to.
func elem(t types.Type) types.Type { return t.Underlying().(*types.Pointer).Elem() }

// arrayOf returns the array type when v is a pointer to an array.
func arrayOf(v ssa.Value) (*types.Array, bool) {
	ptr, ok := v.Type().Underlying().(*types.Pointer)
	if !ok {
		return nil, false
	}
	array, ok := ptr.Elem().Underlying().(*types.Array)
	return array, ok
}

// fieldsOf returns the struct type that t is or points to.
func fieldsOf(t types.Type) *types.Struct {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct)
}

// constElement returns the index of an IndexAddr into an array when it is a constant,
// and whether it is one in range.
func constElement(addr *ssa.IndexAddr) (int, bool) {
	ptr, ok := addr.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return 0, false
	}
	index, ok := addr.Index.(*ssa.Const)
	if !ok || index.Value == nil {
		return 0, false
	}
	i := index.Int64()
	return int(i), 0 <= i && i < ptr.Elem().Underlying().(*types.Array).Len()
}

// isCall reports whether v is the result of a function call, not of a builtin: it is
// moved out of the window after the call.
func isCall(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	_, builtin := call.Call.Value.(*ssa.Builtin)
	return !builtin
}
