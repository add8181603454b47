package reaching

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/escape"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// A Program has the definitions of all functions, for reads of what other functions or other goroutines have
// written. It is an [Aliases] that knows what pointers may point to.
type Program struct {
	graph    *callgraph.Graph
	pointers *pointsto.Result
	shared   *escape.Result
	function func(*ssa.Function) *Function
	types    *Types

	writes []write // all that write memory
	// See Writers. What is exposed is told apart by its key alone, and there is a lot that may write it.
	known   map[ssa.Value][]ssa.Instruction
	exposed map[writersKey][]ssa.Instruction
	above   map[*callgraph.Node]bitset.Set // see reaches

	machine      []write // calls of functions of the machine that are given the address; see MachineWriters
	machineKnown bool
}

// A write is an instruction that writes memory.
type write struct {
	instr ssa.Instruction
	addr  ssa.Value
	to    pointsto.Pointees
	isMap bool
}

// A writersKey says what is written that is exposed.
type writersKey struct {
	to    pointsto.Key
	isMap bool
}

// NewProgram returns the definitions of the functions of a graph. Function returns the reaching definitions in a
// function, which may be computed with the Program.
func NewProgram(g *callgraph.Graph, pointers *pointsto.Result, shared *escape.Result, function func(*ssa.Function) *Function) *Program {
	p := &Program{
		graph: g, pointers: pointers, shared: shared, function: function, types: NewTypes(),
		known: make(map[ssa.Value][]ssa.Instruction), exposed: make(map[writersKey][]ssa.Instruction),
		above: make(map[*callgraph.Node]bitset.Set),
	}
	for _, n := range g.Nodes {
		if n.Body == nil {
			continue
		}
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				if addr := Written(instr); addr != nil {
					p.writes = append(p.writes, write{instr, addr, pointers.Pointees(addr), isMap(addr)})
				}
			}
		}
	}
	return p
}

// Written returns the address to which an instruction writes itself, the slice in whose elements it
// does, or the map, nil if it writes no memory. A defer or go statement is said to write what the
// builtin function does that it has called later.
func Written(instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.Store:
		return instr.Addr
	case *ssa.MapUpdate:
		return instr.Map
	case ssa.CallInstruction:
		if b, ok := instr.Common().Value.(*ssa.Builtin); ok {
			switch b.Name() {
			case "append":
				return instr.Value() // the elements of the result
			case "copy", "clear", "delete":
				return instr.Common().Args[0]
			}
		}
	}
	return nil
}

// May implements [Aliases].
func (p *Program) May(a, b ssa.Value) bool {
	return p.may(a, p.pointers.Pointees(a), b, p.pointers.Pointees(b))
}

// MayReach reports whether two pointers may lead to the same memory, or to parts of which one
// contains the other, whatever their types are.
func (p *Program) MayReach(a, b ssa.Value) bool {
	return a == b || p.pointers.Pointees(a).May(p.pointers.Pointees(b))
}

// may is May for addresses of which it is known what they point to.
func (p *Program) may(a ssa.Value, toA pointsto.Pointees, b ssa.Value, toB pointsto.Pointees) bool {
	if a != b && !toA.May(toB) {
		return false
	}
	// Only what is exposed may have been made as another type.
	return toA.Exposed() || toB.Exposed() || p.types.May(a, b)
}

// Escapes implements [Aliases].
func (p *Program) Escapes(addr ssa.Value) bool { return p.types.Escapes(addr) }

// Writes implements [Aliases].
func (p *Program) Writes(call ssa.CallInstruction, addr ssa.Value) bool {
	if p.types.Local(Root(addr)) {
		return false
	}
	s := p.graph.Site(call)
	if s == nil {
		return true
	}
	if p.mayBeUnknown(addr) {
		return true
	}
	for _, w := range p.Writers(addr) {
		above := p.reaches(p.graph.Of(w.Parent()))
		for _, c := range s.Callees() {
			if above.Has(c.ID) {
				return true
			}
		}
	}
	return false
}

// mayBeUnknown reports whether functions of the machine, or code that is not seen through, may
// write what is at an address.
func (p *Program) mayBeUnknown(addr ssa.Value) bool {
	to := p.pointers.Pointees(addr)
	return to.Exposed() || to.Empty()
}

// reaches returns the functions, by number, that call a function, directly or not, in whatever goroutine.
func (p *Program) reaches(n *callgraph.Node) bitset.Set {
	if set, ok := p.above[n]; ok {
		return set
	}
	set := bitset.New(len(p.graph.Nodes))
	set.Add(n.ID)
	work := []*callgraph.Node{n}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range n.Callers() {
			if !set.Has(s.Caller.ID) {
				set.Add(s.Caller.ID)
				work = append(work, s.Caller)
			}
		}
	}
	p.above[n] = set
	return set
}

// Writers returns all instructions that may write what is at an address, in the order of the call graph. The list is
// shared and not to be changed.
func (p *Program) Writers(addr ssa.Value) []ssa.Instruction {
	if list, ok := p.known[addr]; ok {
		return list
	}
	to := p.pointers.Pointees(addr)
	key, hasKey := to.Key()
	of := writersKey{key, isMap(addr)}
	byKey := hasKey && to.Exposed()
	if byKey {
		if list, ok := p.exposed[of]; ok {
			return list
		}
	}
	var list []ssa.Instruction
	for _, w := range p.writes {
		if w.isMap == of.isMap && p.may(w.addr, w.to, addr, to) {
			list = append(list, w.instr)
		}
	}
	if byKey {
		p.exposed[of] = list
	} else {
		p.known[addr] = list
	}
	return list
}

// WritersTo returns all instructions that may write where meets reports true, in the order of the
// call graph, and calls of functions of the machine that may.
func (p *Program) WritersTo(meets func(to pointsto.Pointees) bool) []ssa.Instruction {
	p.findMachine()
	var list []ssa.Instruction
	for _, writes := range [][]write{p.writes, p.machine} {
		for _, w := range writes {
			if meets(w.to) {
				list = append(list, w.instr)
			}
		}
	}
	return list
}

// Reads returns the instructions that may have written last what instr reads from memory: in this
// function, in others, or in another goroutine. Other says whether it may have been written by none of them: by the
// machine, by code that is not seen through, or when the variable was made.
func (p *Program) Reads(instr ssa.Instruction) (defs []ssa.Instruction, other bool) {
	addr := Read(instr)
	if addr == nil {
		return nil, false
	}
	f := p.function(instr.Parent())
	if f == nil {
		return nil, true
	}
	found, start := f.Reads(instr)
	other = p.mayBeUnknown(addr)
	all := start || p.shared.MayPoint(addr)
	for _, d := range found {
		switch d := d.(type) {
		case *ssa.Alloc:
			other = true
		case *ssa.Call, *ssa.RunDefers:
			if Written(d) == nil {
				all = true
			} else {
				defs = append(defs, d)
			}
		default:
			defs = append(defs, d)
		}
	}
	if all && !p.types.Local(Root(addr)) {
		other = true
		own := defs
		for _, d := range p.Writers(addr) {
			if !slices.Contains(own, d) {
				defs = append(defs, d)
			}
		}
	}
	return defs, other
}

// Sources returns the values that a value may be: of a parameter what is passed for it, of a
// captured variable what is bound, of the result of a call what is returned, of a phi its operands;
// it is the value itself for all others. A nil among them stands for values that are not known.
func (p *Program) Sources(v ssa.Value) []ssa.Value {
	switch v := v.(type) {
	case *ssa.Phi:
		return v.Edges
	case *ssa.Parameter:
		return p.passed(v)
	case *ssa.FreeVar:
		return p.bound(v)
	case *ssa.Call:
		s := p.graph.Site(v)
		if s == nil {
			return []ssa.Value{v}
		}
		var list []ssa.Value
		for _, c := range s.Callees() {
			if c.Body == nil || c.Body.Recover != nil || c.Body.Signature.Results().Len() != 1 {
				list = append(list, nil)
				continue
			}
			for _, b := range c.Body.Blocks {
				if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
					list = append(list, ret.Results[0])
				}
			}
		}
		return list
	}
	return []ssa.Value{v}
}

// passed returns what is passed for a parameter.
func (p *Program) passed(v *ssa.Parameter) []ssa.Value {
	n := p.graph.Of(v.Parent())
	if n == nil {
		return nil
	}
	i := slices.Index(n.Body.Params, v)
	var list []ssa.Value
	for _, s := range n.Callers() {
		if s.Instr == nil {
			list = append(list, nil)
			continue
		}
		at := i
		if s.Instr.Common().IsInvoke() {
			at--
		}
		if args := s.Instr.Common().Args; at >= 0 && at < len(args) {
			list = append(list, args[at])
		} else {
			list = append(list, nil) // the receiver in an interface
		}
	}
	return list
}

// bound returns what is bound to a captured variable.
func (p *Program) bound(v *ssa.FreeVar) []ssa.Value {
	fn := v.Parent()
	i := slices.Index(fn.FreeVars, v)
	var list []ssa.Value
	if fn.Parent() == nil {
		return []ssa.Value{nil} // of a method value
	}
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if c, ok := instr.(*ssa.MakeClosure); ok && c.Fn == ssa.Value(fn) {
				list = append(list, c.Bindings[i])
			}
		}
	}
	return list
}

// Print writes for each instruction of a function that reads memory what it may read.
func (p *Program) Print(w io.Writer, n *callgraph.Node) (int64, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%s:\n", n.Name)
	at := func(i ssa.Instruction) string {
		pos := i.Parent().Prog.Fset.Position(i.Pos())
		if !pos.IsValid() {
			return fmt.Sprintf("%v of %s", i, i.Parent().Name())
		}
		return fmt.Sprintf("line %d: %v", pos.Line, i)
	}
	if f := p.function(n.Body); f != nil {
		for _, v := range f.Graph.Nodes {
			for _, instr := range v.Instrs {
				if Read(instr) == nil {
					continue
				}
				fmt.Fprintf(&out, "\t%s <-", at(instr))
				defs, other := p.Reads(instr)
				if other {
					out.WriteString(" [others]")
				}
				for _, d := range defs {
					fmt.Fprintf(&out, " [%s]", at(d))
				}
				out.WriteString("\n")
			}
		}
	}
	k, err := io.WriteString(w, out.String())
	return int64(k), err
}
