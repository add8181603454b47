package shape

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/maptable"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
	"github.com/everyway-go/everyway/internal/vm/typecode"
)

// Maps, channels and functions are objects that variables lead to, as pointers lead to variables.
// What is in them is drawn when they are chosen: all entries of a map, all elements of a channel.
// What a function returns is drawn when it is called.

// reference draws a map, a channel or a function, which leads to a region.
func (f *filling) reference(name string, t *code.Type, region fragment.Region) symbolic.Operand {
	typ := code.TypeString(t.Go.Underlying())
	if t.Shape == code.ShapeFunc {
		if all := f.functionNames(t); len(all) > 0 {
			typ += functionsPrefix + strings.Join(all, "|")
		}
		return f.lead(name, typ, variable{elem: t, ref: true})
	}
	return f.lead(name, typ, variable{elem: t, ref: true, region: region, pointers: f.m.Pointers, edge: f.edge})
}

// functionsPrefix begins, in the type of an input that is a function, the names of the functions of
// the program that it can be.
const functionsPrefix = " = "

// newObject returns the memory of an object that has not been chosen, nil if the run is over.
func (h *Heap) newObject(g *state.Goroutine, o *object, number int32) *heap.Object {
	if !o.ref {
		return h.m.NewInput(g, o.typ, heap.Variable, 1, number)
	}
	switch o.typ.Shape {
	case code.ShapeMap:
		return h.m.NewInputCells(g, o.typ, heap.MapObject, maptable.Cells, number)
	case code.ShapeChan:
		room := max(h.m.MaxLen, 0)
		if known := h.capacities(o.region); len(known) > 0 {
			room = int(known[len(known)-1])
		}
		return h.m.NewInputCells(g, o.typ, heap.ChanObject, state.ChanBuffer+room*o.typ.Elem.Words, number)
	}
	c := h.m.NewInputCells(g, nil, heap.ClosureObject, 1, number)
	if c != nil {
		c.Func, c.Cells[0] = h.caller(o.typ).ID, heap.Word{P: c}
	}
	return c
}

// fillReference makes the content of a map or channel that has just been chosen an input.
func (h *Heap) fillReference(g *state.Goroutine, o *object, name string, depth int) {
	f := &filling{Heap: h, g: g, depth: depth}
	switch o.typ.Shape {
	case code.ShapeMap:
		f.entries(o, name)
	case code.ShapeChan:
		f.channel(o, name)
	}
}

// A function is one of the program that an input can be, as an object with a number.
type function struct {
	*object
	name string // with that of its package
}

// functions returns the functions of the program that a function of type t can be. In the middle of
// a program there are none: which of them comes there is for its callers to say, and any other
// would be a false finding.
func (h *Heap) functions(t *code.Type) []function {
	if len(h.m.Middles) > 0 {
		return nil
	}
	list, ok := h.funcs[t]
	if ok {
		return list
	}
	for _, fn := range h.m.Program.InputFuncs() {
		if len(list) < maxFuncs && types.Identical(fn.Signature, t.Go.Underlying()) {
			o := &object{
				Object: h.m.FuncValue(h.m.Link(fn)), typ: t, ref: true,
				number: run.FirstInputFunc + int32(len(list)), opened: true,
			}
			list = append(list, function{o, fn.Pkg.Pkg.Name() + "." + fn.Name()})
		}
	}
	h.funcs[t] = list
	return list
}

// maxFuncs is the number of functions of the program that a function in the input can be.
const maxFuncs = 16

// noteFunctions records what functions of type t are in the input.
func (h *Heap) noteFunctions(t *code.Type) {
	which := "functions in the input that do nothing but return, and in one goroutine the same for the same arguments"
	if list := h.functions(t); len(list) > 0 {
		which = fmt.Sprintf("functions of type %s in the input that do nothing but return, and in one goroutine the same for the same arguments, or are %s", code.TypeString(t.Go), joined(h.functionNames(t)))
	}
	h.m.AddBound(run.NoSite, which)
}

// functionNames returns the names of the functions of the program that a function of type t can be.
func (h *Heap) functionNames(t *code.Type) []string {
	var all []string
	for _, f := range h.functions(t) {
		all = append(all, f.name)
	}
	return all
}

// isFunc reports whether the variable is a function.
func (v *variable) isFunc() bool { return v.ref && v.elem.Shape == code.ShapeFunc }

// number draws a number up to a limit, of which each value is a path of its own.
func (f *filling) number(name string, limit uint64) uint64 {
	x := f.m.DrawUpTo(name, code.Int64, limit, 0)
	if x.Sym != expr.None {
		f.m.AddCondition(f.g, f.m.Arena.Ule(x.Sym, f.m.Arena.Const(limit, 64)), true, run.Assumed)
		f.m.Equate(f.g, x.Sym, x.N)
	}
	return x.N
}

// entries draws the entries of a map. A run with two of the same key ends there.
func (f *filling) entries(o *object, name string) {
	t, a := o.typ, f.m.Arena
	if holdsInterface(t.Key) {
		f.m.AddBound(run.NoSite, fmt.Sprintf("maps of type %s that are empty in the input", t))
		return
	}
	n := int(f.number("len("+name+")", uint64(max(f.m.MaxLen, 0))))
	f.note("len("+name+")", t)
	var keys []symbolic.Operands
	for i := range n {
		if f.m.Over {
			return
		}
		k, e := newFilling(f.Heap, f.g, t.Key, f.depth), newFilling(f.Heap, f.g, t.Elem, f.depth)
		k.owner, e.owner = edge{o.Object, ^uint64(0)}, edge{o.Object, ^uint64(0)}
		k.value(t.Key, fmt.Sprintf("%s.key[%d]", name, i), 0)
		key := symbolic.Operands{Words: k.words, Syms: k.syms}
		for _, other := range keys {
			same := f.m.EqualSym(f.g, t.Key, key, other)
			if f.m.Over {
				return
			}
			if t.Key.Shape == code.Scalar && !t.Key.Kinds[0].Float() && f.distinct(&key, keys, t.Key.Kinds[0]) {
				f.m.AddCondition(f.g, a.Not(same), true, run.Assumed)
			} else if !f.check(f.g, a.Not(same), !f.holds(same)) {
				return
			}
		}
		keys = append(keys, key)
		head, _ := f.m.KeyHash(f.g, t, key.Words)
		place := maptable.Insert(&f.m.State, f.g, o.Object, key, head)
		f.m.NoteSymbolicKey(o.Object, key)
		if e.value(t.Elem, fmt.Sprintf("%s.elem[%d]", name, i), 0); !f.m.Over {
			e.store(heap.Location{Object: o.Cells[maptable.Entries].P, Offset: maptable.ElementCells(t, place)})
		}
	}
}

// distinct gives a key, which is a number and has just been drawn, another value if it is the same
// as one of others, which are different. It returns false if there is none.
func (f *filling) distinct(key *symbolic.Operands, others []symbolic.Operands, k code.Kind) bool {
	for range len(others) + 1 {
		if !slices.ContainsFunc(others, func(o symbolic.Operands) bool { return o.Words[0] == key.Words[0] }) {
			return true
		}
		key.Words[0] = heap.Word{N: key.Words[0].N + 1}.Canonical(k)
		for i := range f.m.Trace.Inputs {
			if in := &f.m.Trace.Inputs[i]; in.Sym == key.Syms[0] {
				in.Value = key.Words[0].Number(k)
			}
		}
	}
	return false
}

// holds returns the value of a condition in the run.
func (h *Heap) holds(cond expr.ID) bool {
	values := make(map[expr.ID]uint64)
	for i := range h.m.Trace.Inputs {
		values[h.m.Trace.Inputs[i].Sym] = h.m.Trace.Inputs[i].Value
	}
	return h.m.Arena.Eval(cond, func(v expr.ID) uint64 { return values[v] }) != 0
}

// holdsInterface reports whether a value of type t has a part that is an interface.
func holdsInterface(t *code.Type) bool {
	return contains(t, func(u *code.Type) bool { return u.Shape == code.ShapeInterface })
}

// maxCapacity bounds the capacities of channels that are told apart.
const maxCapacity = 1 << 10

// capacities returns the capacities that the channels of a region can have, nil if they are not known.
func (h *Heap) capacities(region fragment.Region) []uint64 {
	known := h.m.Pointers.Channel(region).Capacities
	if len(known) == 0 || known[len(known)-1] > maxCapacity {
		return nil
	}
	return known
}

// channel draws a channel.
func (f *filling) channel(o *object, name string) {
	if !f.m.Pointers.Channel(o.region).Used {
		return
	}
	room := uint64(0)
	switch known := f.capacities(o.region); len(known) {
	case 0:
		room = f.number("cap("+name+")", uint64(max(f.m.MaxLen, 0)))
	case 1:
		room = known[0]
	default:
		room = f.oneOf("cap("+name+")", known)
	}
	if !f.m.Over {
		f.buffer(o.Object, o.typ, name, o.region, room)
	}
}

// oneOf draws one of some numbers, which are in order. Each is a path of its own.
func (f *filling) oneOf(name string, values []uint64) uint64 {
	limit := values[len(values)-1]
	x := f.m.DrawUpTo(name, code.Int64, limit, values[0])
	is := func(v uint64) bool { return v == x.N }
	if x.Sym != expr.None {
		a := f.m.Arena
		f.m.AddCondition(f.g, a.Ule(x.Sym, a.Const(limit, 64)), true, run.Assumed) // no plan has another one
		any := a.Const(0, 1)
		for _, v := range values {
			any = a.Or(any, a.Eq(x.Sym, a.Const(v, 64)))
		}
		if !f.check(f.g, any, slices.ContainsFunc(values, is)) {
			return 0
		}
		f.m.Equate(f.g, x.Sym, x.N)
	} else if !slices.ContainsFunc(values, is) {
		f.reject()
	}
	return x.N
}

// DrawBuffer makes what is in a channel of type t, which the program has made before, an input.
func (h *Heap) DrawBuffer(g *state.Goroutine, ch *heap.Object, t *code.Type, name string, region fragment.Region) {
	f := &filling{Heap: h, g: g, depth: 1}
	f.buffer(ch, t, name, region, ch.Cells[state.ChanCap].N)
	if h.m.Concrete && !h.m.Over {
		h.settleConcrete(g)
	}
}

// buffer draws the state of a channel of type t that has room for so many elements.
func (f *filling) buffer(ch *heap.Object, t *code.Type, name string, region fragment.Region, room uint64) {
	known := f.m.Pointers.Channel(region)
	var n, closed uint64
	if limit := min(room, uint64(max(f.m.MaxLen, 0))); known.Sent && limit > 0 {
		n = f.number("len("+name+")", limit)
		f.note("len("+name+")", t)
		if limit < room {
			f.m.AddBound(run.NoSite, fmt.Sprintf("channels in the input of at most %d elements (-maxlen)", limit))
		}
	}
	if known.Closed {
		x := f.m.Draw(name+".closed", code.Bool)
		if closed = x.N; x.Sym != expr.None {
			f.m.Equate(f.g, x.Sym, closed)
		}
	}
	if f.m.Over {
		return
	}
	all := &filling{Heap: f.Heap, g: f.g, depth: f.depth, words: make([]heap.Word, state.ChanBuffer+int(n)*t.Elem.Words)}
	all.syms = make([]expr.ID, len(all.words))
	all.words[state.ChanCap].N, all.words[state.ChanClosed].N, all.words[state.ChanCount].N = room, closed, n
	for i := range int(n) {
		at := state.ChanBuffer + i*t.Elem.Words
		one := newFilling(f.Heap, f.g, t.Elem, f.depth)
		one.points = func(slot int) fragment.Region { return f.m.Pointers.At(region, slot) }
		one.value(t.Elem, fmt.Sprintf("%s[%d]", name, i), 0)
		copy(all.words[at:], one.words)
		copy(all.syms[at:], one.syms)
	}
	if !f.m.Over {
		all.store(heap.Location{Object: ch})
	}
}

// A call is one of a function that is an input.
type call struct {
	goroutine int32
	args      symbolic.Operands
	results   symbolic.Operands
}

// callerKey is of a function that [Heap.caller] has written.
type callerKey struct{ typ *code.Type }

// caller returns the function that function values of type t call that are inputs. It calls testing.callInput with
// the function value and a frame that has the arguments, and returns what that has left in the frame.
func (h *Heap) caller(t *code.Type) *state.Function {
	return h.m.LinkWritten(callerKey{t}, func() *code.Func {
		p := h.m.Program
		entry := p.SSA.ImportedPackage("testing").Func("callInput")
		sig := t.Go.Underlying().(*types.Signature)
		return typecode.New(p, entry, "input "+code.TypeString(t.Go)).Made(typecode.FrameType(p, sig), entry, sig)
	})
}

// Call carries out a call of a function that is an input: it draws the results, which are the same
// as those of an earlier call of the goroutine with the same arguments, into the frame.
func Call(m *exec.Interpreter, g *state.Goroutine, closure, frame *heap.Object) {
	h := Of(m)
	i := slices.IndexFunc(h.waiting, func(o *object) bool { return o.Object == closure })
	o := h.waiting[i]
	sig := o.typ.Go.Underlying().(*types.Signature)
	nin, fields := sig.Params().Len(), frame.Type.Fields
	first := frame.Type.Words
	if nin < len(fields) {
		first = fields[nin].Offset
	}
	load := func(from, to int) symbolic.Operands {
		x := symbolic.Operands{Words: make([]heap.Word, to-from), Syms: make([]expr.ID, to-from)}
		frame.Load(x.Words, from)
		copy(x.Syms, frame.ShadowAt(from, to-from))
		return x
	}
	args := load(0, first)
	made := 0
	for _, c := range o.calls {
		if c.goroutine != g.ID {
			continue
		}
		made++
		if same := h.sameArguments(g, fields[:nin], args, c.args); same {
			m.Heap.Store(frame, first, c.results.Words, c.results.Syms)
			return
		}
		if m.Over {
			return
		}
	}
	name := fmt.Sprintf("&%d(%d)", o.number, made+1)
	if g.ID > 0 {
		name = fmt.Sprintf("&%d.g%d(%d)", o.number, g.ID, made+1)
	}
	f := newFilling(h, g, frame.Type, 1)
	for i := nin; i < len(fields); i++ {
		field := name
		if len(fields) > nin+1 {
			field = fmt.Sprintf("%s.%d", name, i-nin)
		}
		f.value(fields[i].Type, field, fields[i].Offset)
	}
	if m.Over || m.Concrete && !h.settleConcrete(g) {
		return
	}
	results := symbolic.Operands{Words: f.words[first:], Syms: f.syms[first:]}
	m.Heap.Store(frame, first, results.Words, results.Syms)
	o.calls = append(slices.Clip(o.calls), call{g.ID, args, results})
}

// sameArguments branches on whether the arguments of two calls are equal. Those of types that
// cannot be compared never are.
func (h *Heap) sameArguments(g *state.Goroutine, params []code.Field, x, y symbolic.Operands) bool {
	for i := range params {
		if t := params[i].Type; !types.Comparable(t.Go) || holdsInterface(t) {
			return false
		}
	}
	for i := range params {
		p := &params[i]
		end := p.Offset + p.Type.Words
		same := h.m.EqualSym(g, p.Type, x.Slice(p.Offset, end), y.Slice(p.Offset, end))
		if h.m.Over {
			return false
		}
		equal := h.holds(same)
		if h.m.Branch(g, same, equal); !equal || h.m.Over {
			return false
		}
	}
	return true
}
