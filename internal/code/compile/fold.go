package compile

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/ssaform"
)

// foldable reports whether v can be left to its uses. What follows it in its block is
// after.
func (c *classifier) foldable(v ssa.Value, after []ssa.Instruction) bool {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return c.foldableAddr(v, v.X)
	case *ssa.IndexAddr:
		if _, ok := constElement(v); ok {
			return c.foldableAddr(v, v.X)
		}
		return c.foldableElement(v)
	case *ssa.BinOp:
		return fusible(v) && onlyIf(v)
	case *ssa.UnOp:
		switch v.Op {
		case token.NOT:
			return onlyIf(v)
		case token.MUL:
			return c.foldableLoad(v, after)
		}
	}
	return false
}

// foldableAddr reports whether an address at a constant offset from base can be left to
// the loads and stores that use it. When base can be nil, they have to be in the same
// block, so that the panic occurs at about the same place (gc too evaluates the right
// side of an assignment first).
func (c *classifier) foldableAddr(addr, base ssa.Value) bool {
	if len(*addr.Referrers()) == 0 {
		return false
	}
	return onlyAccessed(addr, addr.(ssa.Instruction).Block(), c.notNil(base))
}

// onlyAccessed reports whether addr is only loaded from and stored to, itself or
// at constant offsets, and unless anywhere is set, only in block b.
func onlyAccessed(addr ssa.Value, b *ssa.BasicBlock, anywhere bool) bool {
	for _, ref := range *addr.Referrers() {
		if !anywhere && ref.Block() != b {
			return false
		}
		switch ref := ref.(type) {
		case *ssa.UnOp:
		case *ssa.Store:
			if ref.Val == addr {
				return false
			}
		case *ssa.FieldAddr:
			// Its own address may be needed: then it is computed from the base of
			// addr, at no extra cost.
			if !anywhere && !onlyAccessed(ref, b, false) {
				return false
			}
		case *ssa.IndexAddr:
			if _, ok := constElement(ref); !ok || !anywhere && !onlyAccessed(ref, b, false) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// foldableElement reports whether the address of an element of one word can be left to
// the one or two loads and stores that use it.
func (c *classifier) foldableElement(addr *ssa.IndexAddr) bool {
	refs := *addr.Referrers()
	if len(refs) == 0 || len(refs) > 2 || c.words(elem(addr.Type())) != 1 {
		return false
	}
	for _, ref := range refs {
		if ref.Block() != addr.Block() {
			return false
		}
		switch ref := ref.(type) {
		case *ssa.UnOp:
		case *ssa.Store:
			if ref.Val == addr {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// fusible reports whether comparison v can be part of a conditional jump.
func fusible(v *ssa.BinOp) bool {
	switch v.Op {
	case token.EQL, token.NEQ:
		if ssaform.IsNil(v.X) || ssaform.IsNil(v.Y) {
			return true
		}
		k := code.KindOf(v.X.Type())
		return k.Integer() || k == code.Bool && (isConst(v.X) || isConst(v.Y))
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		return code.KindOf(v.X.Type()).Integer()
	}
	return false
}

// onlyIf reports whether v, or its negation, is only the condition at the end of
// its own block.
func onlyIf(v ssa.Value) bool {
	refs := *v.Referrers()
	if len(refs) != 1 || refs[0].Block() != v.(ssa.Instruction).Block() {
		return false
	}
	switch ref := refs[0].(type) {
	case *ssa.If:
		return true
	case *ssa.UnOp:
		return ref.Op == token.NOT && onlyIf(ref)
	}
	return false
}

// foldableLoad reports whether a value of several words is loaded only to be stored
// elsewhere at once, so that one instruction copies it.
func (c *classifier) foldableLoad(load *ssa.UnOp, after []ssa.Instruction) bool {
	refs := *load.Referrers()
	if len(refs) != 1 || refs[0].Block() != load.Block() || c.words(load.Type()) < 2 {
		return false
	}
	store, ok := refs[0].(*ssa.Store)
	if !ok || store.Val != load || c.inFoldedAppend(store) {
		return false
	}
	for _, instr := range after {
		switch v := instr.(type) {
		case *ssa.Store:
			return v == store
		case *ssa.FieldAddr, *ssa.IndexAddr:
		default:
			return false
		}
	}
	return false
}

// foldAppend recognises in call an append of single elements. For append(s, x, y),
// package go/ssa makes an array, slices it and appends the slice; AppendN takes the
// elements instead.
func (c *classifier) foldAppend(call *ssa.Call) {
	builtin, ok := call.Call.Value.(*ssa.Builtin)
	if !ok || builtin.Name() != "append" || len(call.Call.Args) != 2 {
		return
	}
	slice, ok := call.Call.Args[1].(*ssa.Slice)
	if !ok || slice.Block() != call.Block() || len(*slice.Referrers()) != 1 || slice.Low != nil || slice.High != nil || slice.Max != nil {
		return
	}
	alloc, ok := slice.X.(*ssa.Alloc)
	if !ok || alloc.Block() != call.Block() || alloc.Comment != "varargs" {
		return
	}
	t := c.prog.Type(elem(alloc.Type()))
	if t.Words > maxVariable || t.Len == 0 {
		return
	}
	elems := make([]ssa.Value, t.Len)
	var gone []ssa.Value
	for _, ref := range *alloc.Referrers() {
		if ref == slice {
			continue
		}
		addr, ok := ref.(*ssa.IndexAddr)
		if !ok || len(*addr.Referrers()) != 1 {
			return
		}
		i, ok := constElement(addr)
		store, isStore := (*addr.Referrers())[0].(*ssa.Store)
		if !ok || !isStore || store.Addr != addr || store.Block() != call.Block() || elems[i] != nil {
			return
		}
		elems[i] = store.Val
		gone = append(gone, addr)
	}
	if slices.Contains(elems, nil) {
		return
	}
	for _, addr := range gone {
		c.of[addr] = &value{role: dead}
	}
	c.of[alloc] = &value{role: dead}
	c.of[slice] = &value{role: folded}
	c.appends[slice] = elems
}
