package closing

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// fieldOf returns the parameter of a function, a pointer, from which a channel is loaded, or the
// captured variable that has the pointer, and the address of the field in which the channel is; nil
// if it is no such channel.
func fieldOf(channel ssa.Value, fn *ssa.Function) (ssa.Value, *ssa.FieldAddr) {
	load, ok := unchanged(channel).(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil, nil
	}
	addr, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return nil, nil
	}
	if of, ok := settled(addr.X).(*ssa.Parameter); ok && of.Parent() == fn {
		return of, addr
	}
	if from, ok := unchanged(addr.X).(*ssa.UnOp); ok && from.Op == token.MUL {
		if free, ok := from.X.(*ssa.FreeVar); ok && free.Parent() == fn {
			return free, addr
		}
	}
	return nil, nil
}

// isOwn reports whether each execution of a function has, in the parameter or captured variable of,
// a struct that no other execution has, and in the field at addr a channel that is in no other
// struct, and which nothing but cl closes. So whoever starts the function gives it a struct that
// was made since the function was started there before.
func (c *Closes) isOwn(cl ssa.CallInstruction, of ssa.Value, addr *ssa.FieldAddr) bool {
	starts := c.starts(of.Parent())
	var origins []origin
	for _, s := range starts {
		given := givenBy(s, of)
		if given == nil {
			return false
		}
		o := originOf(given)
		if o.alloc == nil || o.by.Parent() != s.Parent() || control.LeadsAround(s.Block(), s.Block(), o.by.Block()) {
			return false
		}
		if slices.ContainsFunc(origins, func(other origin) bool {
			return o.by == other.by || o.alloc == other.alloc && (o.isAlloc() || other.isAlloc())
		}) {
			return false
		}
		origins = append(origins, o)
		store := c.storeIn(o.alloc, addr)
		if store == nil || !c.only(cl, unchanged(store.Val).(*ssa.MakeChan)) {
			return false
		}
		for _, end := range o.ends(s) {
			if !ssaform.Dominates(store, end) {
				return false
			}
		}
	}
	return len(starts) > 0
}

// givenBy returns what a parameter of a function is, or what is in a captured variable of it that
// is set once, when a call of the function starts it; nil if that is not known.
func givenBy(s ssa.CallInstruction, of ssa.Value) ssa.Value {
	if free, ok := of.(*ssa.FreeVar); ok {
		value, ok := reaching.Settled(free)
		if !ok {
			return nil
		}
		return value
	}
	i := slices.Index(of.Parent().Params, of.(*ssa.Parameter))
	if s.Common().IsInvoke() || i >= len(s.Common().Args) {
		return nil
	}
	return s.Common().Args[i]
}

// An origin is an instruction that gives a new struct whenever it is executed: the allocation, or a
// call of a function that returns what it has allocated.
type origin struct {
	by     ssa.Instruction
	alloc  *ssa.Alloc
	result int // which one of the function it is, if by is a call
}

func (o origin) isAlloc() bool { return o.by == ssa.Instruction(o.alloc) }

// originOf returns the origin of a struct; it has no allocation if that is not known.
func originOf(v ssa.Value) origin {
	v, result := settled(v), 0
	if e, ok := v.(*ssa.Extract); ok {
		v, result = e.Tuple, e.Index
	}
	switch v := v.(type) {
	case *ssa.Alloc:
		return origin{by: v, alloc: v}
	case *ssa.Call:
		return origin{v, returned(v.Call.StaticCallee(), result), result}
	}
	return origin{}
}

// returned returns the allocation of which a function returns the address, or nil, as one of its
// results; nil if there is no such allocation.
func returned(fn *ssa.Function, result int) (alloc *ssa.Alloc) {
	if fn == nil || fn.Recover != nil {
		return nil
	}
	for _, ret := range returnsOf(fn) {
		switch v := settled(ret.Results[result]).(type) {
		case *ssa.Const:
		case *ssa.Alloc:
			if alloc != nil && alloc != v {
				return nil
			}
			alloc = v
		default:
			return nil
		}
	}
	return alloc
}

// ends returns the instructions before which the struct has to be complete that s starts a function with.
func (o origin) ends(s ssa.CallInstruction) (list []ssa.Instruction) {
	if o.isAlloc() {
		return []ssa.Instruction{s}
	}
	for _, ret := range returnsOf(o.alloc.Parent()) {
		if !ssaform.IsNil(settled(ret.Results[o.result])) {
			list = append(list, ret)
		}
	}
	return list
}

func returnsOf(fn *ssa.Function) (list []*ssa.Return) {
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			list = append(list, ret)
		}
	}
	return list
}

// storeIn returns the instruction that stores a new channel, which is stored nowhere else, in the
// field of an allocated struct; nil if there is none, or if another one may store something there.
func (c *Closes) storeIn(alloc *ssa.Alloc, field *ssa.FieldAddr) *ssa.Store {
	strct := alloc.Type().Underlying().(*types.Pointer).Elem().Underlying()
	if !types.Identical(alloc.Type(), field.X.Type()) {
		return nil
	}
	var store *ssa.Store
	for _, s := range c.stores {
		if addr, ok := s.Addr.(*ssa.FieldAddr); ok && settled(addr.X) == ssa.Value(alloc) && addr.Field == field.Field {
			if store != nil {
				return nil
			}
			store = s
		}
	}
	if store == nil || store.Parent() != alloc.Parent() {
		return nil
	}
	made, ok := unchanged(store.Val).(*ssa.MakeChan)
	if !ok || made.Parent() != store.Parent() || !usedBy(made, store) || control.LeadsAround(store.Block(), store.Block(), made.Block()) {
		return nil
	}
	at := c.pointers.Pointees(store.Addr)
	for _, s := range c.stores {
		if s == store {
			continue
		}
		if _, ok := s.Val.Type().Underlying().(*types.Chan); !ok {
			if types.IdenticalIgnoreTags(s.Val.Type().Underlying(), strct) {
				return nil // such a struct is copied, perhaps to that one
			}
		} else if c.pointers.Pointees(s.Addr).May(at) {
			return nil
		}
	}
	return store
}

// usedBy reports whether nothing is done with a value but that one instruction uses it, perhaps with another type.
func usedBy(v ssa.Value, only ssa.Instruction) bool {
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.ChangeType:
			if !usedBy(ref, only) {
				return false
			}
		default:
			if ref != only {
				return false
			}
		}
	}
	return true
}

// unchanged returns a value before conversions that change its type alone.
func unchanged(v ssa.Value) ssa.Value {
	for {
		c, ok := v.(*ssa.ChangeType)
		if !ok {
			return v
		}
		v = c.X
	}
}

// settled returns what a value is, if it is loaded from variables that are set once.
func settled(v ssa.Value) ssa.Value {
	for {
		v = unchanged(v)
		load, ok := v.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			return v
		}
		value, ok := reaching.Settled(load.X)
		if !ok {
			return v
		}
		v = value
	}
}
