package closing

import (
	"go/token"
	"go/types"
	"iter"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
)

// A Guarded is a channel in a field of a struct, which is open as long as a sync.Once in another
// field of the same struct has not been done.
type Guarded struct {
	Struct        types.Type
	Once, Channel int // fields
}

// Guarded returns the channels that only the function closes which a sync.Once in the same struct
// calls, as in once.Do(func() { close(w.stop) }). None of the goroutines whose frames are at
// instructions may be in between: it has closed the channel, and the sync.Once does not know yet
// that it is done.
func (c *Closes) Guarded(stacks [][]ssa.Instruction) (list []Guarded) {
	for _, cl := range c.closes {
		g, ok := c.guarded(cl)
		if ok && !c.isBetween(cl, stacks) {
			list = append(list, g)
		}
	}
	return list
}

// isBetween reports whether a goroutine may have executed an instruction that a sync.Once makes it
// execute, and not have left that.
func (c *Closes) isBetween(cl ssa.CallInstruction, stacks [][]ssa.Instruction) bool {
	called := c.calledAfter(cl)
	for _, stack := range stacks {
		if called[c.graph.Of(stack[len(stack)-1].Parent())] {
			return true // by a caller that is not in the stack
		}
		for _, at := range stack {
			if strings.HasPrefix(at.Parent().String(), "(*sync.Once).") || at.Parent() == cl.Parent() && control.MayHaveRun(cl, at) {
				return true
			}
		}
	}
	return false
}

// calledAfter returns the functions that may be called, directly or not, in the goroutine that has
// executed an instruction, before it leaves the function.
func (c *Closes) calledAfter(cl ssa.CallInstruction) map[*callgraph.Node]bool {
	is := make(map[*callgraph.Node]bool)
	var work []*callgraph.Node
	add := func(s *callgraph.Site) {
		if s.Mode == callgraph.Go {
			return
		}
		for _, n := range s.Callees() {
			if !is[n] {
				is[n] = true
				work = append(work, n)
			}
		}
	}
	_, deferred := cl.(*ssa.Defer)
	if n := c.graph.Of(cl.Parent()); n != nil {
		for _, s := range n.Sites {
			if s.Instr == nil || s.Mode == callgraph.Defer || !deferred && control.Precedes(cl, s.Instr) {
				add(s)
			}
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range n.Sites {
			add(s)
		}
	}
	return is
}

// guarded returns the channel that an instruction closes, if it is one that is Guarded.
func (c *Closes) guarded(cl ssa.CallInstruction) (g Guarded, ok bool) {
	load, isLoad := unchanged(cl.Common().Args[0]).(*ssa.UnOp)
	if !isLoad || load.Op != token.MUL {
		return g, false
	}
	channel, isField := load.X.(*ssa.FieldAddr)
	do := doOf(cl.Parent())
	if !isField || do == nil {
		return g, false
	}
	once, isField := do.Args[0].(*ssa.FieldAddr)
	if !isField || settled(once.X) != settled(channel.X) {
		return g, false
	}
	g = Guarded{channel.X.Type().Underlying().(*types.Pointer).Elem(), once.Field, channel.Field}
	return g, c.isOwnOfAll(cl, channel) && c.isLeft(once)
}

// doOf returns the call of (*sync.Once).Do that is all that is done with a function literal; nil if there is none.
func doOf(fn *ssa.Function) *ssa.CallCommon {
	if fn.Parent() == nil {
		return nil
	}
	var do *ssa.CallCommon
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			closure, ok := instr.(*ssa.MakeClosure)
			if !ok || closure.Fn != ssa.Value(fn) {
				continue
			}
			for _, ref := range *closure.Referrers() {
				call, isCall := ref.(ssa.CallInstruction)
				if _, debug := ref.(*ssa.DebugRef); debug {
					continue
				}
				if !isCall || do != nil || call.Common().StaticCallee() == nil || call.Common().StaticCallee().String() != "(*sync.Once).Do" {
					return nil
				}
				do = call.Common()
			}
		}
	}
	return do
}

// isOwnOfAll reports whether all that is ever in a field of a struct is a channel that has been
// made for it, and which only one instruction closes. No such struct is copied then, as far as
// storeIn says.
func (c *Closes) isOwnOfAll(cl ssa.CallInstruction, field *ssa.FieldAddr) bool {
	for use := range c.addressesOf(field) {
		for _, ref := range *use.Referrers() {
			switch ref := ref.(type) {
			case *ssa.DebugRef, *ssa.UnOp:
			case *ssa.Store:
				alloc, ok := settled(use.X).(*ssa.Alloc)
				if !ok || ref.Addr != ssa.Value(use) || c.storeIn(alloc, use) != ref || !c.only(cl, unchanged(ref.Val).(*ssa.MakeChan)) {
					return false
				}
			default:
				return false // a pointer to it
			}
		}
	}
	return true
}

// isLeft reports whether all that is done with a sync.Once in a field of a struct is that functions are given to it.
func (c *Closes) isLeft(field *ssa.FieldAddr) bool {
	for use := range c.addressesOf(field) {
		for _, ref := range *use.Referrers() {
			if _, debug := ref.(*ssa.DebugRef); debug {
				continue
			}
			call, ok := ref.(ssa.CallInstruction)
			if !ok || call.Common().StaticCallee() == nil || call.Common().StaticCallee().String() != "(*sync.Once).Do" || call.Common().Args[0] != ssa.Value(use) {
				return false
			}
		}
	}
	return true
}

// addressesOf yields the instructions that have the address of the same field, also of a struct with another name.
func (c *Closes) addressesOf(field *ssa.FieldAddr) iter.Seq[*ssa.FieldAddr] {
	structOf := func(at *ssa.FieldAddr) types.Type {
		return at.X.Type().Underlying().(*types.Pointer).Elem().Underlying()
	}
	return func(yield func(*ssa.FieldAddr) bool) {
		for _, at := range c.fields {
			if at.Field == field.Field && types.IdenticalIgnoreTags(structOf(at), structOf(field)) && !yield(at) {
				return
			}
		}
	}
}
