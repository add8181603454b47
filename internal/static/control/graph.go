package control

import (
	"fmt"
	"go/token"
	"go/types"
	"io"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/compile/evalorder"
	"github.com/everyway-go/everyway/internal/code/ssaform"
)

// A Graph is the control flow of a function.
type Graph struct {
	Fn    *ssa.Function // has the blocks
	Nodes []*Node       // Start first, Exit last, those between in the order of the blocks
	Start *Node
	Exit  *Node
	// Recover begins the block where the function goes on after a panic, nil if it never does.
	Recover *Node

	first []*Node // by block, its first node
	at    map[ssa.Instruction]*Node
	post  []*Node // by node, the immediate post-dominator; nil of Exit
	depth []int32 // in the tree of post-dominators
	deps  [][]Dependence
}

// A Node is a stretch of instructions.
type Node struct {
	ID     int
	Block  *ssa.BasicBlock   // nil of Start and Exit
	Instrs []ssa.Instruction // in the order of execution
	Succs  []*Node           // of a node that ends with an ssa.If: the true side, then the false side
	Preds  []*Node
	// Abrupt says that the edges of the node are those of a panic or of a call that does not return.
	Abrupt bool
	// Pseudo is the number of successors, the last ones, that no run goes to.
	Pseudo int
}

// Options choose what a graph has edges for.
type Options struct {
	// Returns reports whether a call may return; nil stands for all calls.
	Returns func(ssa.CallInstruction) bool
	// DiesOfPanics says that nothing which the function defers recovers from a panic.
	DiesOfPanics bool
	// Panics makes each instruction that may panic the end of a node.
	Panics bool
}

// New returns the graph of a function that has blocks.
func New(fn *ssa.Function, opts Options) *Graph {
	g := &Graph{Fn: fn, first: make([]*Node, len(fn.Blocks)), at: make(map[ssa.Instruction]*Node)}
	g.Start = g.add(nil)
	order := evalorder.New(fn)
	abrupt := func(instr ssa.Instruction) bool {
		if call, ok := instr.(*ssa.Call); ok && opts.Returns != nil && !opts.Returns(call) {
			return true
		}
		_, panics := instr.(*ssa.Panic)
		return panics
	}
	last := make([]*Node, len(fn.Blocks)) // nil for blocks whose end is not reached
	type split struct{ node, next *Node }
	var abrupts, panics []*Node
	var splits []split
	for _, b := range fn.Blocks {
		n := g.add(b)
		g.first[b.Index] = n
		instrs := order.Instrs(b)
		from, ended := 0, false
		for i, instr := range instrs {
			g.at[instr] = n
			if ended {
				continue // cannot be reached; belongs to the last node
			}
			switch {
			case abrupt(instr):
				n.Abrupt, ended = true, true
				abrupts = append(abrupts, n)
			case opts.Panics && MayPanic(instr) && i+1 < len(instrs):
				n.Instrs = instrs[from : i+1]
				panics = append(panics, n)
				next := g.add(b)
				splits = append(splits, split{n, next})
				n, from = next, i+1
			}
		}
		n.Instrs = instrs[from:]
		if !ended {
			last[b.Index] = n
		}
	}
	g.Exit = g.add(nil)
	g.edge(g.Start, g.first[0])
	if fn.Recover != nil && !opts.DiesOfPanics {
		g.Recover = g.first[fn.Recover.Index]
	}
	for _, s := range splits {
		g.edge(s.node, s.next)
	}
	for _, b := range fn.Blocks {
		n := last[b.Index]
		if n == nil {
			continue
		}
		for _, s := range b.Succs {
			g.edge(n, g.first[s.Index])
		}
		if len(b.Succs) == 0 {
			g.edge(n, g.Exit)
		}
	}
	for _, n := range append(abrupts, panics...) {
		if g.Recover != nil {
			g.edge(n, g.Recover)
		}
		g.edge(n, g.Exit)
	}
	if g.Recover != nil && !opts.Panics {
		g.edge(g.Start, g.Recover)
	}
	g.breakLoops()
	g.postDominators()
	return g
}

func (g *Graph) add(b *ssa.BasicBlock) *Node {
	n := &Node{ID: len(g.Nodes), Block: b}
	g.Nodes = append(g.Nodes, n)
	return n
}

func (g *Graph) edge(from, to *Node) {
	from.Succs = append(from.Succs, to)
	to.Preds = append(to.Preds, from)
}

// breakLoops adds pseudo edges to the exit, so that each node leads there.
func (g *Graph) breakLoops() {
	leads := make([]bool, len(g.Nodes))
	var mark func(n *Node)
	mark = func(n *Node) {
		work := []*Node{n}
		leads[n.ID] = true
		for len(work) > 0 {
			n := work[len(work)-1]
			work = work[:len(work)-1]
			for _, p := range n.Preds {
				if !leads[p.ID] {
					leads[p.ID] = true
					work = append(work, p)
				}
			}
		}
	}
	mark(g.Exit)
	// The last node of a loop, in the order of the blocks, is likely to be the one that goes back.
	for i := len(g.Nodes) - 1; i >= 0; i-- {
		if n := g.Nodes[i]; !leads[i] {
			g.edge(n, g.Exit)
			n.Pseudo++
			mark(n)
		}
	}
}

// At returns the node that an instruction is in, nil if it is in another function.
func (g *Graph) At(instr ssa.Instruction) *Node { return g.at[instr] }

// First returns the first node of a block.
func (g *Graph) First(b *ssa.BasicBlock) *Node { return g.first[b.Index] }

// Branches reports whether a run may go in several ways at the end of n.
func (n *Node) Branches() bool { return len(n.Succs)-n.Pseudo > 1 }

// MayPanic reports whether an instruction may panic, or end its goroutine in another way.
func MayPanic(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Call, *ssa.Panic, *ssa.RunDefers, *ssa.Send, *ssa.Select, *ssa.MapUpdate, *ssa.Index, *ssa.IndexAddr,
		*ssa.Slice, *ssa.SliceToArrayPointer, *ssa.MakeChan, *ssa.MakeSlice, *ssa.Lookup, *ssa.Go, *ssa.Defer:
		return true
	case *ssa.UnOp:
		return instr.Op == token.MUL && !present(instr.X)
	case *ssa.Store:
		return !present(instr.Addr)
	case *ssa.FieldAddr:
		return !present(instr.X)
	case *ssa.TypeAssert:
		return !instr.CommaOk
	case *ssa.BinOp:
		return panicsOp(instr)
	}
	return false
}

// present reports whether an address is that of a variable or of a part of one: it is not nil.
func present(addr ssa.Value) bool {
	switch addr.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar, *ssa.IndexAddr, *ssa.FieldAddr: // the last two have panicked themselves
		return true
	}
	return false
}

func panicsOp(op *ssa.BinOp) bool {
	switch op.Op {
	case token.QUO, token.REM:
		if !ssaform.IsInteger(op.X.Type()) {
			return false
		}
		k, ok := op.Y.(*ssa.Const)
		return !ok || k.Value == nil || k.Uint64() == 0
	case token.SHL, token.SHR:
		basic, ok := op.Y.Type().Underlying().(*types.Basic)
		if _, isConst := op.Y.(*ssa.Const); isConst {
			return false
		}
		return !ok || basic.Info()&types.IsUnsigned == 0
	case token.EQL, token.NEQ:
		return mayHoldInterface(op.X.Type())
	}
	return false
}

// mayHoldInterface reports whether a comparison of values of a type may compare the values of
// interfaces, which may be uncomparable.
func mayHoldInterface(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return mayHoldInterface(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if mayHoldInterface(f.Type()) {
				return true
			}
		}
	}
	return false
}

// WriteTo prints the graph: each node with its lines, where it leads, its immediate post-dominator and
// what it depends on.
func (g *Graph) WriteTo(w io.Writer) (int64, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%s:\n", g.Fn.Name())
	for _, n := range g.Nodes {
		fmt.Fprintf(&out, "%4s", n.name(g))
		if n.Block != nil {
			fmt.Fprintf(&out, " block %d%s", n.Block.Index, lines(n.Instrs))
		}
		if len(n.Succs) > 0 {
			out.WriteString(" ->")
			for i, s := range n.Succs {
				fmt.Fprintf(&out, " %s", s.name(g))
				if i >= len(n.Succs)-n.Pseudo {
					out.WriteString(" (pseudo)")
				}
			}
		}
		if n.Abrupt {
			out.WriteString(" abruptly")
		}
		if p := g.Post(n); p != nil {
			fmt.Fprintf(&out, "; then %s", p.name(g))
		}
		for i, d := range g.Dependences(n) {
			sep := ","
			if i == 0 {
				sep = "; if"
			}
			fmt.Fprintf(&out, "%s %s", sep, d.name(g))
		}
		out.WriteString("\n")
	}
	k, err := io.WriteString(w, out.String())
	return int64(k), err
}

func (n *Node) name(g *Graph) string {
	switch n {
	case g.Start:
		return "start"
	case g.Exit:
		return "exit"
	}
	return fmt.Sprint("n", n.ID)
}

// lines returns the lines of instructions, as " line 3-5".
func lines(instrs []ssa.Instruction) string {
	lo, hi := 0, 0
	for _, i := range instrs {
		if !i.Pos().IsValid() {
			continue
		}
		if l := i.Parent().Prog.Fset.Position(i.Pos()).Line; lo == 0 {
			lo, hi = l, l
		} else {
			lo, hi = min(lo, l), max(hi, l)
		}
	}
	switch {
	case lo == 0:
		return ""
	case lo == hi:
		return fmt.Sprint(" line ", lo)
	}
	return fmt.Sprintf(" lines %d-%d", lo, hi)
}
