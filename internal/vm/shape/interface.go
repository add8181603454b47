package shape

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// An iface is an interface whose dynamic type is an input: 0 for nil, or the number of one of the types.
type iface struct {
	all   []alternative
	typ   *code.Type   // in this run, nil for nil and for the value of a variable
	name  string       // of the value
	box   *heap.Object // has the value if it is of several words, which is drawn when the type is chosen
	holds []expr.ID    // what holds of the value if it is one word
}

// dynamic draws an interface of type t. Its dynamic type is chosen when it is used; a comparison with nil does not.
func (f *filling) dynamic(t *code.Type, name string, at int) {
	all := f.alternatives(t)
	if len(all) == 0 {
		f.m.GiveUpAt(run.NoSite, fmt.Sprintf("inputs of type %s other than nil, since no type of the program implements it, or only pointers to what has no size", code.TypeString(t.Go)))
		return
	}
	total := len(all)
	if t.Go.Underlying().(*types.Interface).NumMethods() == 0 {
		all = all[:min(total, maxTypes)]
	}
	f.m.AddBound(run.NoSite, fmt.Sprintf("inputs of type %s that are nil or %s", code.TypeString(t.Go), listed(all, total)))
	f.dynamicAmong(all, name, at, nil)
}

// dynamicAmong draws an interface that is nil or has a value of one of some types. Points says
// where a pointer leads that it has; it may be nil.
func (f *filling) dynamicAmong(all []alternative, name string, at int, points func(slot int) fragment.Region) {
	of, limit := name+".(type)", uint64(len(all))
	x := f.m.DrawUpTo(of, code.Uint16, limit, 0)
	of = f.m.InputPrefix + of
	v := variable{name: of, sym: x.Sym, index: len(f.vars), input: f.inputOf(of), depth: f.depth, iface: &iface{all: all}}
	f.m.Trace.Inputs[v.input].Type = run.TypesPrefix + strings.Join(names(all), "|")
	var typ, data symbolic.Operand
	if x.N > 0 {
		v.iface.typ = all[x.N-1].typ
		// Names of inputs have no spaces, since the environment of a native run has them separated by spaces.
		v.iface.name = strings.ReplaceAll(fmt.Sprintf("%s.(%s)", name, all[x.N-1].name), " ", "")
		typ.Word, data.Word = f.valueWords(all[x.N-1])
	}
	if a := f.m.Arena; x.Sym != expr.None {
		typ.Sym = a.Const(0, 64)
		for i, u := range slices.Backward(all) {
			word, _ := f.valueWords(u)
			typ.Sym = a.Ite(a.Eq(x.Sym, a.Const(uint64(i+1), 16)), a.Const(word.PointerCode(), 64), typ.Sym)
		}
		f.assumed(a.Ule(x.Sym, a.Const(limit, 16)))
	}
	f.add(v)
	switch u := v.iface.typ; {
	case u == nil || u.Words == 0:
	case u.Words == 1:
		one := newFilling(f.Heap, f.g, u, f.depth)
		one.iface, one.points, one.owner = v.iface, points, f.edge
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

// atomicValue draws an atomic.Value of type t, which is empty or leads to an interface of one of
// the types that the program stores in the field.
func (f *filling) atomicValue(t *code.Type, name string, at int) {
	stores := &f.m.Program.Stores
	anyType := f.m.Program.Type(types.Universe.Lookup("any").Type())
	stored := stores.All()
	if f.field != nil {
		stored = stores.Of(f.field)
	}
	var all []alternative
	for _, of := range stored {
		if types.IsInterface(of) {
			all = append(all, f.alternatives(f.m.Program.Type(of))...)
		} else {
			all = append(all, alternative{typ: f.m.Program.Type(of), name: code.TypeString(of)})
		}
	}
	seen := make(map[*code.Type]bool)
	all = slices.DeleteFunc(all, func(x alternative) bool {
		again := seen[x.typ]
		seen[x.typ] = true
		return again || x.typ == nil || x.typ.Shape == code.ShapePointer && x.typ.Elem.Size == 0
	})
	total := len(all)
	all = all[:min(total, maxTypes)]
	if total == 0 {
		f.m.AddBound(run.NoSite, "values of type atomic.Value in the input that are empty where the program stores nothing")
		return
	}
	f.m.AddBound(run.NoSite, fmt.Sprintf("values of type atomic.Value in the input that are empty or %s, as the program stores them", listed(all, total)))
	f.arrays++
	box := f.m.NewInput(f.g, anyType, heap.Variable, 1, firstArray+f.arrays)
	if box == nil {
		return
	}
	in := filling{
		Heap: f.Heap, g: f.g, depth: f.depth, slices: f.slices, typ: anyType,
		words: make([]heap.Word, anyType.Words), syms: make([]expr.ID, anyType.Words),
	}
	in.dynamicAmong(all, name, 0, nil)
	if f.m.Over {
		return
	}
	in.store(heap.Location{Object: box})
	v := &f.vars[f.index[f.m.InputPrefix+name+".(type)"]]
	lead := symbolic.Operand{Word: heap.Word{P: box}}
	if a := f.m.Arena; v.sym != expr.None {
		lead.Sym = a.Ite(a.Eq(v.sym, a.Const(0, 16)), a.Const(0, 64), a.Const(lead.PointerCode(), 64))
	}
	if v.iface.typ == nil {
		lead.Word = heap.Word{}
	}
	f.set(at+t.Fields[0].Offset, lead)
}

// valueWords returns the type word of an alternative and, of a variable, the data that it has.
func (h *Heap) valueWords(x alternative) (typ, data heap.Word) {
	if x.typ != nil {
		return h.m.TypeWord(x.typ), heap.Word{}
	}
	v := h.m.Variable(x.of)
	return v.Word(0), v.Word(1)
}

// chooseTypes chooses the dynamic types of the interfaces among the first n variables that can hold
// a pointer to a value of such a type. Whether a run has that pointer depends on the type, so what
// is added to its path because of it would, too.
func (h *Heap) chooseTypes(g *state.Goroutine, n int, leadsTo func(elem *code.Type) bool) bool {
	for i := range n {
		v := &h.vars[i]
		if v.iface == nil || v.chosen || !slices.ContainsFunc(v.iface.all, func(x alternative) bool {
			t := x.typ
			return t != nil && t.Words == 1 &&
				contains(t, func(u *code.Type) bool { return u.Shape == code.ShapePointer && leadsTo(u.Elem) })
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

// An alternative is a type of which an interface can have values, or a package variable whose value it can have.
type alternative struct {
	typ  *code.Type // nil for a variable
	of   *ssa.Global
	name string
}

// maxTypes is the number of types that an interface without methods can have.
const maxTypes = 16

// alternatives returns the values that an interface of type t can have, in an order that depends on
// the program only. An interface without methods can also be an int or a string.
func (h *Heap) alternatives(t *code.Type) []alternative {
	if list, ok := h.types[t]; ok {
		return list
	}
	p := h.m.Program
	iface := t.Go.Underlying().(*types.Interface)
	all, ok := h.m.Implementing[t]
	if !ok {
		all = implementing(p, iface)
		if h.m.Implementing == nil {
			h.m.Implementing = make(map[*code.Type][]types.Type)
		}
		h.m.Implementing[t] = all
	}
	var list []alternative
	for _, of := range all {
		list = append(list, alternative{typ: p.Type(of), name: code.TypeString(of)})
	}
	for _, v := range p.Named {
		if slices.Contains(h.m.InputVariables, v) {
			continue
		}
		if of := v.Type().(*types.Pointer).Elem(); types.Identical(of.Underlying(), iface) {
			list = append(list, alternative{of: v, name: v.Pkg.Pkg.Name() + "." + v.Name()})
		}
	}
	h.types[t] = list
	return list
}

// implementing returns the types of a program of which an interface can have values.
func implementing(p *code.Program, iface *types.Interface) (all []types.Type) {
	for _, n := range p.InputTypes() {
		_, isStruct := n.Underlying().(*types.Struct)
		sized := p.Type(n).Size > 0 // pointers to others are no inputs
		switch {
		case iface.NumMethods() == 0 && p.Standard(n.Obj().Pkg()):
		case types.Implements(n, iface) && !(isStruct && sized && iface.NumMethods() == 0):
			all = append(all, n)
		case types.Implements(types.NewPointer(n), iface) && sized:
			all = append(all, types.NewPointer(n))
		}
	}
	slices.SortFunc(all, func(a, b types.Type) int {
		return cmp.Compare(types.TypeString(a, nil), types.TypeString(b, nil))
	})
	if iface.NumMethods() == 0 {
		basic := []types.Type{types.Typ[types.Int], types.Typ[types.String]}
		all = append(slices.DeleteFunc(basic, func(b types.Type) bool { return !types.Satisfies(b, iface) }), all...)
	}
	return all
}

func names(list []alternative) []string {
	all := make([]string, len(list))
	for i := range list {
		all[i] = list[i].name
	}
	return all
}

// listed names what an interface can hold in a bound, which is the first of a number of alternatives.
func listed(list []alternative, of int) string {
	values := ""
	if i := slices.IndexFunc(list, func(x alternative) bool { return x.of != nil }); i >= 0 {
		values = ", or have the value of " + joined(names(list[i:]))
		list, of = list[:i], of-len(list[i:])
	}
	all := names(list)
	switch {
	case len(all) == 0:
		return strings.TrimPrefix(values, ", or ")
	case len(all) == 1:
		return "of type " + all[0] + values
	case len(all) < of:
		return fmt.Sprintf("of one of %d of the %d types of the program: %s, …", len(all), of, strings.Join(all[:3], ", ")) + values
	case len(all) > 4:
		return fmt.Sprintf("of one of %d types of the program: %s, …", len(all), strings.Join(all[:3], ", ")) + values
	}
	return "of type " + joined(all) + values
}

// joined writes an enumeration.
func joined(all []string) string {
	if len(all) == 1 {
		return all[0]
	}
	return strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
}
