package value

import (
	"go/types"
	"math"
	"math/bits"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/maptable"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// TypeWord returns the word that represents type t in an interface.
func (m *Operations) TypeWord(t *code.Type) heap.Word {
	for len(m.Types) <= int(t.ID) {
		m.Types = append(m.Types, nil)
	}
	o := m.Types[t.ID]
	if o == nil {
		o = m.NewConstant(heap.TypeObject)
		o.Desc = t
		m.Types[t.ID] = o
	}
	return heap.Word{P: o}
}

// pointerTo returns the type *t.
func (m *Operations) pointerTo(t *code.Type) *code.Type {
	return m.Program.Type(types.NewPointer(t.Go))
}

// ByteType returns the type byte.
func (m *Operations) ByteType() *code.Type { return m.Program.Type(types.Typ[types.Uint8]) }

// runtimeType returns a type that package runtime declares, nil if there is none.
func (m *Operations) runtimeType(name string) *code.Type {
	if m.RuntimePkg == nil {
		return nil
	}
	t := m.RuntimePkg.Type(name)
	if t == nil {
		return nil
	}
	return m.Program.Type(t.Type())
}

// IsTextMethod reports whether a method has the type func() string.
func IsTextMethod(sel *types.Selection) bool {
	sig := sel.Type().(*types.Signature)
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 &&
		types.Identical(sig.Results().At(0).Type(), types.Typ[types.String])
}

// pointerKind reports whether words of kind k use their field P.
func pointerKind(k code.Kind) bool {
	return k == code.Pointer || k == code.IfaceType || k == code.IfaceData
}

// Equal reports whether two values of type t are equal. If ok is false the comparison
// panics; m.Fault is set.
func (m *Operations) Equal(g *state.Goroutine, t *code.Type, a, b []heap.Word) (eq, ok bool) {
	switch t.Shape {
	case code.ShapeString:
		return symbolic.SameText(a, b), true
	case code.ShapeInterface:
		return m.equalInterfaces(g, a, b)
	case code.ShapeArray:
		w := t.Elem.Words
		for i := range int(t.Len) {
			if eq, ok := m.Equal(g, t.Elem, a[i*w:(i+1)*w], b[i*w:(i+1)*w]); !eq || !ok {
				return eq, ok
			}
		}
		return true, true
	case code.ShapeStruct:
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Name == "_" {
				continue
			}
			end := f.Offset + f.Type.Words
			if eq, ok := m.Equal(g, f.Type, a[f.Offset:end], b[f.Offset:end]); !eq || !ok {
				return eq, ok
			}
		}
		return true, true
	case code.ShapeComplex:
		return equalScalars(t.Kinds[0], a[0], b[0]) && equalScalars(t.Kinds[1], a[1], b[1]), true
	case code.ShapeSlice, code.ShapeFunc, code.ShapeMap:
		return false, m.PanicError(g, "comparing uncomparable type "+code.TypeString(t.Go))
	}
	return equalScalars(t.Kinds[0], a[0], b[0]), true
}

func equalScalars(k code.Kind, a, b heap.Word) bool {
	switch k {
	case code.Float32:
		return math.Float32frombits(uint32(a.N)) == math.Float32frombits(uint32(b.N))
	case code.Float64:
		return math.Float64frombits(a.N) == math.Float64frombits(b.N)
	case code.Pointer, code.IfaceType, code.IfaceData:
		return a == b
	}
	return a.N == b.N
}

// equalInterfaces is equal for two interface values.
func (m *Operations) equalInterfaces(g *state.Goroutine, a, b []heap.Word) (eq, ok bool) {
	if a[0].P != b[0].P {
		return false, true
	}
	if a[0].P == nil {
		return true, true
	}
	t := a[0].P.Desc
	if !types.Comparable(t.Go) {
		return false, m.PanicError(g, "comparing uncomparable type "+code.TypeString(t.Go))
	}
	switch t.Words {
	case 0:
		return true, true
	case 1:
		return m.Equal(g, t, a[1:2], b[1:2])
	}
	if a[1] == b[1] && !maptable.HasFloat(t) {
		return true, true
	}
	return m.Equal(g, t, heap.Unbox(nil, t, a[1]), heap.Unbox(nil, t, b[1]))
}

// A Hash is computed over the words of a map key. Its values do not affect a run, since
// maps are iterated in the order of insertion.
type Hash uint64

const hashPrime = 0x9e3779b97f4a7c15

func (h *Hash) Add(v uint64) {
	hi, lo := bits.Mul64(uint64(*h)^v, hashPrime)
	*h = Hash(hi ^ lo ^ v<<1)
}

func (h *Hash) AddText(b []byte) {
	h.Add(uint64(len(b)))
	for len(b) >= 8 {
		h.Add(uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56)
		b = b[8:]
	}
	var rest uint64
	for i, c := range b {
		rest |= uint64(c) << (8 * i)
	}
	h.Add(rest)
}

// AddValue adds a value of type t to h. It returns false if hashing the value panics.
func (m *Operations) AddValue(g *state.Goroutine, h *Hash, t *code.Type, words []heap.Word) bool {
	switch t.Shape {
	case code.ShapeString:
		h.AddText(heap.BytesAt(words[0], int(words[1].N)))
		return true
	case code.ShapeInterface:
		return m.AddInterface(g, h, words)
	case code.ShapeArray:
		w := t.Elem.Words
		for i := range int(t.Len) {
			if !m.AddValue(g, h, t.Elem, words[i*w:(i+1)*w]) {
				return false
			}
		}
		return true
	case code.ShapeStruct:
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Name == "_" {
				continue
			}
			if !m.AddValue(g, h, f.Type, words[f.Offset:f.Offset+f.Type.Words]) {
				return false
			}
		}
		return true
	case code.ShapeSlice, code.ShapeFunc, code.ShapeMap:
		return m.PanicError(g, "hash of unhashable type "+code.TypeString(t.Go))
	}
	for i, k := range t.Kinds {
		w := words[i]
		switch {
		case pointerKind(k) && w.P != nil && w.P.ID.Goroutine == run.InputObjects:
			h.Add(1) // the object may get its number later
		case pointerKind(k) && w.P != nil:
			h.Add(uint64(uint32(w.P.ID.Goroutine))<<32 | uint64(uint32(w.P.ID.Count)))
			h.Add(w.N)
		case k.Float() && w.N<<(64-k.Bits()+1) == 0:
			h.Add(0) // positive and negative zero are equal
		default:
			h.Add(w.N)
		}
	}
	return true
}

// AddInterface adds an interface value to h. It returns false if hashing the value
// panics.
func (m *Operations) AddInterface(g *state.Goroutine, h *Hash, words []heap.Word) bool {
	if words[0].P == nil {
		h.Add(0)
		return true
	}
	dyn := words[0].P.Desc
	if !types.Comparable(dyn.Go) {
		return m.PanicError(g, "hash of unhashable type "+code.TypeString(dyn.Go))
	}
	h.Add(uint64(words[0].P.ID.Count))
	if dyn.Words == 1 {
		return m.AddValue(g, h, dyn, words[1:2])
	}
	return m.AddValue(g, h, dyn, heap.Unbox(nil, dyn, words[1]))
}

// panicUnhashable makes the running goroutine panic since a key that was looked up in the map o, or
// deleted from it, cannot be hashed. Where a map has no entries, gc does not hash the key but only
// looks whether it could, and has another error for that. It returns false.
func (m *Operations) panicUnhashable(g *state.Goroutine, o *heap.Object, t *code.Type, key []heap.Word) bool {
	if maptable.Len(o) > 0 {
		return false // the goroutine panics
	}
	return m.PanicPlain(g, "hash of unhashable type: "+code.TypeString(unhashable(t, key)))
}

// unhashable returns the type of the first part of a value of type t that cannot be hashed, nil if there is none.
func unhashable(t *code.Type, words []heap.Word) types.Type {
	switch t.Shape {
	case code.ShapeInterface:
		dyn := words[0].P
		switch {
		case dyn == nil:
			return nil
		case !types.Comparable(dyn.Desc.Go):
			return dyn.Desc.Go
		case dyn.Desc.Words == 1:
			return unhashable(dyn.Desc, words[1:2])
		}
		return unhashable(dyn.Desc, heap.Unbox(nil, dyn.Desc, words[1]))
	case code.ShapeArray:
		for part := range slices.Chunk(words[:int(t.Len)*t.Elem.Words], max(t.Elem.Words, 1)) {
			if bad := unhashable(t.Elem, part); bad != nil {
				return bad
			}
		}
	case code.ShapeStruct:
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Name == "_" {
				continue
			}
			if bad := unhashable(f.Type, words[f.Offset:f.Offset+f.Type.Words]); bad != nil {
				return bad
			}
		}
	}
	return nil
}

// MakeIface makes an interface value of the value of type t in the registers of f from
// src on. It stores it in the two registers from dst on.
func (m *Operations) MakeIface(g *state.Goroutine, f *state.Frame, dst, src int, t *code.Type) bool {
	at := int(f.Base) + src
	words := g.Stack[at : at+t.Words]
	var data heap.Word
	sym := expr.None
	switch {
	case t.Words == 0:
	case t.Words == 1:
		data = words[0]
		if !pointerKind(t.Kinds[0]) {
			data.P = nil
		}
		if f.Symbolic {
			sym = g.Sym[at]
		}
	default:
		if o := m.NewObject(g, t, heap.Variable); o != nil {
			o.Fill(0, words, g.Shadows(at, t.Words))
			data.P = o
		}
	}
	to := int(f.Base) + dst
	g.Stack[to], g.Stack[to+1] = m.TypeWord(t), data
	if f.Symbolic {
		g.Sym[to], g.Sym[to+1] = expr.None, sym
	}
	return !m.Over
}

// Assert carries out an Assert instruction.
func (m *Operations) Assert(g *state.Goroutine, f *state.Frame, in *code.Instr) bool {
	t := f.Func.Types[in.D]
	at, to := int(f.Base+in.B), int(f.Base+in.A)
	typ, data := g.Stack[at], g.Stack[at+1]
	commaOK := in.K&1 != 0
	var holds bool
	missing := ""
	switch {
	case typ.P == nil:
	case t.Shape == code.ShapeInterface:
		holds, missing = m.Program.Implements(typ.P.Desc, t)
	default:
		holds = typ.P == m.TypeWord(t).P
	}
	if !holds && !commaOK {
		return m.panicAssertion(g, typ, t, f.Func.Types[in.C], missing)
	}
	if commaOK {
		g.Stack[to+t.Words] = heap.BoolWord(holds)
	}
	result := g.Stack[to : to+t.Words]
	var shadow []expr.ID
	switch {
	case !holds:
		clear(result)
	case t.Shape == code.ShapeInterface:
		result[0], result[1] = typ, data
		shadow = g.Shadows(at, 2)
	case t.Words == 1:
		result[0] = data
		shadow = g.Shadows(at+1, 1)
	case t.Words > 1:
		data.P.Load(result, int(data.N))
		shadow = data.P.ShadowAt(int(data.N), t.Words)
	}
	m.LoadShadow(g, f, to, shadow, t.Words)
	if commaOK && f.Symbolic {
		g.Sym[to+t.Words] = expr.None
	}
	return true
}

// panicAssertion makes the goroutine panic because a type assertion to t has failed for a
// value of dynamic type typ in an interface of type static.
func (m *Operations) panicAssertion(g *state.Goroutine, typ heap.Word, t, static *code.Type, missing string) bool {
	want := code.TypeString(t.Go)
	iface := "interface"
	if t.Shape != code.ShapeInterface {
		iface = code.TypeString(static.Go)
	}
	var text string
	switch {
	case typ.P == nil:
		text = iface + " is nil, not " + want
	case missing != "":
		text = code.TypeString(typ.P.Desc.Go) + " is not " + want + ": missing method " + missing
	default:
		have := code.TypeString(typ.P.Desc.Go)
		text = iface + " is " + have + ", not " + want
		if have == want {
			if code.TypePkgPath(typ.P.Desc.Go) != code.TypePkgPath(t.Go) {
				text += " (types from different packages)"
			} else {
				text += " (types from different scopes)"
			}
		}
	}
	text = "interface conversion: " + text
	return m.PanicRuntime(g, "TypeAssertionError", m.NewString(g, text), heap.Word{N: uint64(len(text))})
}
