package maporder

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// cellUses are the uses of variables in memory in a loop, without those that the iteration has
// made.
type cellUses struct {
	writes []cellWrite
	reads  []ssa.Value // addresses
	calls  bool        // functions are called, which may read
}

// A cellWrite is what an iteration does to a variable in memory.
type cellWrite struct {
	addr   ssa.Value
	family family
	value  ssa.Value // family assignment: what is assigned
}

// load reports whether an operation with one operand does nothing that prevents the iterations
// from commuting.
func (l *loop) load(in *ssa.UnOp) bool {
	if in.Op == token.MUL && !l.isMade(in.X) {
		l.cells.reads = append(l.cells.reads, in.X)
	}
	return in.Op != token.ARROW
}

// isMade reports whether an address is that of a variable that the iteration has made.
func (l *loop) isMade(addr ssa.Value) bool {
	switch v := base(addr).(type) {
	case *ssa.Alloc:
		return l.contains(v)
	case *ssa.MakeSlice:
		return l.contains(v)
	}
	return false
}

// store reports whether a store does nothing that prevents the iterations from commuting, as
// far as the other uses of memory do not.
func (l *loop) store(in *ssa.Store) bool {
	if l.isMade(in.Addr) {
		return true
	}
	switch addr := in.Addr.(type) {
	case *ssa.FieldAddr, *ssa.Global, *ssa.FreeVar:
	case *ssa.Alloc:
		if l.contains(addr) {
			return false
		}
	default:
		return false
	}
	if !l.invariant(in.Val) || isAggregate(in.Val.Type()) {
		return false
	}
	l.cells.writes = append(l.cells.writes, cellWrite{in.Addr, assignment, in.Val})
	return true
}

// addsInMemory notes a store that adds something to what a variable in memory has been before.
func (l *loop) addsInMemory(store *ssa.Store) {
	if l.isMade(store.Addr) {
		return
	}
	var load *ssa.UnOp
	loads := func(v ssa.Value) bool {
		in, ok := v.(*ssa.UnOp)
		if ok && in.Op == token.MUL && l.same(in.X, store.Addr) && in.Block() == store.Block() && only(in) {
			load = in
			return true
		}
		return false
	}
	var f family
	switch v := store.Val.(type) {
	case *ssa.BinOp:
		if !only(v) {
			return
		}
		switch store.Addr.(type) {
		case *ssa.FieldAddr, *ssa.Global, *ssa.FreeVar, *ssa.Alloc:
			f = familyOf(v, loads)
		}
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		variable, local := store.Addr.(*ssa.Alloc)
		if ok && only(v) && b.Name() == "append" && loads(v.Call.Args[0]) && local && l.addsAlike(v) && l.sortedNext(variable) {
			f = list
			l.added[v] = true
		}
	}
	if f == noFamily {
		return
	}
	instrs := store.Block().Instrs
	from, to := slices.Index(instrs, ssa.Instruction(load)), slices.Index(instrs, ssa.Instruction(store))
	for _, in := range instrs[from+1 : to] {
		if other, ok := in.(*ssa.Store); ok && !l.isMade(other.Addr) {
			return
		}
	}
	l.added[load], l.added[store] = true, true
	l.cells.writes = append(l.cells.writes, cellWrite{addr: store.Addr, family: f})
}

// only reports whether v is an operand of one instruction.
func only(v ssa.Value) bool { return len(*v.Referrers()) == 1 }

// commute reports whether the iterations commute as far as variables in memory are concerned.
func (c *cellUses) commute(l *loop) bool {
	if len(c.writes) > 0 && c.calls {
		return false
	}
	for i := range c.writes {
		w := &c.writes[i]
		if slices.ContainsFunc(c.reads, func(addr ssa.Value) bool { return mayAlias(w.addr, addr) }) {
			return false
		}
		for k := range c.writes[:i] {
			o := &c.writes[k]
			if mayAlias(w.addr, o.addr) && (w.family != o.family || w.family == assignment && !l.same(w.value, o.value)) {
				return false
			}
		}
	}
	return true
}

// mayAlias reports whether memory at an address that is written may be read at another one. The
// first is that of a variable or a field.
func mayAlias(written, other ssa.Value) bool {
	cell := pointee(other)
	if isAggregate(cell) {
		return true
	}
	switch w := written.(type) {
	case *ssa.FieldAddr:
		if o, ok := other.(*ssa.FieldAddr); ok {
			return o.Field == w.Field && types.IdenticalIgnoreTags(pointee(o.X).Underlying(), pointee(w.X).Underlying())
		}
	}
	switch other.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
		// It is a variable, and so is what is written, or that is a field.
		return other == written
	case *ssa.FieldAddr:
		return false
	case *ssa.IndexAddr:
		return false
	}
	return types.IdenticalIgnoreTags(cell.Underlying(), pointee(written).Underlying())
}

// pointee returns the type of what a pointer points to.
func pointee(p ssa.Value) types.Type { return p.Type().Underlying().(*types.Pointer).Elem() }

// isAggregate reports whether a type has parts that have addresses of their own.
func isAggregate(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}
