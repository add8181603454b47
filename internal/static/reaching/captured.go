package reaching

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Captured returns what may be in a variable of a function, at an address in the function or in one
// that has captured it, when an instruction of that is about to be executed, whatever other
// goroutines do that have captured it, too. A nil among the values stands for the zero value with
// which the variable was made. Nothing is known, and ok is false, if the address is used for more
// than loads, stores and captures.
//
// A variable that is captured is never zero again once it has been set, and its function sets it in
// order. So what is there is one of the definitions that reach the instruction that makes the
// closure, what the function stores after that, and what any other function stores that has
// captured it.
func Captured(addr ssa.Value, at ssa.Instruction) (values []ssa.Value, ok bool) {
	alloc, closures, ok := madeBy(addr)
	if !ok || addr.Parent() != at.Parent() {
		return nil, false
	}
	var stores []*ssa.Store
	if !onlyCaptured(alloc, &stores) {
		return nil, false
	}
	in := alloc.Parent()
	from := at
	if len(closures) > 0 {
		from = closures[0]
	}
	defs, ok := lastStores(alloc, from)
	if !ok {
		return nil, false
	}
	// What reaches the closure is gone if those who have captured the variable set it themselves
	// before they come to the instruction.
	for i, c := range closures {
		until := at
		if i+1 < len(closures) {
			until = closures[i+1]
		}
		if storesBefore(c.Fn.(*ssa.Function), alloc, until) {
			defs = nil
		}
	}
	note := func(v ssa.Value) {
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	for _, d := range defs {
		if s, ok := d.(*ssa.Store); ok {
			note(s.Val)
		} else {
			note(nil)
		}
	}
	for _, s := range stores {
		if s.Parent() != in || len(closures) > 0 && (precedes(from, s, alloc) || s.Block() == in.Recover) {
			note(s.Val)
		}
	}
	return values, true
}

// madeBy returns the instruction that makes the variable at an address and, if the address is that
// of a captured variable, those that make the closures which have captured it, one in the other,
// the outermost first.
func madeBy(addr ssa.Value) (alloc *ssa.Alloc, closures []*ssa.MakeClosure, ok bool) {
	for {
		switch v := addr.(type) {
		case *ssa.Alloc:
			slices.Reverse(closures)
			return v, closures, true
		case *ssa.FreeVar:
			made := makers(v.Parent())
			if len(made) != 1 {
				return nil, nil, false
			}
			closures = append(closures, made[0])
			addr = made[0].Bindings[slices.Index(v.Parent().FreeVars, v)]
		default:
			return nil, nil, false
		}
	}
}

// Made returns the instruction that makes the variable at an address, which may be that of a
// captured variable; nil if it is not known.
func Made(addr ssa.Value) *ssa.Alloc {
	alloc, _, _ := madeBy(addr)
	return alloc
}

// makers returns the instructions that make closures of a function.
func makers(fn *ssa.Function) (list []*ssa.MakeClosure) {
	if fn.Parent() == nil {
		return nil
	}
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if c, ok := instr.(*ssa.MakeClosure); ok && c.Fn == ssa.Value(fn) {
				list = append(list, c)
			}
		}
	}
	return list
}

// onlyCaptured reports whether the address of a variable is used for loads, stores and captures
// only. It adds the stores to a list.
func onlyCaptured(addr ssa.Value, stores *[]*ssa.Store) bool {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if ref.Addr != addr || ref.Val == addr {
				return false
			}
			*stores = append(*stores, ref)
		case *ssa.MakeClosure:
			fn := ref.Fn.(*ssa.Function)
			if len(makers(fn)) != 1 {
				return false
			}
			for i, b := range ref.Bindings {
				if b == addr && !onlyCaptured(fn.FreeVars[i], stores) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// lastStores returns the instructions by which the function of a variable may have set it last when
// another one is about to be executed: stores, or the one that makes it. It returns false if some
// path comes from elsewhere, as one from a panic does.
func lastStores(alloc *ssa.Alloc, at ssa.Instruction) (defs []ssa.Instruction, ok bool) {
	seen := make(map[*ssa.BasicBlock]bool)
	work := []*ssa.BasicBlock{at.Block()}
	until := slices.Index(at.Block().Instrs, at)
	for i := 0; i < len(work); i++ {
		b, before := work[i], len(work[i].Instrs)
		if i == 0 {
			before = until
		}
		if def := lastStore(b.Instrs[:before], alloc); def != nil {
			defs = append(defs, def)
			continue
		}
		if len(b.Preds) == 0 {
			return nil, false
		}
		for _, p := range b.Preds {
			if !seen[p] {
				seen[p] = true
				work = append(work, p)
			}
		}
	}
	return defs, true
}

// lastStore returns the last of some instructions that sets a variable or makes it, nil if none does.
func lastStore(instrs []ssa.Instruction, alloc *ssa.Alloc) ssa.Instruction {
	for _, instr := range slices.Backward(instrs) {
		if s, ok := instr.(*ssa.Store); ok && s.Addr == ssa.Value(alloc) || instr == ssa.Instruction(alloc) {
			return instr
		}
	}
	return nil
}

// storesBefore reports whether a function that has captured a variable sets it on every path to one
// of its instructions.
func storesBefore(fn *ssa.Function, alloc *ssa.Alloc, at ssa.Instruction) bool {
	for _, b := range fn.Blocks {
		if b != at.Block() && !b.Dominates(at.Block()) || b == fn.Recover {
			continue
		}
		for _, instr := range b.Instrs {
			if instr == at {
				break
			}
			if s, ok := instr.(*ssa.Store); ok {
				if of, _, ok := madeBy(s.Addr); ok && of == alloc {
					return true
				}
			}
		}
	}
	return false
}
