package maporder

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// leavesAlike reports whether all exits of a loop lead to the same state, and nothing else does:
// the iterations change nothing, do not panic, and end.
func (l *loop) leavesAlike() bool {
	if len(l.maps.writes)+len(l.cells.writes)+len(l.carried) > 0 {
		return false
	}
	if !l.ends() {
		return false
	}
	for _, b := range l.blocks {
		for _, in := range b.Instrs {
			if mayPanic(in) {
				return false
			}
			v, ok := in.(ssa.Value)
			if !ok || v.Referrers() == nil {
				continue
			}
			for _, ref := range *v.Referrers() {
				if !l.contains(ref) {
					return false
				}
			}
		}
	}
	var to *ssa.BasicBlock // where all exits come together, or one of the blocks that return the same
	var values []ssa.Value // that the phis there have, or the results
	for i, e := range l.exits {
		from, at := e.from, e.to
		for len(at.Instrs) == 1 && len(at.Preds) == 1 && len(at.Succs) == 1 {
			from, at = at, at.Succs[0]
		}
		list := outcome(from, at)
		for _, v := range list {
			if !l.invariant(v) {
				return false
			}
		}
		if i == 0 {
			to, values = at, list
			continue
		}
		if at != to && (!returns(at) || !returns(to)) || len(list) != len(values) {
			return false
		}
		for k := range list {
			if !l.same(list[k], values[k]) {
				return false
			}
		}
	}
	return true
}

// ends reports whether each iteration ends: all loops in it are over strings or maps.
func (l *loop) ends() bool {
	const open, done = 1, 2
	state := make(map[*ssa.BasicBlock]int)
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		if !l.within[b] || state[b] == done || slices.ContainsFunc(b.Instrs, isNext) {
			return true
		}
		if state[b] == open {
			return false
		}
		state[b] = open
		for _, s := range b.Succs {
			if !visit(s) {
				return false
			}
		}
		state[b] = done
		return true
	}
	for _, b := range l.blocks {
		if !visit(b) {
			return false
		}
	}
	return true
}

func isNext(in ssa.Instruction) bool {
	_, ok := in.(*ssa.Next)
	return ok
}

// outcome returns what distinguishes the entry of a block from another one: the values that its
// phis get. For one that only returns, these are the results.
func outcome(from, at *ssa.BasicBlock) []ssa.Value {
	var list []ssa.Value
	if returns(at) {
		return at.Instrs[len(at.Instrs)-1].(*ssa.Return).Results
	}
	for _, in := range at.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		list = append(list, incoming(phi, from))
	}
	return list
}

// returns reports whether a block does nothing but return.
func returns(b *ssa.BasicBlock) bool {
	for _, in := range b.Instrs {
		switch in.(type) {
		case *ssa.Return, *ssa.RunDefers, *ssa.DebugRef:
		default:
			return false
		}
	}
	return len(b.Succs) == 0
}

// mayPanic reports whether an instruction may panic.
func mayPanic(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Alloc, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.DebugRef, *ssa.Extract, *ssa.Field, *ssa.If, *ssa.Jump,
		*ssa.MakeClosure, *ssa.MakeInterface, *ssa.MakeMap, *ssa.Next, *ssa.Phi, *ssa.Range, *ssa.Convert:
		return false
	case *ssa.BinOp:
		switch in.Op {
		case token.EQL, token.NEQ:
			return hasInterface(in.X.Type()) && !isZero(in.X) && !isZero(in.Y)
		case token.QUO, token.REM, token.SHL, token.SHR:
			_, ok := in.Y.(*ssa.Const)
			return !ok
		}
		return false
	case *ssa.UnOp:
		return in.Op == token.MUL && !isVariable(in.X)
	case *ssa.Store:
		return !isVariable(in.Addr)
	case *ssa.FieldAddr:
		return !isVariable(in.X)
	case *ssa.IndexAddr:
		_, ok := in.Index.(*ssa.Const) // within the array: the compiler has checked that
		return !ok || !isVariable(in.X)
	case *ssa.TypeAssert:
		return !in.CommaOk
	case *ssa.Lookup:
		t, ok := in.X.Type().Underlying().(*types.Map)
		return !ok || hasInterface(t.Key())
	case *ssa.Call:
		b, ok := in.Call.Value.(*ssa.Builtin)
		return !ok || !pureBuiltin(b)
	}
	return true
}

// isVariable reports whether an address is that of a variable, or of a part of one.
func isVariable(addr ssa.Value) bool {
	switch v := addr.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
		return true
	case *ssa.FieldAddr:
		return isVariable(v.X)
	case *ssa.IndexAddr:
		return !mayPanic(v)
	}
	return false
}

// isZero reports whether a value is the zero constant of a type that has no other constants, as of
// pointers, interfaces and structs. A comparison with it does not panic: its interfaces are nil.
func isZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// hasInterface reports whether a value of a type may have an interface in it, so that it may not
// be comparable.
func hasInterface(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return hasInterface(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if hasInterface(f.Type()) {
				return true
			}
		}
	}
	return false
}
