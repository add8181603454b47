package waitgroup

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// Counts knows the operations on wait groups of a program.
type Counts struct {
	graph       *callgraph.Graph
	pointers    *pointsto.Result
	definitions *reaching.Program
	ops         []operation
	unseen      bool // there are operations without an instruction of the program
	proved      map[ssa.CallInstruction]bool
}

// An operation is a call that changes the counter of a wait group.
type operation struct {
	site *callgraph.Site
	recv ssa.Value // the wait group
	done bool      // it subtracts one
	size ssa.Value // what it adds otherwise
}

// A Debt is a Done that a goroutine has not yet called, of a wait group that counts it.
type Debt struct {
	Frame  int       // index in the stack of the function in which Root is a value
	Root   ssa.Value // a pointer to what the wait group is in
	Fields []int     // lead from there to it
}

// New returns the counts of a program.
func New(g *callgraph.Graph, pointers *pointsto.Result, definitions *reaching.Program) *Counts {
	c := &Counts{graph: g, pointers: pointers, definitions: definitions, proved: make(map[ssa.CallInstruction]bool)}
	for _, n := range g.Nodes {
		isDone := n.Name == "sync.(*WaitGroup).Done"
		if !isDone && n.Name != "sync.(*WaitGroup).Add" {
			continue
		}
		for _, s := range n.Callers() {
			if s.Instr == nil || s.Instr.Common().IsInvoke() || len(s.Instr.Common().Args) == 0 {
				c.unseen = true
				continue
			}
			args := s.Instr.Common().Args
			op := operation{site: s, recv: args[0], done: isDone}
			if !isDone {
				op.size = args[1]
				if k, ok := ssaform.Int(args[1]); ok && k == -1 {
					op.done = true
				}
			}
			c.ops = append(c.ops, op)
		}
	}
	return c
}

// Owed returns the debts of a goroutine whose frames are at instructions, innermost first.
func (c *Counts) Owed(stack []ssa.Instruction) []Debt {
	var list []Debt
	for i, at := range stack {
		n := c.graph.Of(at.Parent())
		if n == nil || c.unseen {
			continue
		}
		op, of := c.doneOf(n)
		if op == nil || control.MayHaveRun(of, at) || !c.proves(op) {
			continue
		}
		p := pathOf(op.recv)
		if of != op.site.Instr {
			p, _ = above(p, of.Common(), c.graph.Of(op.site.Instr.Parent()))
		}
		if root, fields, ok := locate(p, at); ok {
			list = append(list, Debt{i, root, fields})
		}
	}
	return list
}

// doneOf returns the only Done that the goroutine calls which begins with a function, and the
// instruction of the function that makes the call or defers the closure which does; nil if there is
// none, or several.
func (c *Counts) doneOf(n *callgraph.Node) (found *operation, by ssa.CallInstruction) {
	if n.Body == nil {
		return nil, nil
	}
	for i := range c.ops {
		op := &c.ops[i]
		if !op.done {
			continue
		}
		of := op.site.Instr
		fn := of.Parent()
		if fn != n.Body {
			d := control.DeferOf(fn)
			if d == nil || d.Parent() != n.Body || of.Block() != fn.Blocks[0] || op.site.Mode != callgraph.Call {
				continue
			}
			of = d
		}
		if found != nil {
			return nil, nil
		}
		found, by = op, of
	}
	return found, by
}

// locate returns a value that is known at an instruction, and the fields that lead from what it
// points to, to what a path names.
func locate(p path, at ssa.Instruction) (root ssa.Value, fields []int, ok bool) {
	deref, rest := p, ""
	for i := len(p.steps) - 1; i >= 0; i-- {
		if p.steps[i] == '*' {
			deref, rest = path{p.root, p.steps[:i+1]}, p.steps[i+1:]
			break
		}
		if i == 0 {
			deref, rest = path{root: p.root}, p.steps
		}
	}
	if deref.steps == "" {
		root = p.root
		if instr, isInstr := root.(ssa.Instruction); isInstr && !ssaform.Dominates(instr, at) {
			return nil, nil, false
		}
	} else {
		for _, b := range at.Parent().Blocks {
			for _, instr := range b.Instrs {
				load, isLoad := instr.(*ssa.UnOp)
				if isLoad && root == nil && ssaform.Dominates(load, at) && pathOf(load) == deref {
					root = load
				}
			}
		}
		if root == nil {
			return nil, nil, false
		}
	}
	return root, fieldsOf(rest), true
}

// fieldsOf returns the numbers of fields in steps that have no others.
func fieldsOf(steps string) (list []int) {
	n := -1
	for _, r := range steps {
		if r == '.' {
			if n >= 0 {
				list = append(list, n)
			}
			n = 0
			continue
		}
		n = n*10 + int(r-'0')
	}
	if n >= 0 {
		list = append(list, n)
	}
	return list
}
