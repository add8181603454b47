package shape

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// An iface is an interface whose dynamic type is an input: 0 for nil, or the number of one of the types.
type iface struct {
	all   []*code.Type // the types that it can have
	typ   *code.Type   // in this run, nil for nil
	name  string       // of the value
	box   *heap.Object // has the value if it is of several words, which is drawn when the type is chosen
	holds []expr.ID    // what holds of the value if it is one word
}

// dynamic draws an interface of type t. Its dynamic type is chosen when it is used; a comparison with nil does not.
func (f *filling) dynamic(t *code.Type, name string, at int) {
	all := f.implementations(t)
	if len(all) == 0 {
		f.m.AddBound(run.NoSite, fmt.Sprintf("inputs of type %s that are nil, since no type of the program implements it", code.TypeString(t.Go)))
		return
	}
	total := len(all)
	if t.Go.Underlying().(*types.Interface).NumMethods() == 0 {
		all = all[:min(total, maxTypes)]
	}
	of, limit := name+".(type)", uint64(len(all))
	f.m.AddBound(run.NoSite, fmt.Sprintf("inputs of type %s that are nil or of %s", code.TypeString(t.Go), listed(all, total)))
	x := f.m.DrawUpTo(of, code.Uint16, limit, 0)
	of = f.m.InputPrefix + of
	v := variable{name: of, sym: x.Sym, index: len(f.vars), input: f.inputOf(of), depth: f.depth, iface: &iface{all: all}}
	f.m.Trace.Inputs[v.input].Type = typesPrefix + strings.Join(names(all), "|")
	var typ, data symbolic.Operand
	if x.N > 0 {
		v.iface.typ = all[x.N-1]
		// Names of inputs have no spaces, since the environment of a native run has them separated by spaces.
		v.iface.name = strings.ReplaceAll(fmt.Sprintf("%s.(%s)", name, code.TypeString(v.iface.typ.Go)), " ", "")
		typ.Word = f.m.TypeWord(v.iface.typ)
	}
	if a := f.m.Arena; x.Sym != expr.None {
		typ.Sym = a.Const(0, 64)
		for i, u := range slices.Backward(all) {
			typ.Sym = a.Ite(a.Eq(x.Sym, a.Const(uint64(i+1), 16)), a.Const(f.m.TypeWord(u).PointerCode(), 64), typ.Sym)
		}
		f.assumed(a.Ule(x.Sym, a.Const(limit, 16)))
	}
	f.add(v)
	switch u := v.iface.typ; {
	case u == nil || u.Words == 0:
	case u.Words == 1:
		one := newFilling(f.Heap, f.g, u, f.depth)
		one.iface = v.iface
		one.value(u, v.iface.name, 0)
		data = symbolic.Operand{Word: one.words[0], Sym: one.syms[0]}
	default:
		f.arrays++
		v.iface.box = f.m.NewInput(f.g, u, heap.Variable, 1, firstArray+f.arrays)
		data.P = v.iface.box
	}
	f.set(at, typ)
	f.set(at+1, data)
}

// typesPrefix begins the type of the input that says which dynamic type an interface has.
const typesPrefix = "type "

// chooseTypes chooses the dynamic types of the interfaces among the first n variables that can hold a pointer to a value of such a type. Whether a run has that pointer
// depends on the type, so what is added to its path because of it would, too.
func (h *Heap) chooseTypes(g *state.Goroutine, n int, leadsTo func(elem *code.Type) bool) bool {
	for i := range n {
		v := &h.vars[i]
		if v.iface == nil || v.chosen || !slices.ContainsFunc(v.iface.all, func(t *code.Type) bool {
			return t.Words == 1 && contains(t, func(u *code.Type) bool { return u.Shape == code.ShapePointer && leadsTo(u.Elem) })
		}) {
			continue
		}
		if !h.chooseType(g, i) {
			return false
		}
	}
	return true
}

// chooseType is choose for the dynamic type of an interface.
func (h *Heap) chooseType(g *state.Goroutine, i int) bool {
	v := &h.vars[i]
	v.chosen = true
	h.open--
	in, depth := v.iface, v.depth
	h.m.Equate(g, v.sym, h.m.Trace.Inputs[v.input].Value)
	for _, cond := range in.holds {
		if h.m.Over {
			return false
		}
		h.m.AddCondition(g, cond, true, run.Assumed)
	}
	if !h.m.Over {
		h.fillInterface(g, in, depth)
	}
	return !h.m.Over
}

// fillInterface draws the value in an interface if it is of several words.
func (h *Heap) fillInterface(g *state.Goroutine, in *iface, depth int) {
	if in.box == nil {
		return
	}
	f := newFilling(h, g, in.typ, depth)
	if f.value(in.typ, in.name, 0); !h.m.Over {
		f.store(heap.Location{Object: in.box})
	}
}

// maxTypes is the number of types that an interface without methods can have.
const maxTypes = 16

// implementations returns the types of values that an interface of type t can have, in an order that depends on the program only:
// those that packages outside of the standard library declare, and what errors.New returns. An interface without methods can also
// be an int or a string.
func (h *Heap) implementations(t *code.Type) []*code.Type {
	if list, ok := h.types[t]; ok {
		return list
	}
	p := h.m.Program
	iface := t.Go.Underlying().(*types.Interface)
	var list []*code.Type
	for _, pkg := range p.Packages() {
		if p.Standard(pkg.Pkg) && pkg.Pkg.Path() != "errors" || strings.HasPrefix(pkg.Pkg.Path(), "github.com/everyway-go/everyway/sym") {
			continue
		}
		for _, name := range pkg.Pkg.Scope().Names() {
			named, ok := pkg.Pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || named.IsAlias() || pkg.Pkg.Path() == "errors" && (name != "errorString" || iface.NumMethods() == 0) {
				continue
			}
			n, ok := named.Type().(*types.Named)
			if !ok || n.TypeParams().Len() > 0 || types.IsInterface(n) {
				continue
			}
			_, isStruct := n.Underlying().(*types.Struct)
			switch {
			case types.Implements(n, iface) && !(isStruct && iface.NumMethods() == 0):
				list = append(list, p.Type(n))
			case types.Implements(types.NewPointer(n), iface):
				list = append(list, p.Type(types.NewPointer(n)))
			}
		}
	}
	slices.SortFunc(list, func(a, b *code.Type) int {
		return cmp.Compare(types.TypeString(a.Go, nil), types.TypeString(b.Go, nil))
	})
	if iface.NumMethods() == 0 {
		basic := []*code.Type{p.Type(types.Typ[types.Int]), p.Type(types.Typ[types.String])}
		basic = slices.DeleteFunc(basic, func(b *code.Type) bool { return !types.Satisfies(b.Go, iface) })
		list = append(basic, list...)
	}
	h.types[t] = list
	return list
}

func names(list []*code.Type) []string {
	all := make([]string, len(list))
	for i, t := range list {
		all[i] = code.TypeString(t.Go)
	}
	return all
}

// listed names types in a bound, which are the first ones of a number of types.
func listed(list []*code.Type, of int) string {
	all := names(list)
	if len(all) == 1 {
		return "type " + all[0]
	}
	if len(all) < of {
		return fmt.Sprintf("one of %d of the %d types of the program: %s, …", len(all), of, strings.Join(all[:3], ", "))
	}
	if len(all) > 4 {
		return fmt.Sprintf("one of %d types of the program: %s, …", len(all), strings.Join(all[:3], ", "))
	}
	return "type " + strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
}
