package distance

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
)

// Never is the distance to what is not reached.
const Never = 1 << 40

// abruptly is what it costs more to leave a function by a panic, or to come to its deferred calls that way.
const abruptly = 1000

// Lengths have the length of the shortest way through each function: from its entry to a return.
type Lengths struct {
	graph *callgraph.Graph
	// through is by callgraph.Node.ID; Never for what does not return.
	through []int
}

// NewLengths returns the lengths for the functions of a graph.
func NewLengths(g *callgraph.Graph) *Lengths {
	l := &Lengths{graph: g, through: make([]int, len(g.Nodes))}
	for _, n := range g.Nodes {
		l.through[n.ID] = Never
		if n.Body == nil && !n.Ends() {
			l.through[n.ID] = 1
		}
	}
	w := newWorklist(g)
	for n := w.next(); n != nil; n = w.next() {
		if n.Body == nil {
			continue
		}
		if d := l.ways(n.Body, l.returnCost).block[0]; d < l.through[n.ID] {
			l.through[n.ID] = d
			for _, s := range n.Callers() {
				w.add(s.Caller)
			}
		}
	}
	return l
}

// returnCost is how far it is from an instruction to a return: see ways. What panics in a function that
// defers calls may be recovered from, and the function returns.
func (l *Lengths) returnCost(instr ssa.Instruction) int {
	if _, ok := instr.(*ssa.Return); ok {
		return 0
	}
	if n := l.graph.Of(instr.Parent()); n != nil && l.graph.Recovers(n) && control.MayPanic(instr) {
		return abruptly
	}
	return Never
}

// cost returns the length of an instruction: with the shortest way through what it calls.
func (l *Lengths) cost(instr ssa.Instruction) int {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return 1
	}
	s := l.graph.Site(call)
	if s == nil {
		return 1
	}
	least := Never
	for _, c := range s.Callees() {
		least = min(least, l.through[c.ID])
	}
	return min(1+least, Never)
}

// ways have the distance from each block of a function to some goal.
type ways struct {
	block []int
}

// ways returns how far it is from the entry of each block to the nearest goal: goal returns for an
// instruction how far it is once the instruction is reached, Never if it leads to no goal.
func (l *Lengths) ways(fn *ssa.Function, goal func(ssa.Instruction) int) ways {
	w := ways{block: make([]int, len(fn.Blocks))}
	length := make([]int, len(fn.Blocks)) // of a block, Never if its end is not reached
	for i, b := range fn.Blocks {
		w.block[i], length[i] = l.within(b, 0, goal)
	}
	// The functions are small, so that going over the blocks again and again takes fewer steps than
	// a queue.
	for changed := true; changed; {
		changed = false
		for i := len(fn.Blocks) - 1; i >= 0; i-- {
			if length[i] >= Never {
				continue
			}
			for _, s := range fn.Blocks[i].Succs {
				if d := length[i] + w.block[s.Index]; d < w.block[i] {
					w.block[i] = d
					changed = true
				}
			}
		}
	}
	return w
}

// within returns how far it is to a goal in a block, from the instruction at an index, and how long
// the block is from there.
func (l *Lengths) within(b *ssa.BasicBlock, from int, goal func(ssa.Instruction) int) (nearest, length int) {
	nearest = Never
	for _, instr := range b.Instrs[from:] {
		nearest = min(nearest, length+goal(instr))
		length += l.cost(instr)
		if length >= Never {
			return nearest, Never
		}
	}
	return nearest, length
}

// A worklist has functions, each once at a time.
type worklist struct {
	list   []*callgraph.Node
	queued []bool
}

func newWorklist(g *callgraph.Graph) *worklist {
	w := &worklist{queued: make([]bool, len(g.Nodes))}
	for i := len(g.Nodes) - 1; i >= 0; i-- {
		w.add(g.Nodes[i])
	}
	return w
}

func (w *worklist) add(n *callgraph.Node) {
	if !w.queued[n.ID] {
		w.queued[n.ID] = true
		w.list = append(w.list, n)
	}
}

// addOuter adds the functions that the function of n is in.
func (w *worklist) addOuter(g *callgraph.Graph, n *callgraph.Node) {
	for fn := n.Body.Parent(); fn != nil; fn = fn.Parent() {
		if outer := g.Of(fn); outer != nil {
			w.add(outer)
		}
	}
}

func (w *worklist) next() *callgraph.Node {
	if len(w.list) == 0 {
		return nil
	}
	n := w.list[0]
	w.list = w.list[1:]
	w.queued[n.ID] = false
	return n
}
