package warning

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// maxDepth bounds how far the origin of a value is followed.
const maxDepth = 4

// nonNil reports whether it is seen from where a value comes from that it is not nil.
func nonNil(v ssa.Value, depth int) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Global, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeSlice, *ssa.MakeClosure, *ssa.Function,
		*ssa.MakeInterface:
		return true
	case *ssa.FreeVar:
		return true // the address of a variable, or a receiver
	case *ssa.ChangeType:
		return nonNil(v.X, depth)
	case *ssa.ChangeInterface:
		return nonNil(v.X, depth)
	}
	if depth == maxDepth {
		return false
	}
	switch v := v.(type) {
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !nonNil(e, depth+1) })
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return false
		}
		values, known := assigned(variable(v.X))
		return known && len(values) > 0 && !slices.ContainsFunc(values, func(e ssa.Value) bool { return !nonNil(e, depth+1) })
	case *ssa.Call:
		callee := v.Call.StaticCallee()
		if callee == nil || len(callee.Blocks) == 0 {
			return false
		}
		for _, b := range callee.Blocks {
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && (len(ret.Results) != 1 || !nonNil(ret.Results[0], depth+1)) {
				return false
			}
		}
		return true
	}
	return false
}

// variable returns the variable that a function literal has captured, if addr is its address there.
func variable(addr ssa.Value) ssa.Value {
	v, ok := addr.(*ssa.FreeVar)
	if !ok {
		return addr
	}
	i := slices.Index(v.Parent().FreeVars, v)
	if v.Parent().Parent() == nil {
		return addr
	}
	for _, b := range v.Parent().Parent().Blocks {
		for _, instr := range b.Instrs {
			if c, ok := instr.(*ssa.MakeClosure); ok && c.Fn == v.Parent() {
				return variable(c.Bindings[i])
			}
		}
	}
	return addr
}

// assigned returns the values that a local variable is given, false if its address is used for
// something else than reading and writing it there and in function literals.
func assigned(addr ssa.Value) (list []ssa.Value, known bool) {
	switch addr.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
	default:
		return nil, false
	}
	for _, user := range *addr.Referrers() {
		switch user := user.(type) {
		case *ssa.Store:
			if user.Val == addr {
				return nil, false
			}
			list = append(list, user.Val)
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.MakeClosure:
			for i, b := range user.Bindings {
				if b != addr {
					continue
				}
				more, ok := assigned(user.Fn.(*ssa.Function).FreeVars[i])
				if !ok {
					return nil, false
				}
				list = append(list, more...)
			}
		default:
			return nil, false
		}
	}
	return list, true
}
