package pointsto

import (
	"cmp"
	"context"
	"fmt"
	"go/types"
	"io"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// A Result says what pointers may point to.
type Result struct {
	s     *solver
	calls *callgraph.Graph
	// The slots of objects that are exposed, and of those that may be any that is.
	exposed, unknown bitset.Set
}

// Solve analyses the functions of a graph that its machine calls, and what they call. Inputs are
// package variables that may have any values.
func Solve(ctx context.Context, graph *callgraph.Graph, prog *code.Program, inputs []*ssa.Global) (*Result, error) {
	s := &solver{
		graph: graph, code: prog, layouts: newLayouts(),
		values: make(map[ssa.Value]int32), globals: make(map[*ssa.Global]*Object),
		funcs:   make([]function, len(graph.Nodes)),
		pools:   make(map[poolKey]pool),
		unknown: make(map[*callgraph.Site]bool),
		callees: make(map[*callgraph.Site]map[*callgraph.Node]bool),
		methods: make(map[methodKey]*callgraph.Node),
		types:   make(map[*ssa.Package]*Object),
	}
	hasher := typeutil.MakeHasher()
	s.boxes.SetHasher(hasher)
	s.implement = newImplementations(hasher)
	s.exposed.buckets = make(map[bucketKey]*bucket)
	s.exposed.interfaces = make(map[int32]*interfaceBucket)
	s.queue.solver = s
	s.objects = []*Object{nil}
	s.node = make([]node, 0, instructions(graph)*2/3) // more than are needed, for all programs that were looked at
	s.nodes(1)                                        // none
	s.panics = s.nodes(1)
	s.exposed.all = s.nodes(1)
	s.constrain(s.exposed.all, exposure{})
	s.roots()
	if graph.Draws() {
		s.draw()
	}
	for _, v := range inputs {
		s.add(s.exposed.all, s.global(v).base)
	}
	if err := s.solve(ctx); err != nil {
		return nil, fmt.Errorf("finding what pointers point to: %w", err)
	}
	s.forget()
	r := &Result{s: s, exposed: bitset.New(len(s.node)), unknown: bitset.New(len(s.node))}
	for _, o := range r.Objects() {
		for i := range o.layout.slots {
			if o.Exposed {
				r.exposed.Add(int(o.base) + i)
			}
			if o.Kind == Unknown {
				r.unknown.Add(int(o.base) + i)
			}
		}
	}
	return r, nil
}

// instructions returns the number of instructions of the functions in a graph.
func instructions(graph *callgraph.Graph) int {
	count := 0
	for _, n := range graph.Nodes {
		if n.Body != nil {
			for _, b := range n.Body.Blocks {
				count += len(b.Instrs)
			}
		}
	}
	return count
}

// forget drops what only the solver needs.
func (s *solver) forget() {
	for i := range s.node {
		s.node[i].deps = nil
	}
	s.implement, s.methods, s.types, s.exposed, s.pools = nil, nil, nil, exposed{}, nil
}

// roots reaches what the machine calls without being asked to.
func (s *solver) roots() {
	for _, site := range s.graph.Machine.Sites {
		if site.Static() {
			for _, n := range site.Callees() {
				if s.graph.Root(n) {
					s.callUnknown(n)
					s.give(s.function(n))
				}
			}
		}
	}
	// The values of panics are printed. Those of the language are made by the machine, and so is what they point to.
	s.constrain(s.panics, printing{})
	for _, t := range s.graph.Errors() {
		value := s.box(t, nil)
		s.add(s.panics, value.base)
		s.add(s.exposed.all, value.base)
	}
}

// give passes to a function with which the program starts those that it is given, which do not have
// the types of its parameters.
func (s *solver) give(f *function) {
	for i, p := range f.params {
		for _, n := range s.graph.Given() {
			o := s.funcObject(n, n.Func.Signature)
			switch t := f.types[i].Underlying().(type) {
			case *types.Signature:
				s.add(p, o.base)
			case *types.Slice:
				if _, ok := t.Elem().Underlying().(*types.Signature); ok {
					array := s.newObject(&Object{Kind: Array, Type: t.Elem()}, t.Elem())
					s.add(array.base, o.base)
					s.add(p, array.base)
				}
			}
		}
	}
}

// A printing calls the method Error or String of the values in the interfaces that a node stands for.
type printing struct{}

func (printing) apply(s *solver, added set) {
	for slot := range added.all() {
		o := s.object(slot)
		if o.Kind != Box {
			continue
		}
		for _, m := range s.methodsOf(o.Type) {
			if name := m.Func.Name(); (name == "Error" || name == "String") && s.graph.ByMachine(m) {
				s.machineCalls(m)
				if params := s.function(m).params; len(params) > 0 {
					s.copyBlock(o.base, params[0], o.layout)
				}
			}
		}
	}
}

// Of returns what a value may point to, in a fixed order: for an interface what is in it, for a map or channel the
// object of it, for a slice its array. Values that have several parts, such as structs, are taken apart by
// the instructions that use them. It is empty for code that is not reached.
func (r *Result) Of(v ssa.Value) []Label { return r.labels(r.points(v)) }

// Each yields what Of returns.
func (r *Result) Each(v ssa.Value) iter.Seq[Label] {
	return func(yield func(Label) bool) {
		for slot := range r.points(v).all() {
			if !yield(r.s.label(slot)) {
				return
			}
		}
	}
}

func (r *Result) labels(of set) []Label {
	if len(of) == 0 {
		return nil
	}
	list := make([]Label, 0, of.count())
	for slot := range of.all() {
		list = append(list, r.s.label(slot))
	}
	return list
}

// points returns the slots to which the first part of a value may point.
func (r *Result) points(v ssa.Value) set {
	points, _ := r.node(v)
	return points
}

// node is points, and returns the node that stands for the value, 0 if none does.
func (r *Result) node(v ssa.Value) (points set, number int32) {
	if n, ok := r.s.values[v]; ok {
		n = r.s.find(n)
		return r.s.node[n].points, n
	}
	if g, ok := v.(*ssa.Global); ok {
		if o := r.s.globals[g]; o != nil {
			return set{word{o.base >> 6, 1 << (o.base & 63)}}, 0
		}
	}
	return nil, 0
}

// Known reports whether the analysis has reached the code of a value, so that Of means something.
func (r *Result) Known(v ssa.Value) bool {
	_, ok := r.s.values[v]
	return ok
}

// MayField is May for a field of what a points to, or of a field of that, and so on, and for b, which may be
// an interface that has a pointer in it.
func (r *Result) MayField(a ssa.Value, fields []int, b ssa.Value) bool {
	pa, pb := r.field(a, fields), r.points(b)
	if types.IsInterface(b.Type()) {
		pb = r.receivers(b)
	}
	return pa.meets(pb) || r.punned(pa, pb)
}

// OfField is Of for the address of a field.
func (r *Result) OfField(a ssa.Value, fields []int) []Label { return r.labels(r.field(a, fields)) }

// field returns the slots to which the address of a field may point.
func (r *Result) field(a ssa.Value, fields []int) set {
	at := r.points(a)
	t := elem(a.Type())
	off := int32(0)
	for _, f := range fields {
		off += r.s.layouts.field(t, f)
		t = t.Underlying().(*types.Struct).Field(f).Type()
	}
	if off == 0 {
		return at
	}
	var moved set
	for slot := range at.all() {
		if to := r.s.at(slot, off); to != 0 {
			moved.add(to)
		}
	}
	return moved
}

// Receivers returns what the pointers may point to that are in an interface.
func (r *Result) Receivers(v ssa.Value) []Label { return r.labels(r.receivers(v)) }

func (r *Result) receivers(v ssa.Value) set {
	var all set
	for slot := range r.points(v).all() {
		if o := r.s.object(slot); o.Kind == Box && o.layout.points {
			var delta set
			all.addAll(r.s.node[r.s.find(o.base)].points, &delta)
		}
	}
	return all
}

// punned reports whether one of two sets has an object that may be any that is exposed, and the
// other one has such an object.
func (r *Result) punned(a, b set) bool {
	return a.meetsAny(r.unknown) && b.meetsAny(r.exposed) || b.meetsAny(r.unknown) && a.meetsAny(r.exposed)
}

// Summarised reports whether the analysis does not look at the code of a function, as it knows what it does.
func (r *Result) Summarised(n *callgraph.Node) bool { return effects[n.Name] != nil }

// Objects returns all objects.
func (r *Result) Objects() []*Object { return r.s.objects[1:] }

// Calls returns the call graph: that which was given to Solve, without the calls that no pointer allows.
func (r *Result) Calls() *callgraph.Graph {
	if r.calls == nil {
		r.calls = r.s.graph.Narrow(r.MayCall)
	}
	return r.calls
}

// MayCall reports whether a site may call a function, which is one of its callees. One without an
// instruction is the machine's, which calls the functions that are exposed, and those that it is
// given for that, as a timer is.
func (r *Result) MayCall(s *callgraph.Site, callee *callgraph.Node) bool {
	switch {
	case s.Instr == nil:
		return callee.Func == nil || r.s.funcs[callee.ID].byMachine
	case callee.Func == nil:
		return r.s.unknown[s]
	}
	return r.s.callees[s][callee]
}

// Reached returns the functions that were reached, in a fixed order.
func (r *Result) Reached() []*callgraph.Node { return r.s.reach }

// Size returns the number of nodes, and how many members all their sets have.
func (r *Result) Size() (nodes, members int) {
	for i := range r.s.node {
		if n := &r.s.node[i]; n.same == int32(i) {
			nodes++
			members += n.points.count()
		}
	}
	return nodes, members
}

// Print writes what the values of a function may point to.
func (r *Result) Print(w io.Writer, n *callgraph.Node) (int64, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%s:\n", n.Name)
	show := func(v ssa.Value) {
		if len(r.points(v)) == 0 {
			return
		}
		names := make([]string, 0)
		for _, l := range r.Of(v) {
			names = append(names, l.String())
		}
		slices.Sort(names)
		fmt.Fprintf(&out, "\t%s %s -> %s\n", v.Name(), types.TypeString(v.Type(), (*types.Package).Name),
			strings.Join(slices.Compact(names), ", "))
	}
	if n.Body != nil {
		for _, p := range n.Body.Params {
			show(p)
		}
		for _, p := range n.Body.FreeVars {
			show(p)
		}
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				if v, ok := instr.(ssa.Value); ok {
					show(v)
				}
			}
		}
	}
	k, err := io.WriteString(w, out.String())
	return int64(k), err
}

// Sanity returns an error that says which invariant of the result does not hold.
func (r *Result) Sanity() error {
	s := r.s
	for i := range s.node {
		n := &s.node[i]
		if n.same != int32(i) {
			continue
		}
		if len(n.fresh) > 0 || n.queued {
			return fmt.Errorf("pointsto: node %d has not been propagated", i)
		}
		for to := range n.copies.all() {
			var delta set
			to := &s.node[s.find(to)]
			if c := append(set(nil), to.points...); c.addAll(n.points, &delta) {
				return fmt.Errorf("pointsto: node %d does not point to all that a node it copies does", i)
			}
		}
		if !slices.IsSortedFunc(n.points, func(a, b word) int { return cmp.Compare(a.index, b.index) }) {
			return fmt.Errorf("pointsto: the set of node %d is not in order", i)
		}
		for slot := range n.points.all() {
			if s.owner[slot] == 0 {
				return fmt.Errorf("pointsto: node %d points to what is no slot of an object", i)
			}
		}
	}
	return nil
}
