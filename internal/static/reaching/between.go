package reaching

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
)

// Between reports whether what the goroutine executes after an instruction has been executed for
// the last time, and before another one of the same function is, may write what is at an address,
// or a part of it. If the first one is nil, it is the start of the function. It says nothing of
// other goroutines.
func (p *Program) Between(from, at ssa.Instruction, addr ssa.Value) bool {
	f := p.function(at.Parent())
	if f == nil {
		return true
	}
	n := f.Graph.At(at)
	if n == nil {
		return true
	}
	s := &search{Function: f, addr: addr, root: Root(addr)}
	seen := make(map[*control.Node]bool)
	var work []*control.Node
	// back goes backwards through a node from before an index. It reports whether there is a write,
	// and else adds what comes before.
	back := func(n *control.Node, i int) bool {
		for i--; i >= 0; i-- {
			d := n.Instrs[i]
			if d == from {
				return false
			}
			if writes(n.Instrs, i) && (s.mayWrite(d) || p.machineWrites(d, addr)) {
				return true
			}
		}
		if s.recovers(n) {
			return true
		}
		for _, before := range n.Preds {
			switch {
			case isPseudo(before, n) || seen[before]:
			case before == f.Graph.Start && from != nil:
				return true // a path that does not come from there
			default:
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

// machineWrites reports whether a call may lead to one of a function of the machine that is given a
// pointer to what is at an address. Such pointers do not expose what holds no pointers.
func (p *Program) machineWrites(d ssa.Instruction, addr ssa.Value) bool {
	switch d := d.(type) {
	case *ssa.Call:
		if p.types.Local(Root(addr)) {
			return false
		}
		s := p.graph.Site(d)
		for _, w := range p.MachineWriters(addr) {
			if w == ssa.Instruction(d) {
				return true
			}
			above := p.reaches(p.graph.Of(w.Parent()))
			if s != nil && slices.ContainsFunc(s.Callees(), func(c *callgraph.Node) bool { return above.Has(c.ID) }) {
				return true
			}
		}
	}
	return false
}

// findMachine finds the calls of functions of the machine that are given addresses.
func (p *Program) findMachine() {
	if p.machineKnown {
		return
	}
	p.machineKnown = true
	for _, n := range p.graph.Nodes {
		if n.Body != nil || n.Func == nil {
			continue
		}
		for _, s := range n.Callers() {
			if s.Instr == nil {
				continue
			}
			for _, arg := range s.Instr.Common().Args {
				switch arg.Type().Underlying().(type) {
				case *types.Pointer, *types.Slice, *types.Basic:
					if to := p.pointers.Pointees(arg); !to.Empty() {
						p.machine = append(p.machine, write{s.Instr, arg, to, false})
					}
				}
			}
		}
	}
}

// MachineWriters returns the calls of functions of the machine that may write what is at an address.
func (p *Program) MachineWriters(addr ssa.Value) []ssa.Instruction {
	p.findMachine()
	to := p.pointers.Pointees(addr)
	var list []ssa.Instruction
	for _, w := range p.machine {
		if w.to.May(to) {
			list = append(list, w.instr)
		}
	}
	return list
}

// Interferes reports whether another goroutine than the one that executes a function may write what
// is at an address in the function, or a part of it, while the goroutine is there. None does if no
// other one can have a pointer to it. If one can, all that write there have to do so through the
// variable that the function itself has made, or before the one that they have made is known to
// others.
func (p *Program) Interferes(addr ssa.Value) bool {
	root := Root(addr)
	switch {
	case p.types.Local(root):
		return false
	case p.mayBeUnknown(addr):
		return true
	case !p.shared.MayPoint(addr):
		return false
	}
	if len(p.MachineWriters(addr)) > 0 {
		return true
	}
	return slices.ContainsFunc(p.Writers(addr), func(w ssa.Instruction) bool {
		of, ok := Root(Written(w)).(*ssa.Alloc)
		return !ok || ssa.Value(of) != root && Leaks(of, w)
	})
}

// Leaks reports whether others may know of a variable when an instruction of its function is executed.
func Leaks(alloc *ssa.Alloc, at ssa.Instruction) bool {
	return slices.ContainsFunc(Leaking(alloc), func(by ssa.Instruction) bool { return precedes(by, at, alloc) })
}

// Leaking returns the instructions by which others may get to know of a variable of their function.
func Leaking(alloc *ssa.Alloc) (list []ssa.Instruction) {
	seen := map[ssa.Value]bool{alloc: true}
	for work := []ssa.Value{alloc}; len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, ref := range *v.Referrers() {
			switch ref := ref.(type) {
			case *ssa.DebugRef, *ssa.UnOp: // a load
			case *ssa.FieldAddr:
				if !seen[ref] {
					seen[ref] = true
					work = append(work, ref)
				}
			case *ssa.IndexAddr:
				if !seen[ref] {
					seen[ref] = true
					work = append(work, ref)
				}
			case *ssa.Store:
				if ref.Val == v {
					list = append(list, ref)
				}
			default:
				list = append(list, ref)
			}
		}
	}
	return list
}

// precedes reports whether an instruction may be executed before another one of its function
// without a third one in between, which makes a variable anew.
func precedes(instr, at ssa.Instruction, anew *ssa.Alloc) bool {
	// after reports whether a path leads from an index in a block to at.
	seen := make(map[*ssa.BasicBlock]bool)
	var work []*ssa.BasicBlock
	leads := func(b *ssa.BasicBlock, from int) bool {
		for _, i := range b.Instrs[from:] {
			switch i {
			case at:
				return true
			case anew:
				return false
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
		return false
	}
	b := instr.Block()
	if leads(b, slices.Index(b.Instrs, instr)+1) {
		return true
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if leads(b, 0) {
			return true
		}
	}
	return false
}

// Written reports whether an instruction may write what is at an address for which a condition
// holds, or it is not known what may.
func (p *Program) Written(addr ssa.Value, is func(ssa.Instruction) bool) bool {
	return p.mayBeUnknown(addr) || slices.ContainsFunc(p.Writers(addr), is) || slices.ContainsFunc(p.MachineWriters(addr), is)
}
