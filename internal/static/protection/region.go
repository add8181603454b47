package protection

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/lockset"
)

// Stays reports whether nobody else writes what is at an address from an instruction on until the
// goroutine is where its frames are: innermost first, of which the i-th is in the function of the
// instruction.
func (p *Program) Stays(from ssa.Instruction, addr ssa.Value, stack []ssa.Instruction, i int) bool {
	guards := p.guardsOf(addr)
	if len(guards) == 0 {
		return false
	}
	for _, path := range p.Locks.Must(from) { // a lock held for reading keeps those out that write
		for _, g := range guardsAt([]lockset.Path{path}, addr) {
			if slices.ContainsFunc(guards, g.is) && p.keeps(g, from, stack, i) {
				return true
			}
		}
	}
	return false
}

// keeps reports whether a goroutine does not unlock a guard that it holds at an instruction before
// it is where its frames are.
func (p *Program) keeps(g guard, from ssa.Instruction, stack []ssa.Instruction, i int) bool {
	if p.mayUnlockBetween(g, from, stack[i]) {
		return false
	}
	return !slices.ContainsFunc(stack[:i], func(at ssa.Instruction) bool { return p.mayUnlockBetween(g, nil, at) })
}

// mayUnlockBetween reports whether a goroutine may unlock a guard after it has executed an
// instruction for the last time and before it executes another one of the function. If there is no
// first one, it is the beginning of the function.
func (p *Program) mayUnlockBetween(g guard, from, at ssa.Instruction) bool {
	graph := p.Control(at.Parent())
	if graph == nil {
		return true
	}
	n := graph.At(at)
	if n == nil {
		return true
	}
	seen := make(map[*control.Node]bool)
	var work []*control.Node
	// back goes backwards through a node from before an index. It reports whether something
	// unlocks, or a path does not come from from.
	back := func(n *control.Node, i int) bool {
		for i--; i >= 0; i-- {
			switch instr := n.Instrs[i]; {
			case instr == from:
				return false
			case p.mayUnlock(g, instr):
				return true
			}
		}
		if n == graph.Recover {
			return true
		}
		for _, before := range n.Preds {
			if before == graph.Start && from != nil {
				return true
			}
			if !seen[before] {
				seen[before] = true
				work = append(work, before)
			}
		}
		return false
	}
	if back(n, slices.Index(n.Instrs, at)) {
		return true
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if back(n, len(n.Instrs)) {
			return true
		}
	}
	return false
}

// mayUnlock reports whether an instruction may unlock a guard, if only for a while.
func (p *Program) mayUnlock(g guard, instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.RunDefers:
		return true
	case *ssa.Call:
		if _, builtin := instr.Call.Value.(*ssa.Builtin); builtin {
			return false
		}
		s := p.Calls.Site(instr)
		return s == nil || slices.ContainsFunc(p.callees(s), func(c *callgraph.Node) bool { return p.mayUnlockIn(g, s, c) })
	}
	return false
}

// mayUnlockIn reports whether a function that a site calls may unlock a guard, if only for a while.
func (p *Program) mayUnlockIn(g guard, s *callgraph.Site, callee *callgraph.Node) bool {
	if unlocks[callee.Name] {
		return p.mayBe(g, s.Instr.Common())
	}
	if p.waits[callee] {
		return true
	}
	labels := p.Locks.Releases(callee)
	return len(labels) > 0 && p.among(g, labels)
}
