package inspect

import (
	"cmp"
	"fmt"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/maptable"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A Value is a value of the program at the point at which a session stands. What it refers to
// is read when it is asked for, so it is valid until the session goes to another point.
type Value struct {
	Type  *code.Type
	words []heap.Word
	// at is where the value is in memory, the nil pointer if it is not.
	at heap.Word
	// fn is the name of the function that the value is, if there is no closure object for it.
	fn string
	// missing says why the value is not to be had, "" if it is.
	missing string

	s *Session
}

// A Part is a part of a value, or what it refers to.
type Part struct {
	// Name is what a Go expression for the part has after the value: .f, [3], or "" for what a
	// pointer points to.
	Name  string
	Value Value
}

// Missing says why the value is not available, "" if it is.
func (v Value) Missing() string { return v.missing }

// Object names the object that a pointer, slice, map, channel or function refers to. Two values that name
// one object refer to the same memory. It is "" if the value refers to none.
func (v Value) Object() string {
	if v.missing != "" || len(v.words) == 0 {
		return ""
	}
	switch v.Type.Shape {
	case code.ShapePointer, code.ShapeUnsafePointer, code.ShapeSlice, code.ShapeMap, code.ShapeChan, code.ShapeFunc:
		return v.s.objectName(v.words[0].P)
	}
	return ""
}

// Address names the object in which the value is, and its place there, "" if the value is not in memory.
func (v Value) Address() string {
	name := v.s.objectName(v.at.P)
	if name == "" {
		return ""
	}
	return name + v.s.path(v.at, nil)
}

// objectName names an object, "" for constants and parts of other objects.
func (s *Session) objectName(o *heap.Object) string {
	switch {
	case o == nil || o == s.machine.ZeroSized:
		return ""
	case o.ID.Goroutine >= 0:
		return s.machine.Names.String(o.ID.Goroutine) + "#" + strconv.Itoa(int(o.ID.Count))
	case o.ID.Goroutine == run.GlobalObjects:
		return s.globalName(o)
	case o.ID.Goroutine == run.InputObjects:
		return "&" + strconv.Itoa(int(o.ID.Count))
	}
	return ""
}

// path returns the part of an object to which a pointer points, as in an expression. If that begins with a part of
// its own, the whole is meant, unless within says that it is not.
func (s *Session) path(p heap.Word, within func(*code.Type) bool) string {
	o, off := p.P, int(p.N)
	if o == nil || o.Type == nil || o.Kind != heap.Variable && o.Kind != heap.Array {
		return ""
	}
	t, text := o.Type, ""
	if o.Kind == heap.Array {
		if t.Words == 0 {
			return ""
		}
		text = "[" + strconv.Itoa(off/t.Words) + "]"
		off %= t.Words
	}
	for off > 0 || within != nil && within(t) {
		switch {
		case t.Shape == code.ShapeArray && t.Elem.Words > 0:
			text += "[" + strconv.Itoa(off/t.Elem.Words) + "]"
			t, off = t.Elem, off%t.Elem.Words
		case t.Shape == code.ShapeStruct && len(t.Fields) > 0:
			i := len(t.Fields) - 1
			for i > 0 && (t.Fields[i].Offset > off || t.Fields[i].Type.Words == 0) {
				i--
			}
			text += "." + t.Fields[i].Name
			off -= t.Fields[i].Offset
			t = t.Fields[i].Type
		default:
			return text
		}
		if within != nil && off == 0 && !within(t) {
			break
		}
	}
	return text
}

// load returns the value of type t at a place in memory.
func (s *Session) load(t *code.Type, at heap.Word) Value {
	v := Value{Type: t, at: at, s: s}
	switch {
	case t.Words == 0:
	case at.P == nil:
		v.missing = "nil pointer"
	case int(at.N) < 0 || int(at.N)+t.Words > at.P.Size():
		v.missing = "memory of another type"
	default:
		v.words = make([]heap.Word, t.Words)
		for i := range v.words {
			v.words[i] = at.P.Word(int(at.N) + i)
		}
	}
	return v
}

// slice returns the part of v that is of type t and begins at word off.
func (v Value) slice(t *code.Type, off int) Value {
	part := Value{Type: t, s: v.s, words: v.words[off : off+t.Words]}
	if v.at.P != nil {
		part.at = heap.Word{P: v.at.P, N: v.at.N + uint64(off)}
	}
	return part
}

// IsNil reports whether v is a nil pointer, slice, map, channel, function or interface.
func (v Value) IsNil() bool {
	switch v.Type.Shape {
	case code.ShapePointer, code.ShapeUnsafePointer, code.ShapeSlice, code.ShapeMap, code.ShapeChan, code.ShapeInterface:
		return v.missing == "" && v.words[0].IsNil()
	case code.ShapeFunc:
		return v.missing == "" && v.fn == "" && v.words[0].IsNil()
	}
	return false
}

// Len returns the number of elements of a string, slice, array, map or channel, -1 for other values.
func (v Value) Len() int {
	if v.missing != "" {
		return -1
	}
	switch v.Type.Shape {
	case code.ShapeString, code.ShapeSlice:
		return int(v.words[1].N)
	case code.ShapeArray:
		return int(v.Type.Len)
	case code.ShapeMap:
		return int(maptable.Len(v.words[0].P))
	case code.ShapeChan:
		if ch := v.words[0].P; ch != nil && !state.IsTimerChan(ch) {
			return int(ch.Cells[state.ChanCount].N)
		}
		return 0
	}
	return -1
}

// Cap returns the capacity of a slice, array or channel, -1 for other values.
func (v Value) Cap() int {
	if v.missing != "" {
		return -1
	}
	switch v.Type.Shape {
	case code.ShapeSlice:
		return int(v.words[2].N)
	case code.ShapeArray:
		return int(v.Type.Len)
	case code.ShapeChan:
		if ch := v.words[0].P; ch != nil && !state.IsTimerChan(ch) {
			return int(state.CapChan(ch))
		}
		return 0
	}
	return -1
}

// Index returns element i of a slice, array or string, which it has.
func (v Value) Index(i int) Value {
	switch v.Type.Shape {
	case code.ShapeArray:
		return v.slice(v.Type.Elem, i*v.Type.Elem.Words)
	case code.ShapeString:
		return v.s.load(v.s.machine.Program.Type(types.Typ[types.Uint8]), heap.Word{P: v.words[0].P, N: v.words[0].N + uint64(i)})
	}
	return v.s.load(v.Type.Elem, heap.Word{P: v.words[0].P, N: v.words[0].N + uint64(i*v.Type.Elem.Words)})
}

// Elem returns what a pointer points to, or the value in an interface; ok is false if there is none.
func (v Value) Elem() (elem Value, ok bool) {
	if v.missing != "" || v.IsNil() {
		return Value{}, false
	}
	switch v.Type.Shape {
	case code.ShapePointer:
		return v.s.load(v.Type.Elem, v.words[0]), true
	case code.ShapeInterface:
		t := v.words[0].P.Desc
		elem := Value{Type: t, s: v.s, words: heap.Unbox(nil, t, v.words[1])}
		if t.Words > 1 {
			elem.at = v.words[1]
		}
		return elem, true
	}
	return Value{}, false
}

// Field returns a field of a struct.
func (v Value) Field(i int) Value {
	f := &v.Type.Fields[i]
	return v.slice(f.Type, f.Offset)
}

// Text returns the text of a string.
func (v Value) Text() string {
	n := int(v.words[1].N)
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(v.words[0].P.Word(int(v.words[0].N) + i).N)
	}
	return string(b)
}

// Entries returns the entries of a map, in the order in which package fmt prints them as far as keys are
// numbers, strings or booleans.
func (v Value) Entries() (keys, values []Value) {
	o := v.words[0].P
	if maptable.Len(o) == 0 {
		return nil, nil
	}
	t := v.Type
	table, w := o.Cells[maptable.Entries].P, maptable.Stride(t)
	maptable.EachPlace(o, func(place int) {
		keys = append(keys, v.s.load(t.Key, heap.Word{P: table, N: uint64(place*w + 1)}))
		values = append(values, v.s.load(t.Elem, heap.Word{P: table, N: uint64(maptable.ElementCells(t, place))}))
	})
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return compareKeys(keys[i], keys[j]) })
	sortedKeys, sorted := make([]Value, len(keys)), make([]Value, len(keys))
	for k, i := range order {
		sortedKeys[k], sorted[k] = keys[i], values[i]
		sortedKeys[k].at, sorted[k].at = heap.Word{}, heap.Word{} // neither has an address in Go
	}
	return sortedKeys, sorted
}

// compareKeys compares keys of a map that are ordered, as package fmt does, for which NaN is the least.
func compareKeys(a, b Value) int {
	switch a.Type.Shape {
	case code.ShapeString:
		return strings.Compare(a.Text(), b.Text())
	case code.Scalar:
		x, y := a.words[0].N, b.words[0].N
		switch k := a.Type.Kinds[0]; {
		case k == code.Float64:
			return cmp.Compare(math.Float64frombits(x), math.Float64frombits(y))
		case k == code.Float32:
			return cmp.Compare(float64(math.Float32frombits(uint32(x))), float64(math.Float32frombits(uint32(y))))
		case k.Signed():
			return cmp.Compare(int64(x), int64(y))
		}
		return cmp.Compare(x, y)
	}
	return 0
}

// Elements returns what a channel holds, the oldest first.
func (v Value) Elements() (list []Value) {
	ch, w := v.words[0].P, v.Type.Elem.Words
	for i := range v.Len() {
		at := (int(ch.Cells[state.ChanHead].N) + i) % v.Cap()
		e := v.s.load(v.Type.Elem, heap.Word{P: ch, N: uint64(state.ChanBuffer + at*w)})
		e.at = heap.Word{}
		list = append(list, e)
	}
	return list
}

// IsClosed reports whether a channel is closed.
func (v Value) IsClosed() bool {
	return v.missing == "" && !v.IsNil() && v.words[0].P.Cells[state.ChanClosed].N != 0
}

// maxParts bounds the number of parts of a value.
const maxParts = 1000

// Parts returns the parts of a value: fields, elements and entries, at most maxParts, what a pointer points to,
// the value in an interface and the variables that a function has captured.
func (v Value) Parts() (list []Part) {
	if v.missing != "" || v.IsNil() {
		return nil
	}
	switch v.Type.Shape {
	case code.ShapePointer:
		elem, _ := v.Elem()
		if elem.Type.Shape == code.ShapeStruct {
			return elem.Parts()
		}
		return []Part{{"", elem}}
	case code.ShapeInterface:
		elem, _ := v.Elem()
		if parts := elem.Parts(); len(parts) > 0 {
			return parts
		}
		return []Part{{".(" + elem.Type.String() + ")", elem}}
	case code.ShapeStruct:
		for i := range v.Type.Fields {
			list = append(list, Part{"." + v.Type.Fields[i].Name, v.Field(i)})
		}
	case code.ShapeSlice, code.ShapeArray:
		for i := range min(v.Len(), maxParts) {
			list = append(list, Part{"[" + strconv.Itoa(i) + "]", v.Index(i)})
		}
	case code.ShapeMap:
		keys, values := v.Entries()
		for i := range min(len(keys), maxParts) {
			list = append(list, Part{"[" + keys[i].short() + "]", values[i]})
		}
	case code.ShapeChan:
		for i, e := range v.Elements() {
			if i == maxParts {
				break
			}
			list = append(list, Part{"[" + strconv.Itoa(i) + "]", e})
		}
	case code.ShapeFunc:
		return v.captured()
	}
	return list
}

// captured returns the variables that a closure has captured, as far as their names are known.
func (v Value) captured() (list []Part) {
	o := v.words[0].P
	if o == nil || o.Kind != heap.ClosureObject || int(o.Func) >= len(v.s.machine.Funcs) || v.s.machine.Funcs[o.Func] == nil {
		return nil
	}
	vars := v.s.machine.Funcs[o.Func].Variables
	if vars == nil {
		return nil
	}
	for i := range vars.List {
		if c := &vars.List[i]; c.Captured >= 0 && int(c.Captured) < len(o.Cells) {
			list = append(list, Part{c.Name(), v.s.load(c.Type, o.Cells[c.Captured])})
		}
	}
	return list
}

// FuncName returns the name of a function that is a value.
func (v Value) FuncName() string {
	if v.fn != "" {
		return v.fn
	}
	if o := v.words[0].P; o != nil && int(o.Func) < len(v.s.machine.Funcs) && v.s.machine.Funcs[o.Func] != nil {
		return v.s.machine.Funcs[o.Func].Name
	}
	return ""
}

// scalar returns a value of one word, or a complex number, as Go has it.
func (v Value) scalar() string {
	n := v.words[0].N
	if v.Type.Shape == code.ShapeComplex {
		if v.Type.Kinds[0] == code.Float32 {
			return fmt.Sprint(complex(math.Float32frombits(uint32(n)), math.Float32frombits(uint32(v.words[1].N))))
		}
		return fmt.Sprint(complex(math.Float64frombits(n), math.Float64frombits(v.words[1].N)))
	}
	if v.Type.Named && v.Type.String() == "time.Duration" {
		return time.Duration(n).String()
	}
	switch k := v.Type.Kinds[0]; {
	case k == code.Bool:
		return strconv.FormatBool(n != 0)
	case k == code.Float32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(n))), 'g', -1, 32)
	case k == code.Float64:
		return strconv.FormatFloat(math.Float64frombits(n), 'g', -1, 64)
	case v.words[0].P != nil: // a pointer that is held as a number
		return "uintptr(" + v.s.objectName(v.words[0].P) + ")"
	case k.Signed():
		return strconv.FormatInt(int64(n), 10)
	}
	return strconv.FormatUint(n, 10)
}
