package reach

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A Linker finds what code refers to.
type Linker interface {
	// BodyOf returns the function that has the code which calls of fn run, nil if there is
	// none, as for primitives.
	BodyOf(fn *ssa.Function) *ssa.Function
	// VariableOf returns the object of a package variable, nil if there is none as yet.
	VariableOf(v *ssa.Global) *heap.Object
}

// Code knows what functions refer to. It is filled as it is asked, and holds no state of a run.
type Code struct {
	program *code.Program
	linker  Linker
	funcs   map[*ssa.Function]*references
	types   typeutil.Map // of *references
}

// references are what a function refers to, or a type.
type references struct {
	variables []*ssa.Global
	funcs     []*ssa.Function // called, used as values, or the methods of the type
	types     []types.Type    // converted to interfaces, or parts of the type
}

// NewCode returns the code of a program.
func NewCode(p *code.Program, l Linker) *Code {
	return &Code{program: p, linker: l, funcs: map[*ssa.Function]*references{}}
}

// of returns what a function refers to itself.
func (c *Code) of(fn *ssa.Function) *references {
	if r := c.funcs[fn]; r != nil {
		return r
	}
	r := new(references)
	c.funcs[fn] = r
	body := c.linker.BodyOf(fn)
	if body == nil {
		return r
	}
	seen := make(map[ssa.Value]bool)
	var operands []*ssa.Value
	for _, b := range body.Blocks {
		for _, in := range b.Instrs {
			if v, ok := in.(*ssa.MakeInterface); ok {
				r.types = append(r.types, v.X.Type())
			}
			operands = in.Operands(operands[:0])
			for _, p := range operands {
				if seen[*p] {
					continue
				}
				switch v := (*p).(type) {
				case *ssa.Global:
					seen[v] = true
					r.variables = append(r.variables, v)
				case *ssa.Function:
					seen[v] = true
					r.funcs = append(r.funcs, v)
				}
			}
		}
	}
	return r
}

// ofType returns what who has a value of type t, or its type, can get at by reflection: the
// methods of t, and the types of which it consists.
func (c *Code) ofType(t types.Type) *references {
	if r, ok := c.types.At(t).(*references); ok {
		return r
	}
	r := new(references)
	c.types.Set(t, r)
	if types.IsInterface(t) {
		return r // a value has another type
	}
	for _, t := range [...]types.Type{t, types.NewPointer(t)} {
		for sel := range c.program.SSA.MethodSets.MethodSet(t).Methods() {
			if fn := c.program.MethodFunc(code.MethodEntry{Sel: sel}); fn != nil {
				r.funcs = append(r.funcs, fn)
			}
		}
	}
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		r.types = append(r.types, t.Elem())
	case *types.Slice:
		r.types = append(r.types, t.Elem())
	case *types.Array:
		r.types = append(r.types, t.Elem())
	case *types.Chan:
		r.types = append(r.types, t.Elem())
	case *types.Map:
		r.types = append(r.types, t.Key(), t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			r.types = append(r.types, f.Type())
		}
	case *types.Signature:
		for _, list := range [...]*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				r.types = append(r.types, v.Type())
			}
		}
	}
	return r
}

// executable is the code that live goroutines can execute. It extends a set of objects: with
// the objects of the set it contains the functions among them and the methods of the types
// among them, and the set contains the variables to which the code refers.
type executable struct {
	*Code
	state *state.State
	known map[*references]bool
	queue []*references // known ones that have not been followed yet
}

// add adds what has references r.
func (x *executable) add(r *references) {
	if !x.known[r] {
		x.known[r] = true
		x.queue = append(x.queue, r)
	}
}

// addFunc adds a linked function, if it has a body.
func (x *executable) addFunc(fn *state.Function) {
	if fn.SSA != nil {
		x.add(x.of(fn.SSA))
	}
}

// addObject adds the code that an object stands for.
func (x *executable) addObject(o *heap.Object) {
	switch o.Kind {
	case heap.ClosureObject:
		x.addFunc(x.state.Funcs[o.Func])
	case heap.TypeObject:
		if o.Desc != nil {
			x.add(x.ofType(o.Desc.Go))
		}
	}
}

// follow adds to s the variables to which the code in the queue refers.
func (x *executable) follow(s *Objects) {
	for n := len(x.queue); n > 0; n = len(x.queue) {
		r := x.queue[n-1]
		x.queue = x.queue[:n-1]
		for _, v := range r.variables {
			s.add(x.linker.VariableOf(v))
		}
		for _, fn := range r.funcs {
			x.add(x.of(fn))
		}
		for _, t := range r.types {
			x.add(x.ofType(t))
		}
	}
}

// addCollectables adds what runs when objects are collected, which may be at any time.
func (s *Objects) addCollectables(m *state.State) {
	for _, list := range [...][]state.Collectable{m.Collectables, m.Finalizing} {
		for i := range list {
			c := &list[i]
			for _, o := range [...]*heap.Object{c.Object, c.Func, c.Caller, c.Runner} {
				s.Add(o)
			}
			s.AddWords(c.Args)
		}
	}
}
