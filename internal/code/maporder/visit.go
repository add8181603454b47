package maporder

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Visit is the call that a loop consists of that leaves its entries to a function that it was given, as in
// the functions of package maps that return iterators.
type Visit struct {
	Func *ssa.Parameter // the function
	Key  int            // the argument that is the key, -1 if there is none
}

// VisitOf returns the call that a loop consists of: its iterations do nothing else, and go on if what is called
// returns true. If ok is false the loop is another one.
func VisitOf(over *ssa.Range, bodies Bodies) (visit Visit, ok bool) {
	l := newLoop(over, bodies)
	if l == nil {
		return Visit{}, false
	}
	var call *ssa.Call
	for _, b := range l.blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Call:
				if call != nil {
					return Visit{}, false
				}
				call = in
			case *ssa.Phi:
				if b == l.head {
					return Visit{}, false
				}
			case *ssa.UnOp:
				if in.Op == token.MUL || in.Op == token.ARROW {
					return Visit{}, false
				}
			default:
				if !computes(in) {
					return Visit{}, false
				}
			}
		}
	}
	if call == nil || call.Call.IsInvoke() {
		return Visit{}, false
	}
	fn, ok := call.Call.Value.(*ssa.Parameter)
	if !ok || !l.leavesOnlyIfFalse(call) {
		return Visit{}, false
	}
	return Visit{fn, slices.IndexFunc(call.Call.Args, l.own)}, true
}

// leavesOnlyIfFalse reports whether all exits of the loop are taken only if a call returns false.
func (l *loop) leavesOnlyIfFalse(call *ssa.Call) bool {
	for _, e := range l.exits {
		branch, ok := e.from.Instrs[len(e.from.Instrs)-1].(*ssa.If)
		if !ok || e.from.Succs[0] == e.from.Succs[1] {
			return false
		}
		cond, leaves := branch.Cond, e.from.Succs[1]
		if not, ok := cond.(*ssa.UnOp); ok && not.Op == token.NOT {
			cond, leaves = not.X, e.from.Succs[0]
		}
		if cond != call || e.to != leaves {
			return false
		}
	}
	return true
}

// Commutes reports whether calls of a function commute that are made with the entries of a map, one for each,
// of which argument key is the key, and whether all of them return true if they return anything. The map is of
// type over, and there may be floating-point numbers in its keys if floats is set and the type has them. What is
// asked of the iterations of a loop in [Of] is asked of the calls.
func Commutes(fn *ssa.Function, key int, over *types.Map, floats bool, bodies Bodies) bool {
	body, err := bodies(fn)
	if err != nil || body == nil || len(body.Blocks) == 0 || body.Recover != nil || key >= len(body.Params) {
		return false
	}
	l := &loop{
		called: true, overType: over, floats: floats && hasFloat(over.Key()), bodies: bodies, head: body.Blocks[0], blocks: body.Blocks,
		within:  make(map[*ssa.BasicBlock]bool),
		carried: make(map[ssa.Value]bool), added: make(map[ssa.Instruction]bool),
	}
	if key >= 0 {
		l.key = body.Params[key]
	}
	for _, b := range body.Blocks {
		l.within[b] = true
	}
	for _, v := range body.FreeVars {
		l.addGuard(v)
	}
	for _, b := range body.Blocks {
		switch in := b.Instrs[len(b.Instrs)-1].(type) {
		case *ssa.Return:
			if slices.ContainsFunc(in.Results, func(v ssa.Value) bool { return !isTrue(v) }) {
				return false
			}
			l.added[in] = true
		case *ssa.Panic:
			l.added[in] = true
		}
	}
	return l.commutes() && !l.closes
}

func isTrue(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Bool && constant.BoolVal(c.Value)
}

// addGuard takes a captured variable for a guard if it is one: its uses do not matter if each call
// panics, before it does anything else, unless the variable is a constant, and has set it to that
// again when it returns, as the body of a loop over a function does to find out whether it is
// called too late. Whether the variable is that constant when the first call is made is not known:
// if it is not, that call panics, in every order.
func (l *loop) addGuard(v *ssa.FreeVar) {
	var ready *ssa.Const
	var uses []ssa.Instruction
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if ref.Block() != l.head || slices.ContainsFunc(l.head.Instrs[:slices.Index(l.head.Instrs, ssa.Instruction(ref))], mayWrite) {
				return
			}
			for _, use := range *ref.Referrers() {
				c := panicsUnless(use)
				if c == nil || ready != nil && !l.same(ready, c) {
					return
				}
				ready = c
			}
			uses = append(uses, ref)
		case *ssa.Store:
			if _, ok := ref.Val.(*ssa.Const); !ok || ref.Addr != v {
				return
			}
			uses = append(uses, ref)
		default:
			return
		}
	}
	if ready == nil {
		return
	}
	for _, b := range l.blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); !ok {
			continue
		}
		var last *ssa.Store
		for _, in := range b.Instrs {
			if store, ok := in.(*ssa.Store); ok && store.Addr == v {
				last = store
			}
		}
		if last == nil || !l.same(last.Val, ready) {
			return
		}
	}
	for _, in := range uses {
		l.added[in] = true
	}
}

// panicsUnless returns the constant with which an instruction compares its operand, if there is a panic unless they
// are equal, and nil otherwise.
func panicsUnless(use ssa.Instruction) *ssa.Const {
	cmp, ok := use.(*ssa.BinOp)
	if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ || !only(cmp) {
		return nil
	}
	c, ok := cmp.Y.(*ssa.Const)
	branch, isBranch := (*cmp.Referrers())[0].(*ssa.If)
	if !ok || !isBranch {
		return nil
	}
	differs := branch.Block().Succs[0]
	if cmp.Op == token.EQL {
		differs = branch.Block().Succs[1]
	}
	if _, ok := differs.Instrs[len(differs.Instrs)-1].(*ssa.Panic); !ok {
		return nil
	}
	return c
}

// mayWrite reports whether an instruction may write to a variable that is captured.
func mayWrite(in ssa.Instruction) bool {
	switch in.(type) {
	case *ssa.Store, *ssa.Call:
		return true
	}
	return false
}
