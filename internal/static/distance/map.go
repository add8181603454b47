package distance

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
)

// A Map has the distances to some instructions, the targets.
type Map struct {
	lengths  *Lengths
	target   map[ssa.Instruction]bool
	entry    []int // by callgraph.Node.ID, from the entry of the function
	deferred []int // by callgraph.Node.ID, from the nearest function that it defers
	ways     map[*ssa.Function]ways
	returns  map[*ssa.Function]ways
}

// To returns the distances to the targets. Those that are in no function of the graph make no
// difference.
func (l *Lengths) To(targets ...ssa.Instruction) *Map {
	m := &Map{
		lengths: l, target: make(map[ssa.Instruction]bool), entry: make([]int, len(l.graph.Nodes)), deferred: make([]int, len(l.graph.Nodes)),
		ways: make(map[*ssa.Function]ways), returns: make(map[*ssa.Function]ways),
	}
	for i := range m.entry {
		m.entry[i], m.deferred[i] = Never, Never
	}
	w := &worklist{queued: make([]bool, len(l.graph.Nodes))}
	for _, t := range targets {
		m.target[t] = true
		if n := l.graph.Of(t.Parent()); n != nil {
			w.add(n)
		}
	}
	for n := w.next(); n != nil; n = w.next() {
		d := Never
		if n.Body == nil {
			for _, s := range n.Sites {
				d = min(d, 1+m.nearest(s))
			}
		} else {
			for _, s := range l.graph.Deferred(n) {
				m.deferred[n.ID] = min(m.deferred[n.ID], 1+m.nearest(s))
			}
			ways := l.ways(n.Body, m.goal(n))
			m.ways[n.Body] = ways
			d = ways.block[0]
		}
		if d < m.entry[n.ID] {
			m.entry[n.ID] = d
			for _, s := range n.Callers() {
				w.add(s.Caller)
				if d, ok := s.Instr.(*ssa.Defer); ok && d.DeferStack != nil {
					w.addOuter(l.graph, s.Caller)
				}
			}
		}
	}
	return m
}

// nearest returns the distance from the entry of the nearest function that a site may call.
func (m *Map) nearest(s *callgraph.Site) int {
	d := Never
	for _, c := range s.Callees() {
		d = min(d, m.entry[c.ID])
	}
	return d
}

// goal returns how far it is from an instruction of n that is reached to a target: it is one, or calls
// what leads there, or may panic when there are deferred calls that do.
func (m *Map) goal(n *callgraph.Node) func(ssa.Instruction) int {
	deferred := m.deferred[n.ID]
	return func(instr ssa.Instruction) int {
		if m.target[instr] {
			return 0
		}
		d := Never
		switch instr := instr.(type) {
		case *ssa.RunDefers:
			d = deferred
		case ssa.CallInstruction:
			if s := m.lengths.graph.Site(instr); s != nil {
				d = min(Never, 1+m.nearest(s))
			}
		}
		if deferred < Never && control.MayPanic(instr) {
			d = min(d, deferred+abruptly)
		}
		return d
	}
}

// Entry returns the distance from the entry of a function.
func (m *Map) Entry(n *callgraph.Node) int { return m.entry[n.ID] }

// From returns the distance from before instr is executed, without a return from its function.
func (m *Map) From(instr ssa.Instruction) int { return m.from(instr, 0) }

// After is From for when instr has been executed.
func (m *Map) After(instr ssa.Instruction) int { return m.from(instr, 1) }

func (m *Map) from(instr ssa.Instruction, skip int) int {
	n := m.lengths.graph.Of(instr.Parent())
	if n == nil {
		return Never
	}
	ways, ok := m.ways[n.Body]
	if !ok {
		return Never // nothing in the function leads there
	}
	return m.lengths.onwards(instr, skip, ways, m.goal(n))
}

// onwards returns the distance from an instruction, or from skip instructions after it.
func (l *Lengths) onwards(instr ssa.Instruction, skip int, ways ways, goal func(ssa.Instruction) int) int {
	b := instr.Block()
	at := 0
	for at < len(b.Instrs) && b.Instrs[at] != instr {
		at++
	}
	d, length := l.within(b, min(at+skip, len(b.Instrs)), goal)
	if length < Never {
		for _, s := range b.Succs {
			d = min(d, length+ways.block[s.Index])
		}
	}
	return min(d, Never)
}

// Return returns the distance from before instr is executed to a return from its function; a panic
// is a way to leave it, too, which costs more.
func (m *Map) Return(instr ssa.Instruction) int { return m.leave(instr, 0) }

func (m *Map) leave(instr ssa.Instruction, skip int) int {
	fn := instr.Parent()
	w, ok := m.returns[fn]
	if !ok {
		w = m.lengths.ways(fn, m.lengths.returnCost)
		m.returns[fn] = w
	}
	return min(m.lengths.onwards(instr, skip, w, m.lengths.returnCost), abruptly)
}

// Stack returns the distance from where a goroutine is: the first instruction is the one that it
// executes next, the others are the calls that it has made, innermost first.
func (m *Map) Stack(stack []ssa.Instruction) int {
	least, up := Never, 0
	for i, instr := range stack {
		skip := min(i, 1)
		least = min(least, up+m.from(instr, skip))
		if n := m.lengths.graph.Of(instr.Parent()); n != nil && m.deferred[n.ID] < Never {
			least = min(least, up+m.deferred[n.ID]+abruptly)
		}
		up += m.leave(instr, skip)
	}
	return least
}

// WriteTo prints the functions from whose entry a target can be reached, with the distance.
func (m *Map) WriteTo(w io.Writer) (int64, error) {
	var out strings.Builder
	for _, n := range m.lengths.graph.Nodes {
		if d := m.entry[n.ID]; d < Never {
			fmt.Fprintf(&out, "%8d %s\n", d, n.Name)
		}
	}
	k, err := io.WriteString(w, out.String())
	return int64(k), err
}
