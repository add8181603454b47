package shape

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// Draw makes the value of type t at a location an input of the given name. What is drawn again is
// the same. It returns false if the run is over.
func (h *Heap) Draw(g *state.Goroutine, at heap.Location, t *code.Type, name string) bool {
	f := h.draw(g, t, name, nil)
	if h.m.Over {
		return false
	}
	f.store(at)
	return !h.m.Concrete || h.settleConcrete(g)
}

// DrawWords is Draw for a value that is not in memory: it returns its words and their symbolic values.
func (h *Heap) DrawWords(g *state.Goroutine, t *code.Type, name string) (words []heap.Word, syms []expr.ID, ok bool) {
	f := h.draw(g, t, name, nil)
	if h.m.Over || h.m.Concrete && !h.settleConcrete(g) {
		return nil, nil, false
	}
	return f.words, f.syms, true
}

// draw returns the value of type t that is the input of a name. Points says where its pointers
// lead, and set has the names of those that are not nil.
func (h *Heap) draw(g *state.Goroutine, t *code.Type, name string, points func(slot int) fragment.Region, set ...string) *filling {
	key := h.m.InputPrefix + name + " " + t.String()
	f := h.roots[key]
	if f == nil {
		f = newFilling(h, g, t, 1)
		f.points, f.isSet = points, set
		f.value(t, name, 0)
		h.roots[key] = f
	}
	return f
}

// DrawElements makes the elements of the array behind a new slice inputs, n of type elem; the array is of a region.
func (h *Heap) DrawElements(g *state.Goroutine, o *heap.Object, elem *code.Type, name string, n int, region fragment.Region) {
	f := &filling{Heap: h, g: g, depth: 1}
	f.elements(o, elem, name, n, region)
	if h.m.Concrete && !h.m.Over {
		h.settleConcrete(g)
	}
}

// fill makes the content of an object that has just been chosen an input.
func (h *Heap) fill(g *state.Goroutine, o *object, depth int) {
	name := fmt.Sprintf("&%d", o.number)
	if o.ref {
		h.fillReference(g, o, name, depth+1)
		return
	}
	f := newFilling(h, g, o.typ, depth+1)
	f.backs = h.backs(&h.vars[o.first], o.number)
	f.points = func(slot int) fragment.Region { return h.m.Pointers.At(o.region, slot) }
	f.lock, f.owner = h.vars[o.first].lock, edge{o.Object, ^uint64(0)}
	if f.value(o.typ, name, 0); f.lock.typ != nil {
		f.setLock(LockerOf(o.typ), f.lock)
	}
	if !h.m.Over {
		f.store(heap.Location{Object: o.Object})
		o.was = contents{f.words, f.syms}
		h.holdUnknown(g, o, name)
	}
}

// settleConcrete chooses all pointers of a run without symbolic values. The objects keep the numbers
// that the plan has given them.
func (h *Heap) settleConcrete(g *state.Goroutine) bool {
	for i := 0; i < len(h.vars); i++ {
		v := &h.vars[i]
		if v.chosen {
			continue
		}
		v.chosen = true
		h.open--
		if (v.object == nil || v.object.number > 0) && !h.leadBack(g, i) {
			return false
		}
		if v.slice != nil {
			f := &filling{Heap: h, g: g, depth: v.depth, slices: v.slice.slices, edge: v.slice.edge}
			f.elements(v.slice.Object, v.slice.elem, v.slice.name, int(h.m.Trace.Inputs[v.input].Value), v.slice.region)
		}
		if v.iface != nil {
			h.fillInterface(g, v.iface, v.depth)
		}
		if v.object == nil || v.object.number > 0 {
			continue
		}
		number, _ := decode(v.object.raw)
		if number == 0 {
			number = unchosen + int32(i)
		}
		v.object.first = i
		h.number(v.object, number)
		h.fill(g, v.object, v.depth)
		if h.m.Over {
			return false
		}
	}
	return true
}

// A filling is the content of a variable that becomes an input.
type filling struct {
	*Heap
	g      *state.Goroutine
	depth  int // number of pointers that lead to what the variable points to
	slices int // number of slices in which it is an element, one in the other
	words  []heap.Word
	syms   []expr.ID
	// iface is, if not nil, the interface whose dynamic value this is: what holds of it is added to the path when
	// the dynamic type is chosen.
	iface *iface
	// Backs has the values of pointers that lead back, by their names; it may be nil.
	backs map[string]uint64
	// Points says where the pointers in the slots of the content lead, which is of type typ or an
	// array of it; it may be nil.
	points func(slot int) fragment.Region
	typ    *code.Type
	// isSet has the names of pointers that are not nil, and isZero those of numbers that are 0.
	isSet, isZero []string
	// between has the numbers between which others are, by their names.
	between map[string]fragment.Range
	// lock is that of the condition which is the content, if it is known.
	lock lockWord
	// locks are the locks of conditions, which are known when it is known where the content is.
	locks []lockPlace
	// field is the field that is drawn, nil if it is none.
	field *types.Var
	// owner is the object of which this is the content, as far as that is known, and edge says of
	// which structures the variable which is drawn is an edge.
	owner edge
	edge  edge
}

func newFilling(h *Heap, g *state.Goroutine, t *code.Type, depth int) *filling {
	return &filling{Heap: h, g: g, depth: depth, typ: t, words: make([]heap.Word, t.Words), syms: make([]expr.ID, t.Words)}
}

// store stores the content.
func (f *filling) store(at heap.Location) {
	f.placeLocks(at)
	f.m.Heap.Store(at.Object, at.Offset, f.words, f.syms)
}

// set sets a word of the content.
func (f *filling) set(at int, x symbolic.Operand) { f.words[at], f.syms[at] = x.Word, x.Sym }

// value draws a value of type t from word at on.
func (f *filling) value(t *code.Type, name string, at int) {
	f.edge = edge{}
	if f.m.Over || f.test(t, at) || f.model(t, name, at) {
		return
	}
	if f.iface != nil && t == f.iface.typ {
		f.edge = f.owner // of the interface
	} else {
		f.edge = f.owner.of(f.m.EdgesOf[t])
	}
	switch t.Shape {
	case code.Scalar:
		if slices.Contains(f.isZero, name) {
			return
		}
		f.set(at, f.scalar(name, t.Kinds[0]))
		f.note(name, t)
		if r, ok := f.between[name]; ok && f.iface == nil {
			f.KnowBetween(f.g, f.words[at].N, f.syms[at], r, t.Kinds[0].Signed())
		}
	case code.ShapeComplex:
		for i, part := range []string{"real(", "imag("} {
			f.set(at+i, f.scalar(part+name+")", t.Kinds[i]))
		}
	case code.ShapePointer:
		f.set(at, f.pointer(name, t.Elem, f.region(at)))
	case code.ShapeMap, code.ShapeChan, code.ShapeFunc:
		f.set(at, f.reference(name, t, f.region(at)))
	case code.ShapeInterface:
		f.dynamic(t, name, at)
	case code.ShapeString:
		f.text(name, at)
		f.note("len("+name+")", t)
	case code.ShapeSlice:
		f.slice(t, name, at)
		f.note("len("+name+")", t)
	case code.ShapeArray:
		for i := range int(t.Len) {
			f.value(t.Elem, fmt.Sprintf("%s[%d]", name, i), at+i*t.Elem.Words)
		}
	case code.ShapeStruct:
		f.knowLocks(t, at)
		for _, path := range f.m.Set[t] {
			f.isSet = append(f.isSet, name+path)
		}
		for _, path := range f.m.Zero[t] {
			f.isZero = append(f.isZero, name+path)
		}
		for path, r := range f.m.Between[t] {
			if f.between == nil {
				f.between = make(map[string]fragment.Range)
			}
			f.between[name+path] = r
		}
		for i := range t.Fields {
			if field := &t.Fields[i]; field.Name != "_" {
				f.field = t.Go.Underlying().(*types.Struct).Field(i)
				f.value(field.Type, name+"."+field.Name, at+field.Offset)
			}
		}
		for _, r := range f.m.Related[t] {
			if f.iface == nil {
				var terms []Term
				for i, off := range r.At {
					terms = append(terms, Term{N: f.words[at+off].N, Sym: f.syms[at+off], Minus: r.Minus[i]})
				}
				f.KnowRelated(f.g, terms, r.Modulo, r.Kind)
			}
		}
		f.knowPointees(t, name, at)
		f.knowGuarded(t, name, at)
	default:
		f.leaveOut(t)
	}
}

// KnowBetween makes it known that a number, with a symbolic value or none, is between two others.
func (h *Heap) KnowBetween(g *state.Goroutine, n uint64, sym expr.ID, r fragment.Range, signed bool) {
	x, a := int64(n), h.m.Arena
	if h.m.Over {
		return
	}
	if sym == expr.None {
		if x < r.Least || x > r.Most {
			h.reject()
		}
		return
	}
	less, width := a.Sle, a.Width(sym)
	if !signed {
		less = a.Ule
	}
	if h.check(g, less(a.Const(uint64(r.Least), width), sym), r.Least <= x) {
		h.check(g, less(sym, a.Const(uint64(r.Most), width)), x <= r.Most)
	}
}

// A Term is a number, with a symbolic value or none, or minus that number.
type Term struct {
	N     uint64
	Sym   expr.ID
	Minus bool
}

// KnowRelated makes it known that a sum of numbers of one type is 0 or, if modulo is not 0, a multiple of that.
func (h *Heap) KnowRelated(g *state.Goroutine, terms []Term, modulo int64, k code.Kind) {
	if h.m.Over {
		return
	}
	a, width := h.m.Arena, uint8(k.Bits())
	sum, n, symbolic := a.Const(0, 64), int64(0), false
	for _, t := range terms {
		x, is := a.Const(t.N, 64), int64(t.N)
		symbolic = symbolic || t.Sym != expr.None
		switch {
		case t.Sym == expr.None:
		case k.Signed():
			x = a.SExt(t.Sym, 64)
		default:
			x = a.ZExt(t.Sym, 64)
		}
		if t.Minus {
			sum, n = a.Sub(sum, x), n-is
		} else {
			sum, n = a.Add(sum, x), n+is
		}
	}
	var holds bool
	if modulo == 0 { // it may have overflown
		sum, holds = a.Extract(sum, 0, width), n<<(64-width) == 0
	} else {
		sum, holds = a.SRem(sum, a.Const(uint64(modulo), 64)), n%modulo == 0
	}
	switch {
	case symbolic:
		h.check(g, a.Eq(sum, a.Const(0, a.Width(sum))), holds)
	case !holds:
		h.reject()
	}
}

// leaveOut notes that only nil is tried of a type: what values of an unsafe.Pointer lead to is not
// known, and pointers to what has no size may be the same.
func (f *filling) leaveOut(t *code.Type) {
	f.m.GiveUp(f.g, fmt.Sprintf("inputs of type %s other than nil", t))
}

// region returns where the pointer in a word of the content leads.
func (f *filling) region(at int) fragment.Region {
	if f.points == nil || f.typ == nil || f.typ.Words == 0 {
		return 0
	}
	return f.points(code.SlotAt(f.typ, at%f.typ.Words))
}

// note notes in the trace of which type the input of a name is.
func (f *filling) note(name string, t *code.Type) {
	if i := f.inputOf(f.m.InputPrefix + name); i >= 0 {
		f.m.Trace.Inputs[i].Type = code.TypeString(t.Go.Underlying())
	}
}

// scalar draws a number or a bool.
func (f *filling) scalar(name string, k code.Kind) symbolic.Operand {
	x := f.m.Draw(name, k)
	x.Word = x.Canonical(k)
	return x
}

// model draws a value of a type of the standard library whose fields are not just any values. It
// returns false if t is no such type.
func (f *filling) model(t *code.Type, name string, at int) bool {
	named, ok := types.Unalias(t.Go).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	switch pkg, what := named.Obj().Pkg().Path(), named.Obj().Name(); {
	case pkg == "sync" && what == "Once" && len(f.m.Middles) > 0:
		done := f.m.Draw(name+".done", code.Bool)
		if done.Sym != expr.None {
			done.Sym = f.m.Arena.ZExt(done.Sym, 32)
		}
		f.set(at+DoneOf(t), done)
	case pkg == "sync" && what == "WaitGroup" && f.m.Uses.Groups:
		f.set(at+counterOf(t), f.counter(name))
	case pkg == "sync" && what == "Cond" && f.m.Uses.Conds:
		f.condition(t, name, at)
		if f.m.Uses.Others {
			f.set(at+waitersOf(t), f.waiters(f.g, name))
		}
	case pkg == "sync" && what == "Mutex" && f.m.Uses.Others:
		x := f.m.DrawChoice(name + " is held by others")
		if x.Sym != expr.None {
			f.m.Equate(f.g, x.Sym, x.N)
		}
		f.words[at] = heap.Word{N: x.N}
	case pkg == "sync":
		return true // unlocked, not done, empty
	case pkg == "sync/atomic" && what == "Bool":
		x := f.m.Draw(name, code.Bool)
		if x.Sym != expr.None {
			x.Sym = f.m.Arena.ZExt(x.Sym, 32)
		}
		f.set(at, x)
	case pkg == "sync/atomic" && what == "Pointer":
		elem := f.m.Program.Type(named.TypeArgs().At(0))
		f.set(at, f.pointer(name, elem, 0))
	case code.Begun[pkg+"."+what]:
		f.begun(t, name, at)
	case pkg == "sync/atomic" && what == "Value":
		f.atomicValue(t, name, at)
	case pkg == "sync/atomic" && t.Shape == code.ShapeStruct:
		last := &t.Fields[len(t.Fields)-1]
		f.value(last.Type, name, at+last.Offset)
	default:
		return false
	}
	return true
}

// SetTests says where inputs lead that are pointers to a testing.T, a B or an F.
func (h *Heap) SetTests(t, b, f heap.Word) { h.tests = map[string]heap.Word{"T": t, "B": b, "F": f} }

// test sets a pointer to a testing.T, a B or an F, or a testing.TB, to what package testing has
// made, if it is known: such a pointer is not nil, nor does it lead to anything else of the input.
// It returns false if t is another type, or if nothing is known.
func (f *filling) test(t *code.Type, at int) bool {
	if f.tests == nil {
		return false
	}
	switch t.Shape {
	case code.ShapePointer:
		of := inTesting(t.Elem.Go)
		if of == nil {
			return false
		}
		w, ok := f.tests[of.Name()]
		if !ok {
			return false
		}
		f.words[at] = w
	case code.ShapeInterface:
		of := inTesting(t.Go)
		if of == nil || of.Name() != "TB" {
			return false
		}
		f.words[at] = f.m.TypeWord(f.m.Program.Type(types.NewPointer(of.Pkg().Scope().Lookup("T").Type())))
		f.words[at+1] = f.tests["T"]
	default:
		return false
	}
	f.m.AddBound(run.NoSite, fmt.Sprintf("inputs of type %s that are those of one test, which has begun and has not failed", code.TypeString(t.Go)))
	return true
}

// inTesting returns the name of a type of package testing, nil for others.
func inTesting(t types.Type) *types.TypeName {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "testing" {
		return nil
	}
	return named.Obj()
}

// begun draws a value of one of code.Begun: with any content, from which nothing has been read.
func (f *filling) begun(t *code.Type, name string, at int) {
	for i := range t.Fields {
		switch field := &t.Fields[i]; {
		case field.Type.Shape == code.ShapeString || field.Type.Shape == code.ShapeSlice:
			f.value(field.Type, name+"."+field.Name, at+field.Offset)
		case field.Name == "prevRune":
			f.words[at+field.Offset] = heap.Word{N: ^uint64(0)}.Canonical(field.Type.Kinds[0])
		}
	}
	f.m.AddBound(run.NoSite, fmt.Sprintf("values of type %s in the input of which nothing has been read", t))
}

// pointer draws a pointer to a value of type elem, which leads to a region.
func (f *filling) pointer(name string, elem *code.Type, region fragment.Region) symbolic.Operand {
	if elem.Size == 0 {
		f.leaveOut(f.m.Program.Type(types.NewPointer(elem.Go)))
		return symbolic.Operand{}
	}
	return f.lead(name, "*"+elem.String(), variable{elem: elem, region: region, pointers: f.m.Pointers, edge: f.edge})
}

// lead draws a variable that leads to an object; typ is its type.
func (f *filling) lead(name, typ string, v variable) symbolic.Operand {
	x := f.m.DrawUpTo(name, code.Pointer, 1<<64-1, v.absent)
	isSet := slices.Contains(f.isSet, name)
	name = f.m.InputPrefix + name
	v.name, v.sym, v.index, v.input, v.depth = name, x.Sym, len(f.vars), f.inputOf(name), f.depth
	allowed := f.m.Concrete || f.allows(&v)
	back, leadsBack := f.backs[name]
	if leadsBack {
		x.N = back
	}
	if (f.iface != nil || isSet) && x.N == 0 && !f.m.Concrete {
		x.N = 1 // anything but nil
		if v.edge.structures != 0 {
			x.N += uint64(v.index) // and what most likely is of no other structure
		}
	}
	if v.target, v.object = f.resolve(f.g, x.N, &v); leadsBack {
		v.target, v.object = f.leader(back)
	}
	if v.object != nil && v.object.number == 0 && !allowed {
		v.target, v.object = heap.Word{}, nil
		if f.iface != nil || isSet {
			v.target = f.first(&v)
		}
	}
	f.add(v)
	f.record(&v)
	f.m.Trace.Inputs[v.input].Type = typ
	if a := f.m.Arena; x.Sym != expr.None {
		if leadsBack {
			f.assumed(a.Eq(x.Sym, a.Const(back, 64)))
		}
		inside := f.among(&v)
		if allowed {
			inside = a.Ult(x.Sym, a.Const(1<<48, 64)) // not an object of the program
		}
		f.assumed(inside)
		if isSet && v.target.P == nil {
			f.reject() // a bound leaves no object for it
		} else if isSet {
			f.assumed(a.Not(a.Eq(x.Sym, a.Const(0, 64))))
		}
		if f.iface != nil && v.target.P != nil {
			f.m.AddBound(run.NoSite, "interfaces in the input that hold no nil pointers, and none to what package variables lead to, but for values of those of interface types that the program mentions")
			f.assumed(a.Not(a.Eq(x.Sym, a.Const(0, 64))))
		}
	}
	return symbolic.Operand{Word: v.target, Sym: f.word(&v)}
}

// first returns the first part of an object that has been chosen to which a variable can lead, nil if there is none.
func (f *filling) first(v *variable) heap.Word {
	for _, o := range f.objects {
		if list := v.parts(o); len(list) > 0 && !f.joins(v, o.Object) {
			return heap.Word{P: o.Object, N: uint64(list[0])}
		}
	}
	return heap.Word{}
}

// assumed adds what holds of an input that has been drawn to the path condition.
func (f *filling) assumed(cond expr.ID) {
	if f.iface != nil {
		f.iface.holds = append(f.iface.holds, cond)
		return
	}
	f.m.AddCondition(f.g, cond, true, run.Assumed)
}

// add adds a variable that has not been chosen.
func (f *filling) add(v variable) {
	f.index[v.name] = len(f.vars)
	f.vars = append(f.vars, v)
	f.open++
}

// inputOf returns the index of an input in the trace.
func (f *filling) inputOf(name string) int {
	for i := range f.m.Trace.Inputs {
		if f.m.Trace.Inputs[i].Name == name {
			return i
		}
	}
	return -1
}

// length draws the length of a string or slice.
func (f *filling) length(name string) symbolic.Operand {
	limit := uint64(max(f.m.MaxLen, 0))
	x := f.m.DrawUpTo("len("+name+")", code.Int64, limit, 0)
	if x.Sym != expr.None {
		f.m.AddCondition(f.g, f.m.Arena.Ule(x.Sym, f.m.Arena.Const(limit, 64)), true, run.Assumed)
	}
	return x
}

// array returns a new array behind a string or slice.
func (f *filling) array(elem *code.Type, n int) *heap.Object {
	f.arrays++
	return f.m.NewInput(f.g, elem, heap.Array, n, firstArray+f.arrays)
}

// text draws a string. Its length is not concrete until something is done with it.
func (f *filling) text(name string, at int) {
	n := f.length(name)
	b := f.m.Program.Type(types.Typ[types.Uint8])
	o := f.array(b, int(n.N))
	if o == nil {
		return
	}
	if n.N > 0 {
		f.elements(o, b, name, int(n.N), 0)
		f.words[at].P = o
	}
	f.set(at+1, n)
}

// NoteSlice records that a slice of elements of type elem is an input.
func (h *Heap) NoteSlice(elem *code.Type) {
	if !slices.Contains(h.elems, elem) {
		h.elems = append(slices.Clip(h.elems), elem)
	}
	h.m.AddBound(run.NoSite, "slices in the input with arrays of their own, of just their length")
}

// slice draws a slice, which is nil or has an array of its own of just its length.
func (f *filling) slice(t *code.Type, name string, at int) {
	if f.m.MaxChain > 0 && f.slices >= f.m.MaxChain {
		f.m.AddBound(run.NoSite, fmt.Sprintf("slices in at most %d others (-maxchain)", f.m.MaxChain))
		return
	}
	n := f.length(name)
	o := f.array(t.Elem, int(n.N))
	if o == nil {
		return
	}
	f.NoteSlice(t.Elem)
	full := f.m.DrawChoice(name + " != nil")
	base := symbolic.Operand{Word: heap.Word{P: o}}
	if a := f.m.Arena; n.Sym != expr.None {
		empty := a.Eq(n.Sym, a.Const(0, 64))
		base.Sym = a.Ite(a.And(empty, a.Not(full.Sym)), a.Const(0, 64), a.Const(base.PointerCode(), 64))
	}
	if n.N == 0 && full.N == 0 {
		base.Word = heap.Word{}
	}
	f.set(at, base)
	f.set(at+1, n)
	f.set(at+2, n)
	if !later(t.Elem) {
		f.elements(o, t.Elem, name, int(n.N), f.region(at))
		return
	}
	length := f.m.InputPrefix + "len(" + name + ")"
	f.add(variable{
		name: length, sym: n.Sym, index: len(f.vars), input: f.inputOf(length), slice: &slice{o, t.Elem, name, f.slices, f.region(at), f.edge}, depth: f.depth,
	})
}

// elements draws the n elements of an array of a region.
func (f *filling) elements(o *heap.Object, elem *code.Type, name string, n int, region fragment.Region) {
	if n*elem.Words == 0 {
		return
	}
	points := func(slot int) fragment.Region { return f.m.Pointers.At(region, slot) }
	all := filling{
		Heap: f.Heap, g: f.g, depth: f.depth, slices: f.slices + 1, typ: elem, points: points, owner: f.edge,
		words: make([]heap.Word, n*elem.Words), syms: make([]expr.ID, n*elem.Words),
	}
	for i := range n {
		all.value(elem, fmt.Sprintf("%s[%d]", name, i), i*elem.Words)
	}
	if !f.m.Over {
		all.store(heap.Location{Object: o})
	}
}

// later reports whether the elements of a slice, which are of type t, are drawn when its length is chosen: there
// are conditions that hold of them.
func later(t *code.Type) bool {
	switch t.Shape {
	case code.Scalar, code.ShapeComplex:
		return false
	case code.ShapeArray:
		return later(t.Elem)
	case code.ShapeStruct:
		return slices.ContainsFunc(t.Fields, func(f code.Field) bool { return later(f.Type) })
	}
	return true
}
