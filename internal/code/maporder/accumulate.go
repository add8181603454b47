package maporder

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
)

// A family is a set of operations such that any number of them, applied one after another,
// give the same in every order.
type family uint8

const (
	noFamily family = iota
	sum
	product
	and
	or
	xor
	minimum
	maximum
	assignment // of a value that is the same in all iterations
	list       // appending to a slice, or filling one, that is sorted later
)

// familyOf returns the family of v as an operation on the value that one of its operands has,
// noFamily if there is none.
func familyOf(v *ssa.BinOp, on func(ssa.Value) bool) family {
	if !ssaform.IsInteger(v.Type()) {
		return noFamily
	}
	first := on(v.X)
	if first == on(v.Y) {
		return noFamily
	}
	switch v.Op {
	case token.SUB:
		if first {
			return sum
		}
	case token.AND_NOT:
		if first {
			return and
		}
	case token.ADD:
		return sum
	case token.MUL:
		return product
	case token.AND:
		return and
	case token.OR:
		return or
	case token.XOR:
		return xor
	}
	return noFamily
}

// isOrdered reports whether values of type t are ordered, and equal values are the same.
func isOrdered(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsString) != 0
}

// An accumulation is what the iterations do to a variable in registers.
type accumulation struct {
	*loop
	phi    *ssa.Phi // the variable at the beginning of an iteration
	family family
	value  ssa.Value // family assignment: what is assigned
	values []ssa.Value
	fills  []*ssa.IndexAddr // the slots of a slice that are filled at the index that the variable is
	steps  []*ssa.BinOp
	// choices are where the greater of the variable and another value, or the smaller one,
	// becomes its value.
	choices map[choice]bool
}

// A choice is a value that a phi has if its block is entered from another one.
type choice struct {
	phi  *ssa.Phi
	from *ssa.BasicBlock
}

// accumulates reports whether the variable that phi is at the beginning of an iteration is only
// used to add something to it, so that the order does not matter.
func (l *loop) accumulates(phi *ssa.Phi) bool {
	a := accumulation{loop: l, phi: phi, choices: make(map[choice]bool)}
	a.carry(phi)
	for i := 0; i < len(a.values); i++ {
		if !a.follow(a.values[i]) {
			return false
		}
	}
	for _, v := range a.values {
		if phi, ok := v.(*ssa.Phi); ok && !a.merges(phi) {
			return false
		}
	}
	if len(a.fills) > 0 && !a.isIndex() {
		return false
	}
	if a.family == list {
		return l.sortedNext(phi) || l.returns(phi)
	}
	return true
}

// carry notes that v depends on the variable.
func (a *accumulation) carry(v ssa.Value) {
	if !a.carried[v] {
		a.carried[v] = true
		a.values = append(a.values, v)
	}
}

// is reports whether all operations on the variable can be of a family.
func (a *accumulation) is(f family) bool {
	if a.family == noFamily {
		a.family = f
	}
	return f != noFamily && a.family == f
}

// follow looks at all uses of a value in the loop.
func (a *accumulation) follow(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		if !a.contains(ref) {
			if v != a.phi {
				return false
			}
			continue
		}
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Phi:
			if ref.Block() == a.head && ref != a.phi {
				return false
			}
			a.carry(ref)
		case *ssa.BinOp:
			if a.chooses(ref, v) {
				continue
			}
			f := familyOf(ref, func(x ssa.Value) bool { return a.carried[x] })
			if !a.is(f) {
				return false
			}
			a.steps = append(a.steps, ref)
			a.carry(ref)
		case *ssa.Call:
			if !a.builtin(ref, v) {
				return false
			}
			a.carry(ref)
		case *ssa.IndexAddr:
			if !a.fill(ref, v) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// builtin looks at the call of a built-in function with the variable as an argument.
func (a *accumulation) builtin(call *ssa.Call, v ssa.Value) bool {
	b, ok := call.Call.Value.(*ssa.Builtin)
	if !ok {
		return false
	}
	args := call.Call.Args
	switch b.Name() {
	case "append":
		if args[0] != v || a.carried[args[1]] || !a.addsAlike(call) || !a.is(list) {
			return false
		}
	case "min", "max":
		f := minimum
		if b.Name() == "max" {
			f = maximum
		}
		others := slices.DeleteFunc(slices.Clone(args), func(x ssa.Value) bool { return x == v })
		if len(others) != len(args)-1 || slices.ContainsFunc(others, func(x ssa.Value) bool { return a.carried[x] }) ||
			!isOrdered(call.Type()) || !a.is(f) {
			return false
		}
	default:
		return false
	}
	a.added[call] = true
	return true
}

// chooses reports whether cmp compares the variable v with another value, and makes that the
// new value of the variable if it is greater, or if it is smaller.
func (a *accumulation) chooses(cmp *ssa.BinOp, v ssa.Value) bool {
	var other ssa.Value
	greater := false // the comparison holds if the other value is greater
	switch cmp.Op {
	case token.GTR, token.GEQ:
		greater = true
	case token.LSS, token.LEQ:
	default:
		return false
	}
	switch {
	case cmp.X == v:
		other, greater = cmp.Y, !greater
	default:
		other = cmp.X
	}
	refs := *cmp.Referrers()
	if other == v || a.carried[other] || !isOrdered(v.Type()) || len(refs) != 1 {
		return false
	}
	branch, ok := refs[0].(*ssa.If)
	if !ok || !a.contains(branch) {
		return false
	}
	from := branch.Block()
	then, join := from.Succs[0], from.Succs[1]
	if !assigns(then, from, join) {
		if then, join = join, then; !assigns(then, from, join) {
			return false
		}
		greater = !greater
	}
	f := minimum
	if greater {
		f = maximum
	}
	if !a.is(f) {
		return false
	}
	for _, in := range then.Instrs {
		if v, ok := in.(ssa.Value); ok && len(*v.Referrers()) == 0 {
			return false // it may panic, in some orders
		}
		switch in := in.(type) {
		case *ssa.Jump, *ssa.DebugRef, *ssa.Field, *ssa.FieldAddr, *ssa.Extract:
		case *ssa.UnOp:
			if in.Op != token.MUL {
				return false
			}
		case *ssa.Call:
			if b, ok := in.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" {
				return false
			}
		default:
			return false
		}
	}
	for _, in := range join.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		x, y := incoming(phi, then), incoming(phi, from)
		if x == y {
			continue
		}
		if y != v || !a.same(x, other) {
			return false
		}
		a.choices[choice{phi, then}] = true
	}
	return true
}

// assigns reports whether then is a block on the way from a branch to where its sides join.
func assigns(then, from, join *ssa.BasicBlock) bool {
	return then != join && len(then.Preds) == 1 && then.Preds[0] == from && len(then.Succs) == 1 && then.Succs[0] == join
}

// incoming returns the value of phi if its block is entered from another one.
func incoming(phi *ssa.Phi, from *ssa.BasicBlock) ssa.Value {
	return phi.Edges[slices.Index(phi.Block().Preds, from)]
}

// merges reports whether all values that phi can have come from the variable.
func (a *accumulation) merges(phi *ssa.Phi) bool {
	for i, v := range phi.Edges {
		from := phi.Block().Preds[i]
		if !a.within[from] || a.carried[v] && a.has(v) || a.choices[choice{phi, from}] {
			continue
		}
		if !a.invariant(v) || !a.is(assignment) || a.value != nil && !a.same(a.value, v) {
			return false
		}
		a.value = v
	}
	return true
}

// has reports whether v depends on this variable.
func (a *accumulation) has(v ssa.Value) bool { return slices.Contains(a.values, v) }

// fill reports whether a slot of a slice is filled at the index that the variable is.
func (a *accumulation) fill(slot *ssa.IndexAddr, v ssa.Value) bool {
	made, ok := slot.X.(*ssa.MakeSlice)
	refs := *slot.Referrers()
	if !ok || a.contains(made) || slot.Index != v || len(refs) != 1 {
		return false
	}
	store, ok := refs[0].(*ssa.Store)
	if !ok || store.Addr != slot || store.Block() != slot.Block() {
		return false
	}
	a.fills = append(a.fills, slot)
	a.added[store] = true
	return true
}

// isIndex reports whether the variable is an index at which a slice is filled: each slot is
// filled once, and then the index is increased by one.
func (a *accumulation) isIndex() bool {
	if len(a.fills) != 1 || len(a.steps) != 1 || a.family != sum {
		return false
	}
	slot, step := a.fills[0], a.steps[0]
	one, ok := step.Y.(*ssa.Const)
	made := slot.X.(*ssa.MakeSlice)
	for _, ref := range *made.Referrers() {
		if a.contains(ref) && ref != slot {
			return false
		}
	}
	return ok && step.Op == token.ADD && step.X == slot.Index && constant.Compare(one.Value, token.EQL, constant.MakeInt64(1)) &&
		step.Block() == slot.Block() && a.sortedNext(made)
}
