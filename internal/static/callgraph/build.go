package callgraph

import (
	"context"
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/linkname"
)

// A Config says what a graph is of.
type Config struct {
	Code *code.Program
	// Roots are the functions that run: initialisers, and the one with which the program starts.
	Roots []*ssa.Function
	// Values are functions that are passed to a root as values.
	Values []*ssa.Function
	// Draws says that interfaces and functions are inputs of the program: values of any types and
	// functions that inputs can have.
	Draws bool
	// Primitive reports whether the machine carries out the function of a name itself, though it
	// may have a body. Nil stands for no such functions.
	Primitive func(name string) bool
}

// Build returns the graph of what the roots can reach.
func Build(ctx context.Context, cfg Config) (*Graph, error) {
	b := &builder{
		Config:  cfg,
		graph:   &Graph{of: make(map[*ssa.Function]*Node), written: make(map[string]*Node)},
		types:   newTypeSet(cfg.Code),
		takes:   make(map[*ssa.Function]bool),
		machine: machineState{calls: make(map[*Node]bool)},
	}
	hasher := typeutil.MakeHasher()
	b.signatures.SetHasher(hasher)
	b.invokes.SetHasher(hasher)
	b.types.byType.SetHasher(hasher)
	b.graph.Machine = &Node{Name: "machine"}
	b.graph.Nodes = []*Node{b.graph.Machine}
	b.graph.roots = make(map[*Node]bool)
	for _, fn := range cfg.Roots {
		b.graph.roots[b.node(fn)] = true
		b.machineCalls(b.node(fn))
	}
	for _, fn := range cfg.Values {
		b.take(fn)
	}
	if cfg.Draws {
		b.draw()
	}
	b.panics()
	for len(b.work) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := b.work[0]
		b.work = b.work[1:]
		b.visit(n)
	}
	for _, fn := range cfg.Values {
		if n := b.graph.of[fn]; n != nil { // otherwise nothing calls it
			b.graph.given = append(b.graph.given, n)
		}
	}
	for _, c := range b.types.list {
		b.graph.boxed = append(b.graph.boxed, c.typ)
	}
	b.graph.link()
	return b.graph, nil
}

// A builder builds a graph.
type builder struct {
	Config
	graph *Graph
	work  []*Node // not visited yet

	signatures typeutil.Map // *types.Signature to *signature
	sigList    []*signature
	invokes    typeutil.Map // interface type to *interfaceCalls
	ifaceList  []*interfaceCalls
	types      *typeSet
	takes      map[*ssa.Function]bool
	machine    machineState
}

// A signature is one of function values.
type signature struct {
	typ   *types.Signature
	taken []*taken // functions of the signature whose values are taken
	calls group    // what calls of values call; grows with taken once there is such a call
	used  bool     // there is a call
}

// interfaceCalls are the calls of the methods of an interface type.
type interfaceCalls struct {
	typ     *types.Interface
	print   uint64
	methods map[*types.Func]*group
	order   []*types.Func
	impls   []*concrete // types with these methods
}

// node returns the node of the function that runs when fn is called.
func (b *builder) node(fn *ssa.Function) *Node {
	if n := b.graph.of[fn]; n != nil {
		return n
	}
	if same := b.Code.Same(fn); same != fn {
		n := b.node(same)
		b.graph.of[fn] = n
		return n
	}
	name := name(fn)
	if symbol, ok := linkname.Forwarded(name); ok {
		if to := linkname.Lookup(b.Code.SSA, symbol); to != nil && to != fn {
			n := b.node(to)
			b.graph.of[fn] = n
			return n
		}
	}
	n := &Node{ID: len(b.graph.Nodes), Func: fn, Name: name}
	if b.Primitive == nil || !b.Primitive(name) {
		body, err := b.Code.Body(fn)
		switch {
		case err != nil:
			b.note("%s: its body cannot be built: %v", name, err)
		case body.Blocks != nil:
			n.Body = body
		default:
			if symbol := linkname.Target(fn); symbol != "" {
				if to := linkname.Lookup(b.Code.SSA, symbol); to != nil && to != fn {
					n := b.node(to)
					b.graph.of[fn] = n
					return n
				}
			}
		}
	}
	b.graph.of[fn] = n
	if n.Body != nil {
		b.graph.of[n.Body] = n
	}
	b.graph.Nodes = append(b.graph.Nodes, n)
	b.work = append(b.work, n)
	return n
}

func (b *builder) note(format string, args ...any) {
	b.graph.unsound = append(b.graph.unsound, fmt.Sprintf(format, args...))
}

// visit follows what the code of n does.
func (b *builder) visit(n *Node) {
	if n.Body == nil {
		b.visitPrimitive(n)
		return
	}
	var space [16]*ssa.Value
	for _, blk := range n.Body.Blocks {
		for _, instr := range blk.Instrs {
			rands := instr.Operands(space[:0])
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				b.visitCall(n, instr)
				if len(rands) > 0 && !instr.Common().IsInvoke() {
					rands = rands[1:] // what is called
				}
			case *ssa.MakeInterface:
				b.addType(instr.X.Type())
			}
			for _, op := range rands {
				if fn, ok := (*op).(*ssa.Function); ok {
					b.take(fn)
				}
			}
		}
	}
}

func (b *builder) visitCall(n *Node, instr ssa.CallInstruction) {
	call := instr.Common()
	s := &Site{Caller: n, Instr: instr}
	switch instr.(type) {
	case *ssa.Go:
		s.Mode = Go
	case *ssa.Defer:
		s.Mode = Defer
	}
	switch {
	case call.IsInvoke():
		s.dynamic = b.invoke(call)
	case call.StaticCallee() != nil:
		s.static = b.node(call.StaticCallee())
	default:
		if _, ok := call.Value.(*ssa.Builtin); ok {
			return
		}
		s.dynamic = b.dynamic(call.Signature())
	}
	n.Sites = append(n.Sites, s)
}

// machineCalls adds a function that the machine calls.
func (b *builder) machineCalls(n *Node) {
	m := b.graph.Machine
	if !b.machine.calls[n] {
		b.machine.calls[n] = true
		m.Sites = append(m.Sites, &Site{Caller: m, Mode: Outside, static: n})
	}
}

// A taken is a function whose value is taken. It has a node when something may call the value.
type taken struct {
	fn   *ssa.Function
	node *Node
}

func (b *builder) nodeOf(t *taken) *Node {
	if t.node == nil {
		t.node = b.node(t.fn)
	}
	return t.node
}

// take notes that code has the value of a function.
func (b *builder) take(fn *ssa.Function) {
	if b.takes[fn] {
		return
	}
	b.takes[fn] = true
	b.takeAs(&taken{fn: fn}, fn.Signature)
}

// takeAs notes that code has a value with a signature.
func (b *builder) takeAs(t *taken, typ *types.Signature) {
	s := b.signature(typ)
	s.taken = append(s.taken, t)
	if s.used {
		s.calls.add(b.nodeOf(t))
	}
	b.machineTaken(s, t)
}

// signature returns what is known of a signature.
func (b *builder) signature(typ *types.Signature) *signature {
	if s, ok := b.signatures.At(typ).(*signature); ok {
		return s
	}
	s := &signature{typ: typ}
	b.signatures.Set(typ, s)
	b.sigList = append(b.sigList, s)
	return s
}

// dynamic returns what a call of a function value may call.
func (b *builder) dynamic(typ *types.Signature) *group {
	s := b.signature(typ)
	if !s.used {
		s.used = true
		for _, t := range s.taken {
			s.calls.add(b.nodeOf(t))
		}
		b.machineUsed(s)
	}
	return &s.calls
}

// invoke returns what a call through an interface may call.
func (b *builder) invoke(call *ssa.CallCommon) *group {
	return b.method(call.Value.Type().Underlying().(*types.Interface), call.Method)
}

// method returns what a call of a method of an interface type may call.
func (b *builder) method(typ *types.Interface, method *types.Func) *group {
	i, ok := b.invokes.At(typ).(*interfaceCalls)
	if !ok {
		i = &interfaceCalls{typ: typ, print: b.types.printInterface(typ), methods: make(map[*types.Func]*group)}
		b.invokes.Set(typ, i)
		b.ifaceList = append(b.ifaceList, i)
		for _, c := range b.types.list {
			if c.implements(i) {
				i.impls = append(i.impls, c)
			}
		}
	}
	g := i.methods[method]
	if g == nil {
		g = &group{}
		i.methods[method] = g
		i.order = append(i.order, method)
		for _, c := range i.impls {
			b.addMethod(g, c, method)
		}
	}
	return g
}

// addMethod adds the method of a type to what calls of m call.
func (b *builder) addMethod(g *group, c *concrete, m *types.Func) {
	if fn := b.types.method(c, m); fn != nil {
		g.add(b.node(fn))
	}
}
