package initial

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
)

// excluded says why no run has goroutines at all places of a context at once. It is empty if
// nothing is known that would exclude that.
func excluded(g *callgraph.Graph, c *fragment.Context) string {
	for i := range c.Stacks {
		for j := range i {
			if v := bothHold(c, j, i); v != nil {
				return fmt.Sprintf("goroutines cannot be at both: both would hold %s", v.Name())
			}
			if n := onlyIn(g, c.Stacks[i]); n != nil && n == onlyIn(g, c.Stacks[j]) {
				return fmt.Sprintf("there is one goroutine that comes to both, that of %s", n.Func)
			}
		}
	}
	return ""
}

// bothHold returns a package variable that is or has a lock which two goroutines hold for sure, at
// most one of which can; nil if there is none.
func bothHold(c *fragment.Context, i, j int) *ssa.Global {
	if c.Locks == nil {
		return nil
	}
	for _, l := range c.Locks[i] {
		for _, k := range c.Locks[j] {
			g, ok := l.Root.(*ssa.Global)
			if ok && k.Root == l.Root && l.Least > 0 && k.Least > 0 && !(l.Read && k.Read) && slices.Equal(l.Fields, k.Fields) {
				return g
			}
		}
	}
	return nil
}

// onlyIn returns the outermost function of a stack if one goroutine only begins with it, and
// nothing else calls it: main, a test, or what one of them starts a goroutine with, outside of
// loops. Otherwise it returns nil. A function that only tests call, and only one of them at a time,
// is none: what users want to know of it is what happens if others call it.
func onlyIn(g *callgraph.Graph, stack []ssa.Instruction) *callgraph.Node {
	n := g.Of(stack[len(stack)-1].Parent())
	if n == nil || beginsOnce(g, n) && !calledByName(n) {
		return n
	}
	start := onlyStart(n.Func)
	if start == nil || control.Leads(start.Block(), start.Block()) {
		return nil
	}
	if by := g.Of(start.Parent()); by == nil || !beginsOnce(g, by) || calledByName(by) {
		return nil
	}
	return n
}

// onlyStart returns the go statement that starts a function literal, if that is all that is done
// with it, nil otherwise.
func onlyStart(fn *ssa.Function) *ssa.Go {
	if fn == nil || fn.Parent() == nil {
		return nil
	}
	var found *ssa.Go
	uses := 0
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			for _, op := range instr.Operands(nil) {
				closure, ok := (*op).(*ssa.MakeClosure)
				if *op != fn && !(ok && closure.Fn == fn) {
					continue
				}
				if closure, ok := instr.(*ssa.MakeClosure); ok && closure.Fn == fn {
					continue // it is the uses of that which count
				}
				uses++
				found, _ = instr.(*ssa.Go)
			}
		}
	}
	if uses != 1 {
		return nil
	}
	return found
}

// beginsOnce reports whether a function is main or a test, with which one goroutine begins.
func beginsOnce(g *callgraph.Graph, n *callgraph.Node) bool {
	for _, given := range g.Given() {
		if given == n {
			return true
		}
	}
	return n.Func != nil && n.Func.Parent() == nil && n.Func.Signature.Recv() == nil &&
		n.Func.Name() == "main" && n.Func.Pkg != nil && n.Func.Pkg.Pkg.Name() == "main"
}

// named reports whether a site is one of the program that names what it calls.
func named(s *callgraph.Site) bool { return s.Mode != callgraph.Outside && s.Static() }

// calledByName reports whether the program calls a function itself.
func calledByName(n *callgraph.Node) bool {
	for _, s := range n.Callers() {
		if named(s) {
			return true
		}
	}
	return false
}
