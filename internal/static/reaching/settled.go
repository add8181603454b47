package reaching

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Settled returns the value of the variable at an address if it is set once, as soon as it is made, and never again: a parameter that is captured,
// for instance.
func Settled(addr ssa.Value) (value ssa.Value, ok bool) {
	switch v := addr.(type) {
	case *ssa.Alloc:
		var stores []*ssa.Store
		if !onlyRead(v, v, &stores) || len(stores) != 1 {
			return nil, false
		}
		b := v.Block()
		at := slices.Index(b.Instrs, ssa.Instruction(stores[0]))
		for _, ref := range *v.Referrers() {
			if ref.Block() == b && slices.Index(b.Instrs, ref) < at {
				return nil, false
			}
		}
		return stores[0].Val, true
	case *ssa.FreeVar:
		if bound := bindings(v); len(bound) == 1 {
			return Settled(bound[0])
		}
	}
	return nil, false
}

// onlyRead reports whether a variable that is at an address is loaded from and captured, and stored to only in the block that makes it. It adds the
// stores to a list.
func onlyRead(addr ssa.Value, alloc *ssa.Alloc, stores *[]*ssa.Store) bool {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if ref.Addr != addr || ref.Val == addr || ref.Block() != alloc.Block() {
				return false
			}
			*stores = append(*stores, ref)
		case *ssa.MakeClosure:
			for i, b := range ref.Bindings {
				if b == addr && !onlyRead(ref.Fn.(*ssa.Function).FreeVars[i], alloc, stores) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// bindings returns what is bound to a captured variable.
func bindings(v *ssa.FreeVar) (list []ssa.Value) {
	fn := v.Parent()
	i := slices.Index(fn.FreeVars, v)
	if fn.Parent() == nil {
		return nil
	}
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if c, ok := instr.(*ssa.MakeClosure); ok && c.Fn == ssa.Value(fn) {
				list = append(list, c.Bindings[i])
			}
		}
	}
	return list
}
