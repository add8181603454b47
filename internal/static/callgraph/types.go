package callgraph

import (
	"go/types"
	"hash/maphash"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/everyway-go/everyway/internal/code"
)

// A typeSet has the types that values in interfaces may have.
type typeSet struct {
	code   *code.Program
	byType typeutil.Map // to *concrete
	list   []*concrete  // those that are in an interface
}

// A concrete is a type that is no interface.
type concrete struct {
	typ     types.Type
	set     *types.MethodSet
	print   uint64 // has the bits of all methods
	boxed   bool   // a value of the type may be in an interface
	derived bool   // the types that it is made of have been added
	methods bool   // its methods are known to be called by reflection
	bound   bool   // and that there are values of them with their receivers
	signed  bool   // the types in the signatures of its methods have been added
}

func newTypeSet(p *code.Program) *typeSet { return &typeSet{code: p} }

// of returns what is known of a type.
func (t *typeSet) of(typ types.Type) *concrete {
	if c, ok := t.byType.At(typ).(*concrete); ok {
		return c
	}
	c := &concrete{typ: typ, set: t.code.SSA.MethodSets.MethodSet(typ)}
	for sel := range c.set.Methods() {
		c.print |= bit(sel.Obj().Name())
	}
	t.byType.Set(typ, c)
	return c
}

// printInterface returns the bits of the methods of an interface type.
func (t *typeSet) printInterface(typ *types.Interface) (print uint64) {
	for m := range typ.Methods() {
		print |= bit(m.Name())
	}
	return print
}

var seed = maphash.MakeSeed()

// bit returns one bit for the name of a method. Which one makes no difference to any result.
func bit(name string) uint64 { return 1 << (maphash.String(seed, name) % 64) }

// implements reports whether c has the methods of the interface.
func (c *concrete) implements(i *interfaceCalls) bool {
	return c.print&i.print == i.print && types.Implements(c.typ, i.typ)
}

// method returns the function that a call of m runs if the dynamic type is that of c, nil if there is none.
func (t *typeSet) method(c *concrete, m *types.Func) *ssa.Function {
	sel := c.set.Lookup(m.Pkg(), m.Name())
	if sel == nil {
		return nil
	}
	return t.code.MethodFunc(code.MethodEntry{Sel: sel})
}

// addType notes that a value of a type may be in an interface.
func (b *builder) addType(typ types.Type) {
	if types.IsInterface(typ) {
		return
	}
	c := b.types.of(typ)
	if c.boxed {
		return
	}
	c.boxed = true
	b.types.list = append(b.types.list, c)
	for _, i := range b.ifaceList {
		if c.implements(i) {
			i.impls = append(i.impls, c)
			for _, m := range i.order {
				b.addMethod(i.methods[m], c, m)
			}
		}
	}
	b.machineType(c)
}

// derive adds the types of which values can be had by reflection from a value of a type: what it is
// made of, and pointers to that.
func (b *builder) derive(c *concrete) {
	if c.derived {
		return
	}
	c.derived = true
	work := []types.Type{}
	switch t := c.typ.Underlying().(type) {
	case *types.Pointer:
		work = append(work, t.Elem())
	case *types.Slice:
		work = append(work, t.Elem(), types.NewPointer(t.Elem()))
	case *types.Array:
		work = append(work, t.Elem(), types.NewPointer(t.Elem()))
	case *types.Chan:
		work = append(work, t.Elem())
	case *types.Map:
		work = append(work, t.Key(), t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			work = append(work, f.Type(), types.NewPointer(f.Type()))
		}
	case *types.Signature:
		b.addSignature(t)
	}
	if _, isPointer := c.typ.Underlying().(*types.Pointer); !isPointer {
		work = append(work, types.NewPointer(c.typ))
	}
	for _, t := range work {
		b.addDerived(t)
	}
}

// addDerived adds a type of which reflection can have values, and those that it is made of.
func (b *builder) addDerived(t types.Type) {
	if types.IsInterface(t) {
		return
	}
	if p, ok := t.(*types.Pointer); ok && types.IsInterface(p.Elem()) {
		return // no methods
	}
	b.addType(t)
	b.derive(b.types.of(t))
}

// addSignature adds the types of the parameters and results of a method that reflection can call.
func (b *builder) addSignature(s *types.Signature) {
	for _, tuple := range []*types.Tuple{s.Params(), s.Results()} {
		for v := range tuple.Variables() {
			b.addDerived(v.Type())
		}
	}
}
