package pointsto

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// A function has the nodes of the parameters and results of a function.
type function struct {
	known     bool
	reached   bool
	byMachine bool    // the machine may call it
	params    []int32 // receiver first
	types     []types.Type
	results   int32 // of all results together
	object    *Object
}

// function returns the nodes of a function.
func (s *solver) function(n *callgraph.Node) *function {
	f := &s.funcs[n.ID]
	if f.known {
		return f
	}
	f.known = true
	switch {
	case n.Body != nil:
		for _, p := range n.Body.Params {
			f.params = append(f.params, s.value(p))
			f.types = append(f.types, p.Type())
		}
		f.results = s.block(n.Body.Signature.Results())
	case n.Func != nil:
		if recv := n.Func.Signature.Recv(); recv != nil {
			f.types = append(f.types, recv.Type())
		}
		for v := range n.Func.Signature.Params().Variables() {
			f.types = append(f.types, v.Type())
		}
		for _, t := range f.types {
			f.params = append(f.params, s.block(t))
		}
		f.results = s.block(n.Func.Signature.Results())
	}
	return f
}

// block returns nodes for a value of a type, 0 if it holds no pointers.
func (s *solver) block(t types.Type) int32 {
	l := s.layouts.of(t)
	if !l.points {
		return 0
	}
	return s.nodes(len(l.slots))
}

// reachFunc has the code of a function looked at, if that has not been done.
func (s *solver) reachFunc(n *callgraph.Node) {
	if f := s.function(n); !f.reached {
		f.reached = true
		s.pending = append(s.pending, n)
		s.reach = append(s.reach, n)
	}
}

// machineCalls is a call of a function by the machine.
func (s *solver) machineCalls(n *callgraph.Node) {
	s.reachFunc(n)
	s.function(n).byMachine = true
}

// callUnknown is a call that the analysis does not see: the arguments are exposed values of their types,
// and the results are exposed.
func (s *solver) callUnknown(n *callgraph.Node) {
	s.machineCalls(n)
	f := s.function(n)
	params, of := f.params, f.types
	for i, p := range params {
		s.fill(p, s.layouts.of(of[i]))
	}
	if n.Func != nil {
		s.expose(s.function(n).results, s.layouts.of(n.Func.Signature.Results()))
	}
}

// value returns the node of a value, 0 if it points to nothing.
func (s *solver) value(v ssa.Value) int32 {
	if n, ok := s.values[v]; ok {
		return n
	}
	var n int32
	switch v := v.(type) {
	case *ssa.Const, *ssa.Builtin:
	case *ssa.Global:
		n = s.nodes(1)
		s.add(n, s.global(v).base)
	case *ssa.Function:
		n = s.nodes(1)
		if of := s.graph.Of(v); of != nil {
			s.add(n, s.funcObject(of, v.Signature).base)
		}
	default:
		if from, off, ok := s.part(v); !ok {
			n = s.block(v.Type())
		} else if s.layouts.of(v.Type()).points {
			if n = s.value(from); n != 0 {
				n += off
			}
		}
	}
	s.values[v] = n
	return n
}

// part returns the value of which v is a part, and the slot at which it begins there, or the value that points to the
// same as v does. Such a v needs no nodes of its own: it has those of that value.
func (s *solver) part(v ssa.Value) (from ssa.Value, off int32, ok bool) {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return v.X, 0, s.layouts.field(elem(v.X.Type()), v.Field) == 0
	case *ssa.Field:
		return v.X, s.layouts.field(v.X.Type(), v.Field), true
	case *ssa.Extract:
		return v.Tuple, s.layouts.field(v.Tuple.Type(), v.Index), true
	case *ssa.IndexAddr: // the elements have one slot between them
		return v.X, 0, true
	case *ssa.Index:
		return v.X, 0, true
	case *ssa.Slice:
		return v.X, 0, true
	case *ssa.SliceToArrayPointer:
		return v.X, 0, true
	case *ssa.ChangeType:
		return v.X, 0, true
	case *ssa.ChangeInterface:
		return v.X, 0, true
	}
	return nil, 0, false
}

// global returns the object of a package variable.
func (s *solver) global(g *ssa.Global) *Object {
	o := s.globals[g]
	if o == nil {
		t := g.Type().Underlying().(*types.Pointer).Elem()
		o = s.newObject(&Object{Kind: Variable, Type: t, Global: g}, t)
		s.globals[g] = o
	}
	return o
}

// funcObject returns the object of a function.
func (s *solver) funcObject(n *callgraph.Node, sig *types.Signature) *Object {
	f := s.function(n)
	if f.object == nil {
		o := s.newObject(&Object{Kind: Func, Type: sig, Func: n}, types.Typ[types.Int])
		s.function(n).object = o
		return o
	}
	return f.object
}

// box returns the object of a value of type t in an interface, which shares it with all others of
// the type if t holds no pointers.
func (s *solver) box(t types.Type, instr ssa.Instruction) *Object {
	if l := s.layouts.of(t); l.points && instr != nil {
		return s.newObject(&Object{Kind: Box, Type: t, Instr: instr}, t)
	}
	if o, ok := s.boxes.At(t).(*Object); ok {
		return o
	}
	o := s.newObject(&Object{Kind: Box, Type: t}, t)
	s.boxes.Set(t, o)
	return o
}

// generate makes the constraints of the code of a function.
func (s *solver) generate(n *callgraph.Node) {
	if n.Body == nil {
		s.primitive(n)
		return
	}
	if s.known(n) {
		return
	}
	for _, b := range n.Body.Blocks {
		for _, instr := range b.Instrs {
			s.instr(n, instr)
		}
	}
	for _, site := range n.Sites {
		s.call(site)
	}
}

// alloc makes the value of an instruction point to a new object.
func (s *solver) alloc(v ssa.Value, o *Object, content types.Type) {
	s.add(s.value(v), s.newObject(o, content).base)
}

// loads makes the nodes from dst on, which hold a value of type t, point to what the slots do at a
// distance from those of addr.
func (s *solver) loads(addr, off, dst int32, t types.Type) {
	l := s.layouts.of(t)
	if addr == 0 || dst == 0 || !l.points {
		return
	}
	for i, t := range l.slots {
		if holdsPointer(t) {
			s.constrain(addr, &load{dst + int32(i), off + int32(i)})
		}
	}
}

// stores is the inverse of loads.
func (s *solver) stores(addr, off, src int32, t types.Type) {
	l := s.layouts.of(t)
	if addr == 0 || src == 0 || !l.points {
		return
	}
	for i, t := range l.slots {
		if holdsPointer(t) {
			s.constrain(addr, &store{src + int32(i), off + int32(i)})
		}
	}
}

// instr makes the constraints of an instruction, but for calls.
func (s *solver) instr(n *callgraph.Node, instr ssa.Instruction) {
	switch v := instr.(type) {
	case *ssa.Alloc:
		t := elem(v.Type())
		s.alloc(v, &Object{Kind: Variable, Type: t, Instr: v}, t)
	case *ssa.MakeSlice:
		t := elem(v.Type())
		s.alloc(v, &Object{Kind: Array, Type: t, Instr: v}, t)
	case *ssa.MakeMap:
		s.alloc(v, &Object{Kind: Map, Type: v.Type(), Instr: v}, content(v.Type()))
	case *ssa.MakeChan:
		s.alloc(v, &Object{Kind: Chan, Type: v.Type(), Instr: v}, content(v.Type()))
	case *ssa.MakeClosure:
		fn := v.Fn.(*ssa.Function)
		s.copy(s.value(fn), s.value(v))
		if of := s.graph.Of(fn); of != nil && of.Body != nil {
			for i, x := range v.Bindings {
				s.copyBlock(s.value(x), s.value(of.Body.FreeVars[i]), s.layouts.of(x.Type()))
			}
		}
	case *ssa.MakeInterface:
		l := s.layouts.of(v.X.Type())
		o := s.box(v.X.Type(), v)
		s.add(s.value(v), o.base)
		s.copyBlock(s.value(v.X), o.base, l)
	case *ssa.Phi:
		for _, e := range v.Edges {
			s.copyBlock(s.value(e), s.value(v), s.layouts.of(v.Type()))
		}
	case *ssa.FieldAddr:
		off := s.layouts.field(elem(v.X.Type()), v.Field)
		if x, dst := s.value(v.X), s.value(v); off != 0 && x != 0 && dst != 0 {
			s.constrain(x, &offset{dst, off})
		}
	case *ssa.Field, *ssa.Extract, *ssa.IndexAddr, *ssa.Index, *ssa.Slice, *ssa.SliceToArrayPointer, *ssa.ChangeType, *ssa.ChangeInterface:
		s.value(instr.(ssa.Value)) // see part
	case *ssa.Convert:
		s.convert(v)
	case *ssa.TypeAssert:
		s.typeAssert(v)
	case *ssa.UnOp:
		s.unOp(v)
	case *ssa.Store:
		s.stores(s.value(v.Addr), 0, s.value(v.Val), v.Val.Type())
	case *ssa.Lookup:
		if m, ok := v.X.Type().Underlying().(*types.Map); ok {
			s.loads(s.value(v.X), int32(len(s.layouts.of(m.Key()).slots)), s.value(v), m.Elem())
		}
	case *ssa.MapUpdate:
		m := v.Map.Type().Underlying().(*types.Map)
		s.stores(s.value(v.Map), 0, s.value(v.Key), m.Key())
		s.stores(s.value(v.Map), int32(len(s.layouts.of(m.Key()).slots)), s.value(v.Value), m.Elem())
	case *ssa.Next:
		s.next(v)
	case *ssa.Send:
		s.stores(s.value(v.Chan), 0, s.value(v.X), v.X.Type())
	case *ssa.Select:
		s.selects(v)
	case *ssa.Panic:
		s.copy(s.value(v.X), s.panics)
	case *ssa.Return:
		if f := s.function(n); f.results != 0 {
			results := f.results
			for i, x := range v.Results {
				s.copyBlock(s.value(x), results+s.layouts.field(n.Body.Signature.Results(), i), s.layouts.of(x.Type()))
			}
		}
	case ssa.CallInstruction:
		if b, ok := v.Common().Value.(*ssa.Builtin); ok {
			s.builtin(b.Name(), v)
		}
	}
}

func (s *solver) convert(v *ssa.Convert) {
	from, to := v.X.Type().Underlying(), v.Type().Underlying()
	switch to := to.(type) {
	case *types.Pointer:
		if isUnsafePointer(from) {
			s.constrain(s.value(v.X), &cast{s.value(v), v.Type(), s.layouts.number(to.Elem())})
			return
		}
	case *types.Slice:
		s.alloc(v, &Object{Kind: Array, Type: to.Elem(), Instr: v}, to.Elem()) // of a string
		return
	case *types.Basic:
		if to.Kind() == types.Uintptr && isUnsafePointer(from) {
			s.copy(s.value(v.X), s.exposed.all)
			return
		}
		if to.Kind() == types.UnsafePointer {
			if b, ok := from.(*types.Basic); ok && b.Kind() != types.UnsafePointer {
				s.copy(s.exposed.all, s.value(v))
				return
			}
		}
	}
	s.copyBlock(s.value(v.X), s.value(v), s.layouts.of(v.Type()))
}

func isUnsafePointer(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

func (s *solver) typeAssert(v *ssa.TypeAssert) {
	x, dst := s.value(v.X), s.value(v) // of a tuple, the value comes first
	if x == 0 || dst == 0 {
		return
	}
	if i, ok := v.AssertedType.Underlying().(*types.Interface); ok {
		s.constrain(x, &implementation{i, dst})
	} else if l := s.layouts.of(v.AssertedType); l.points {
		s.boxAsserted(v.AssertedType)
		s.constrain(x, &assertion{v.AssertedType, dst, l})
	}
}

func (s *solver) unOp(v *ssa.UnOp) {
	switch v.Op {
	case token.MUL:
		s.loads(s.value(v.X), 0, s.value(v), v.Type())
	case token.ARROW:
		s.loads(s.value(v.X), 0, s.value(v), elem(v.X.Type())) // of a tuple, the value comes first
	}
}

func (s *solver) next(v *ssa.Next) {
	r, ok := v.Iter.(*ssa.Range)
	if !ok || v.IsString {
		return
	}
	m := r.X.Type().Underlying().(*types.Map)
	dst := s.value(v)
	if dst == 0 {
		return
	}
	tuple := v.Type().(*types.Tuple)
	keys := s.layouts.of(m.Key())
	if types.Identical(tuple.At(1).Type(), m.Key()) {
		s.loads(s.value(r.X), 0, dst+s.layouts.field(tuple, 1), m.Key())
	}
	if types.Identical(tuple.At(2).Type(), m.Elem()) {
		s.loads(s.value(r.X), int32(len(keys.slots)), dst+s.layouts.field(tuple, 2), m.Elem())
	}
}

func (s *solver) selects(v *ssa.Select) {
	dst := s.value(v)
	received := 2 // after the index of the case, and whether something was received
	for _, c := range v.States {
		if c.Dir == types.SendOnly {
			s.stores(s.value(c.Chan), 0, s.value(c.Send), c.Send.Type())
			continue
		}
		if dst != 0 {
			s.loads(s.value(c.Chan), 0, dst+s.layouts.field(v.Type(), received), elem(c.Chan.Type()))
		}
		received++
	}
}

// builtin makes the constraints of a call of a builtin function.
func (s *solver) builtin(name string, call ssa.CallInstruction) {
	args := call.Common().Args
	v := call.Value() // nil in a go or defer statement
	switch name {
	case "append":
		if v == nil {
			return
		}
		t := elem(v.Type())
		s.copy(s.value(args[0]), s.value(v))
		s.alloc(v, &Object{Kind: Array, Type: t, Instr: call}, t)
		if len(args) > 1 {
			s.copyElements(s.value(args[1]), s.value(v), t)
		}
		s.copyElements(s.value(args[0]), s.value(v), t)
	case "copy":
		if t := elem(args[0].Type()); t != nil {
			s.copyElements(s.value(args[1]), s.value(args[0]), t)
		}
	case "recover":
		if v != nil {
			s.copy(s.panics, s.value(v))
		}
	case "ssa:wrapnilchk", "Slice", "SliceData": // of package unsafe
		if v != nil {
			s.copy(s.value(args[0]), s.value(v))
		}
	case "Add":
		s.copy(s.value(args[0]), s.exposed.all)
		if v != nil {
			s.copy(s.exposed.all, s.value(v))
		}
	case "StringData":
		if v != nil {
			s.fill(s.value(v), s.layouts.of(v.Type()))
		}
	case "min", "max":
	}
}

// copyElements makes the elements of a slice point to what those of another one do.
func (s *solver) copyElements(from, to int32, t types.Type) {
	if l := s.layouts.of(t); from != 0 && to != 0 && l.points {
		between := s.nodes(len(l.slots))
		s.loads(from, 0, between, t)
		s.stores(to, 0, between, t)
	}
}
