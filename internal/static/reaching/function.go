package reaching

import (
	"fmt"
	"go/token"
	"go/types"
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/compile/evalorder"
	"github.com/everyway-go/everyway/internal/static/control"
)

// A Function has the reaching definitions of a function.
type Function struct {
	Graph   *control.Graph
	aliases Aliases
	writes  [][]int // by node, the indexes of instructions that write memory
}

// Of returns the reaching definitions of the function with a graph, which does not end nodes where an instruction may
// panic. They are computed when they are asked for.
func Of(g *control.Graph, aliases Aliases) *Function {
	f := &Function{Graph: g, aliases: aliases, writes: make([][]int, len(g.Nodes))}
	for _, n := range g.Nodes {
		for i := range n.Instrs {
			if writes(n.Instrs, i) {
				f.writes[n.ID] = append(f.writes[n.ID], i)
			}
		}
	}
	return f
}

// writes reports whether an instruction of a node may write memory. What a go statement starts runs later.
func writes(instrs []ssa.Instruction, i int) bool {
	switch instrs[i].(type) {
	case *ssa.Store:
		return !evalorder.StoresBack(instrs, i)
	case *ssa.MapUpdate, *ssa.RunDefers, *ssa.Call, *ssa.Alloc:
		return true // an Alloc zeroes the variable
	}
	return false
}

// Read returns the address, or the map, that an instruction reads from, nil if it reads no memory itself.
func Read(instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if instr.Op == token.MUL {
			return instr.X
		}
	case *ssa.Lookup:
		if isMap(instr.X) {
			return instr.X
		}
	case *ssa.Next:
		if !instr.IsString {
			return instr.Iter.(*ssa.Range).X
		}
	}
	return nil
}

// Reads returns the definitions that may have written last what instr reads from memory, in the
// order of the graph; start says whether it may have been written before the function was called.
// There are none if instr reads no memory.
func (f *Function) Reads(instr ssa.Instruction) (defs []ssa.Instruction, start bool) {
	addr := Read(instr)
	if addr == nil {
		return nil, false
	}
	return f.Before(instr, addr)
}

// Before returns the definitions that may have written last, before instr, what is at an address,
// or a part of it; see Reads.
func (f *Function) Before(instr ssa.Instruction, addr ssa.Value) (defs []ssa.Instruction, start bool) {
	n := f.Graph.At(instr)
	if n == nil {
		return nil, false
	}
	at := 0
	for at < len(n.Instrs) && n.Instrs[at] != instr {
		at++
	}
	s := &search{Function: f, addr: addr, seen: make(map[visit]bool), found: make(map[ssa.Instruction]bool)}
	s.root = Root(addr)
	s.fields, s.exact = fields(addr)
	s.def, _ = s.root.(ssa.Instruction)
	s.walk(n, at, true)
	for len(s.work) > 0 {
		v := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		s.walk(v.node, len(v.node.Instrs), v.same)
	}
	if len(s.found) > 0 {
		for _, n := range f.Graph.Nodes {
			for _, i := range f.writes[n.ID] {
				if d := n.Instrs[i]; s.found[d] {
					defs = append(defs, d)
				}
			}
		}
	}
	return defs, s.start
}

// A search goes backwards from a read until it meets, on each way, a definition that writes all of
// what is read, or the start.
type search struct {
	*Function
	addr   ssa.Value
	root   ssa.Value
	def    ssa.Instruction // defines the root, nil if it has the same value all the time
	fields string
	exact  bool // no element is among the fields

	seen  map[visit]bool
	work  []visit
	found map[ssa.Instruction]bool
	start bool
}

// A visit is one of the end of a node.
type visit struct {
	node *control.Node
	same bool // the root has the value there that it has at the read
}

// walk goes backwards through a node, from before the instruction at an index.
func (s *search) walk(n *control.Node, at int, same bool) {
	if n == s.Graph.Start {
		s.start = true
		return
	}
	for i := at - 1; i >= 0; i-- {
		d := n.Instrs[i]
		if same && d == s.def {
			if _, isAlloc := d.(*ssa.Alloc); isAlloc {
				s.found[d] = true
				return // the variable did not exist before
			}
			same = false
		}
		if writes(n.Instrs, i) && s.mayWrite(d) {
			s.found[d] = true
			if same && s.replaces(d) {
				return
			}
		}
	}
	if s.recovers(n) {
		s.addAll()
	}
	for _, p := range n.Preds {
		v := visit{p, same}
		if isPseudo(p, n) || s.seen[v] {
			continue
		}
		s.seen[v] = true
		s.work = append(s.work, v)
	}
}

// recovers reports whether n begins the block at which the function goes on when it has recovered, and
// the graph has no edges from where it may have panicked.
func (s *search) recovers(n *control.Node) bool {
	return n == s.Graph.Recover && slices.Contains(n.Preds, s.Graph.Start)
}

// addAll adds all definitions of the function.
func (s *search) addAll() {
	for _, n := range s.Graph.Nodes {
		for _, i := range s.writes[n.ID] {
			if d := n.Instrs[i]; s.mayWrite(d) || ssa.Instruction(d) == s.def {
				s.found[d] = true
			}
		}
	}
}

// isPseudo reports whether the only edge between two nodes is one that no run takes.
func isPseudo(from, to *control.Node) bool {
	for _, s := range from.Succs[:len(from.Succs)-from.Pseudo] {
		if s == to {
			return false
		}
	}
	return true
}

// mayWrite reports whether a definition may write what is read, or a part of it.
func (s *search) mayWrite(d ssa.Instruction) bool {
	switch d := d.(type) {
	case *ssa.Store:
		return !isMap(s.addr) && s.aliases.May(d.Addr, s.addr)
	case *ssa.MapUpdate:
		return isMap(s.addr) && s.aliases.May(d.Map, s.addr)
	case *ssa.Call:
		if _, isBuiltin := d.Call.Value.(*ssa.Builtin); isBuiltin {
			return s.builtinWrites(d)
		}
		return s.aliases.Writes(d, s.addr)
	case *ssa.RunDefers:
		return s.aliases.Escapes(s.addr)
	}
	return false
}

// builtinWrites reports whether a call of a builtin function may write what is read.
func (s *search) builtinWrites(call *ssa.Call) bool {
	switch call.Call.Value.Name() {
	case "append", "copy", "clear", "delete":
		arg := call.Call.Args[0]
		if isMap(arg) || isMap(s.addr) {
			return isMap(arg) && isMap(s.addr) && s.aliases.May(arg, s.addr)
		}
		return s.aliases.Escapes(s.addr)
	}
	return false
}

// replaces reports whether a definition that may write what is read writes all of it, if the root
// of both is the same value.
func (s *search) replaces(d ssa.Instruction) bool {
	store, ok := d.(*ssa.Store)
	if !ok || Root(store.Addr) != s.root || !s.exact {
		return false
	}
	of, exact := fields(store.Addr)
	return exact && strings.HasPrefix(s.fields, of)
}

// fields returns the fields that lead from the root of an address to it, and whether no element of
// an array is among them.
func fields(addr ssa.Value) (list string, exact bool) {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		list, exact = fields(a.X)
		return fmt.Sprintf("%s%d.", list, a.Field), exact
	case *ssa.ChangeType:
		return fields(a.X)
	case *ssa.IndexAddr:
		if Root(a) != ssa.Value(a) {
			return "", false
		}
	}
	return "", true
}

func isMap(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Map)
	return ok
}

// WriteTo prints for each instruction that reads memory what it may read.
func (f *Function) WriteTo(w io.Writer) (int64, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%s:\n", f.Graph.Fn.Name())
	for _, n := range f.Graph.Nodes {
		for _, instr := range n.Instrs {
			if Read(instr) == nil {
				continue
			}
			fmt.Fprintf(&out, "\t%s <-", f.show(instr))
			defs, start := f.Reads(instr)
			if start {
				out.WriteString(" [before]")
			}
			for _, d := range defs {
				fmt.Fprintf(&out, " [%s]", f.show(d))
			}
			out.WriteString("\n")
		}
	}
	k, err := io.WriteString(w, out.String())
	return int64(k), err
}

// show returns the line and the text of an instruction.
func (f *Function) show(instr ssa.Instruction) string {
	text := instr.String()
	if v, ok := instr.(ssa.Value); ok {
		text = v.Name() + " = " + text
	}
	return fmt.Sprintf("line %d: %s", f.Graph.Fn.Prog.Fset.Position(instr.Pos()).Line, text)
}
