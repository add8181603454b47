package maporder

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// failing are the methods that make a test fail. If an iteration calls one of them, the test
// fails in every order. Nobody can see in which order the messages came.
var failing = []string{"Error", "Errorf", "Fail", "FailNow", "Fatal", "Fatalf"}

// fails reports whether a call makes the test fail, and does nothing else.
func fails(c *ssa.CallCommon) bool {
	fn, ok := c.Value.(*ssa.Function)
	if !ok || fn.Signature.Recv() == nil || !slices.Contains(failing, fn.Name()) ||
		types.TypeString(fn.Signature.Recv().Type(), nil) != "*testing.common" {
		return false
	}
	if !fn.Signature.Variadic() {
		return true
	}
	switch args := c.Args[len(c.Args)-1].(type) {
	case *ssa.Const:
		return true
	case *ssa.Slice:
		list, ok := args.X.(*ssa.Alloc)
		return ok && printsPlain(list)
	}
	return false
}

// printsPlain reports whether printing the elements of an array calls no methods.
func printsPlain(list *ssa.Alloc) bool {
	for _, ref := range *list.Referrers() {
		at, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, ref := range *at.Referrers() {
			store, ok := ref.(*ssa.Store)
			if !ok {
				return false
			}
			if v, ok := store.Val.(*ssa.MakeInterface); !ok || !isPlain(v.X.Type()) {
				return false
			}
		}
	}
	return true
}

// isPlain reports whether printing a value of type t calls no methods.
func isPlain(t types.Type) bool {
	methods := types.NewMethodSet(t)
	for _, name := range []string{"Error", "Format", "GoString", "String"} {
		if methods.Lookup(nil, name) != nil {
			return false
		}
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Array:
		return isPlain(t.Elem())
	case *types.Slice:
		_, nested := t.Elem().Underlying().(*types.Slice) // which may be one of itself
		return !nested && isPlain(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if !isPlain(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}
