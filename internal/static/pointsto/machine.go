package pointsto

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// An effect makes the constraints of a function of which it is known what it does to pointers.
type effect func(s *solver, f *function, n *callgraph.Node)

// effects are functions of the machine, and some of the standard library whose code the analysis
// does not see through. What the machine carries out and is not in the table exposes what it is given,
// but for pointers to what holds no pointers, and returns what is exposed.
var effects = map[string]effect{
	"internal/abi.NoEscape":             passes,
	"weak.register":                     passes,
	"weak.value":                        passes,
	"fmt.settled":                       passes,
	"testing.settled":                   passes,
	"testing.function":                  boxesFunc,
	"testing.checkCorpus":               nothing,
	"testing.paramName":                 nothing,
	"testing.reportExample":             nothing,
	"runtime.KeepAlive":                 nothing,
	"runtime.stopCleanup":               nothing,
	"runtime.addCleanup":                calls(1),
	"runtime.setFinalizer":              finalizer,
	"time.startTimer":                   timer,
	"time.resetTimer":                   timer,
	"time.stopTimer":                    nothing,
	"sync.addPool":                      nothing,
	"sync.checkCopy":                    nothing,
	"sync.commute":                      nothing,
	"sync/atomic.sameType":              nothing,
	"internal/sync.hashOf":              nothing,
	"internal/sync.isComparable":        nothing,
	"internal/synctest.enter":           nothing,
	"runtime.typehash":                  nothing,
	"internal/abi.FuncPCABI0":           nothing,
	"internal/abi.FuncPCABIInternal":    nothing,
	"reflect.funcEntry":                 nothing,
	"testing.noteRoom":                  nothing,
	"reflect.rtypeOf":                   typeWord,
	"internal/reflectlite.TypeOf":       typeWord,
	"sync/atomic.LoadPointer":           loadPointer,
	"sync/atomic.StorePointer":          storePointer(1),
	"sync/atomic.SwapPointer":           swapPointer,
	"sync/atomic.CompareAndSwapPointer": storePointer(2),
}

// nothing is the effect of what does nothing to pointers.
func nothing(*solver, *function, *callgraph.Node) {}

// passes is the effect of returning the first parameter.
func passes(s *solver, f *function, n *callgraph.Node) {
	s.copyBlock(f.params[0], f.results, s.layouts.of(f.types[0]))
}

// boxesFunc is the effect of returning the function that is the first parameter as an interface value that has its own
// type.
func boxesFunc(s *solver, f *function, _ *callgraph.Node) {
	s.constrain(f.params[0], &boxing{f.results})
}

// A boxing makes dst point to interface values with the functions that a node points to.
type boxing struct{ dst int32 }

func (c *boxing) apply(s *solver, added set) {
	for slot := range added.all() {
		if o := s.object(slot); o.Kind == Func && o.Func != nil {
			box := s.newObject(&Object{Kind: Box, Type: o.Type}, o.Type)
			s.add(box.base, slot)
			s.add(c.dst, box.base)
		}
	}
}

// calls is the effect of having the machine call a parameter, which is a function without parameters and
// results.
func calls(param int) effect {
	return func(s *solver, f *function, _ *callgraph.Node) { s.constrain(f.params[param], machineCall{}) }
}

// A machineCall has the machine call the functions that a node points to.
type machineCall struct{}

func (machineCall) apply(s *solver, added set) {
	for slot := range added.all() {
		if o := s.object(slot); o.Kind == Func && o.Func != nil {
			s.machineCalls(o.Func)
		}
	}
}

// finalizer is the effect of runtime.setFinalizer.
func finalizer(s *solver, f *function, n *callgraph.Node) {
	s.copy(f.params[0], s.exposed.all)
	s.copy(f.params[1], s.exposed.all)
	calls(2)(s, f, n)
}

// timer is the effect of starting a timer: the machine sends the time in a location on its channel,
// or calls its function.
func timer(s *solver, f *function, n *callgraph.Node) {
	cell := elem(f.types[0])
	fields, ok := cell.Underlying().(*types.Struct)
	if !ok {
		return
	}
	field := func(name string) (off int32, t types.Type) {
		for i := range fields.NumFields() {
			if fields.Field(i).Name() == name {
				return s.layouts.field(cell, i), fields.Field(i).Type()
			}
		}
		return -1, nil
	}
	if off, t := field("f"); t != nil {
		dst := s.nodes(1)
		s.loads(f.params[0], off, dst, t)
		s.constrain(dst, machineCall{})
	}
	c, ct := field("c")
	loc, lt := field("loc")
	if ct == nil || lt == nil {
		return
	}
	ch, at := s.nodes(1), s.nodes(1)
	s.loads(f.params[0], c, ch, ct)
	s.loads(f.params[0], loc, at, lt)
	l := s.layouts.of(elem(ct))
	for i, t := range l.slots { // the location is the only pointer in a time
		if holdsPointer(t) {
			s.constrain(ch, &store{at, int32(i)})
		}
	}
}

// typeWord is the effect of returning the type of a value in an interface.
func typeWord(s *solver, f *function, n *callgraph.Node) {
	result := n.Func.Signature.Results().At(0).Type()
	word := s.typeObject(n.Func.Pkg)
	if word == nil {
		s.fill(f.results, s.layouts.of(result))
		return
	}
	if !types.IsInterface(result) {
		s.add(f.results, word.base)
		return
	}
	box := s.box(types.NewPointer(word.Type), nil)
	s.add(box.base, word.base)
	s.add(f.results, box.base)
}

// typeObject returns the object that stands for all types of the machine in a package with a type
// rtype, nil if it has none.
func (s *solver) typeObject(pkg *ssa.Package) *Object {
	if pkg == nil || pkg.Type("rtype") == nil {
		return nil
	}
	o := s.types[pkg]
	if o == nil {
		t := pkg.Type("rtype").Type()
		o = s.newObject(&Object{Kind: Unknown, Type: t}, t)
		s.types[pkg] = o
	}
	return o
}

func loadPointer(s *solver, f *function, _ *callgraph.Node) {
	s.constrain(f.params[0], &load{f.results, 0})
}

func storePointer(param int) effect {
	return func(s *solver, f *function, _ *callgraph.Node) {
		s.constrain(f.params[0], &store{f.params[param], 0})
	}
}

func swapPointer(s *solver, f *function, n *callgraph.Node) {
	loadPointer(s, f, n)
	storePointer(1)(s, f, n)
}

// known makes the constraints of a function that is in the table though it has code, and reports whether it is.
func (s *solver) known(n *callgraph.Node) bool {
	e := effects[n.Name]
	if e != nil {
		e(s, s.function(n), n)
	}
	return e != nil
}

// primitive makes the constraints of a function without code.
func (s *solver) primitive(n *callgraph.Node) {
	if w := s.graph.Written(n); w != nil {
		s.written(w)
	}
	if n.Func == nil || s.known(n) {
		return
	}
	f := s.function(n)
	for i, p := range f.params {
		if !s.harmless(f.types[i]) {
			s.expose(p, s.layouts.of(f.types[i]))
		}
	}
	results := n.Func.Signature.Results()
	if f.results == 0 {
		return
	}
	for i := range results.Len() {
		t := results.At(i).Type()
		at := f.results + s.layouts.field(results, i)
		if word := s.typeObject(n.Func.Pkg); word != nil && types.Identical(t, types.NewPointer(word.Type)) {
			s.add(at, word.base)
			continue
		}
		if _, ok := t.Underlying().(*types.Signature); ok {
			s.add(at, s.machineFunc())
		}
		s.fill(at, s.layouts.of(t))
	}
	switch n.Name {
	case "reflect.packerOf", "internal/reflectlite.packerOf":
		s.boxAll()
	case "reflect.makeFunc", "reflect.methodBound":
		s.machineFunc()
	case "reflect.methodFunc":
		s.exposeMethods()
	}
}

// written has the function that a function value calls that the machine has written, if it is always the
// same. Others are called if they are exposed: see open.
func (s *solver) written(n *callgraph.Node) {
	for _, site := range n.Sites {
		if site.Static() {
			for _, c := range site.Callees() {
				s.callUnknown(c)
			}
		}
	}
}

// harmless reports whether a value of a type leads to no pointers.
func (s *solver) harmless(t types.Type) bool {
	if !s.layouts.of(t).points {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice:
		to := elem(t)
		if named, ok := to.(*types.Named); ok && named.Obj().Name() == "rtype" {
			return true
		}
		return !s.layouts.of(to).points || s.harmless(to)
	}
	return false
}

// machineFunc returns the slot of the function values that the machine has written.
func (s *solver) machineFunc() int32 {
	if s.unknownFunc == nil {
		s.unknownFunc = s.newObject(&Object{Kind: Unknown, Exposed: true}, types.Typ[types.Int])
		s.add(s.exposed.all, s.unknownFunc.base)
	}
	return s.unknownFunc.base
}

// draw exposes the values that interfaces and functions have which are inputs.
func (s *solver) draw() {
	s.machineFunc()
	for _, t := range s.code.InputTypes() {
		for _, t := range []types.Type{t, types.NewPointer(t)} {
			s.add(s.exposed.all, s.box(t, nil).base)
		}
	}
	for _, t := range s.code.Stores.All() {
		if !types.IsInterface(t) {
			s.add(s.exposed.all, s.box(t, nil).base)
		}
	}
	for _, fn := range s.code.InputFuncs() {
		if n := s.graph.Of(fn); n != nil { // otherwise nothing calls a function of its type
			o := s.newObject(&Object{Kind: Func, Type: fn.Signature, Func: n}, types.Typ[types.Int])
			s.add(s.exposed.all, o.base)
		}
	}
}

// exposeMethods exposes the values of methods, as functions that take their receivers first.
func (s *solver) exposeMethods() {
	for _, n := range s.graph.Nodes {
		if n.Func == nil || n.Func.Signature.Recv() == nil || !s.graph.ByMachine(n) {
			continue
		}
		o := s.newObject(&Object{Kind: Func, Type: callgraph.Unbound(n.Func.Signature), Func: n}, types.Typ[types.Int])
		s.add(s.exposed.all, o.base)
	}
}

// boxAll has values of every type that reflection can make get into interfaces that are exposed. It
// can make types, too, as those of method values and reflect.FuncOf's, whose values are seen where
// code asserts such a type.
func (s *solver) boxAll() {
	if s.exposed.boxes {
		return
	}
	s.exposed.boxes = true
	for _, t := range slices.Concat(s.graph.Boxed(), s.exposed.asserted) {
		s.add(s.exposed.all, s.box(t, nil).base)
	}
}

// boxAsserted notes that code asserts a type.
func (s *solver) boxAsserted(t types.Type) {
	if s.exposed.boxes {
		s.add(s.exposed.all, s.box(t, nil).base)
	} else {
		s.exposed.asserted = append(s.exposed.asserted, t)
	}
}
