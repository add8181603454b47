package naming

import (
	"fmt"
	"go/types"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/schedule"
)

// Read returns the value that an event has read, and Wrote the one that it has written, empty if there
// is none, or none that says something.
func (n *Names) Read(e *run.Event) string {
	return n.value(e, e.Read, code.Kind(e.ReadKind), e.Op != schedule.Write && e.Op != schedule.AtomicWrite && e.Op != schedule.Send)
}

// Wrote is described at Read.
func (n *Names) Wrote(e *run.Event) string {
	return n.value(e, e.Wrote, code.Kind(e.WroteKind), e.Op != schedule.Read && e.Op != schedule.AtomicRead && e.Op != schedule.Recv)
}

// value returns the value of an event whose first word is given. The other words of the event belong
// to it if whole is set.
func (n *Names) value(e *run.Event, first uint64, kind code.Kind, whole bool) string {
	if kind == code.NoKind {
		return ""
	}
	words := []uint64{first}
	if whole {
		for _, w := range e.Rest {
			words = append(words, w.Value)
		}
	}
	t, at := n.typeAt(e)
	if t == nil || at != 0 || t.Words != len(words) {
		if len(words) > 1 {
			return "" // a struct, or a part of one
		}
		return n.word(first, kind)
	}
	if named, ok := t.Go.(*types.Named); ok && named.Obj().Name() == "Bool" && n.isStandard(t.Go) {
		return n.word(first, code.Bool) // of package atomic
	}
	switch t.Shape {
	case code.ShapeString:
		return n.text(words[0], words[1])
	case code.ShapeSlice:
		if words[0] == 0 && words[2] == 0 {
			return "nil"
		}
		return fmt.Sprintf("slice of %d", words[1])
	case code.ShapeInterface:
		return n.boxed(words[0], words[1])
	case code.ShapeFunc:
		if words[0] != 0 {
			return "func"
		}
	case code.ShapePointer:
		if words[0] != 0 && n.pointee(words[0]) == nil {
			return "*" + n.typeText(t.Elem)
		}
	}
	if len(words) > 1 {
		return ""
	}
	return n.word(first, kind)
}

// typeAt returns the type of the variable at which an operation was made, or of what a channel
// passes on, and which of its words was the first; nil if that is not known.
func (n *Names) typeAt(e *run.Event) (t *code.Type, at int) {
	o := n.objects[e.Object]
	if o == nil || o.Type == nil {
		return nil, 0
	}
	off := int(e.Offset)
	switch o.Kind {
	case heap.Variable:
		_, t, at = n.part(o.Type, off)
		return t, at
	case heap.Array:
		if o.Type.Words > 0 {
			_, t, at = n.part(o.Type, off%o.Type.Words)
			return t, at
		}
	case heap.ChanObject:
		return o.Type.Elem, 0
	}
	return nil, 0
}

// word shows a word as Go prints it.
func (n *Names) word(bits uint64, kind code.Kind) string {
	switch kind {
	case code.Bool:
		return strconv.FormatBool(bits != 0)
	case code.Int8, code.Int16, code.Int32, code.Int64:
		return strconv.FormatInt(int64(heap.Canonical(bits, kind)), 10)
	case code.Uint8, code.Uint16, code.Uint32, code.Uint64:
		return strconv.FormatUint(bits, 10)
	case code.Float32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(bits))), 'g', -1, 32)
	case code.Float64:
		return strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)
	}
	if bits == 0 {
		return "nil"
	}
	if o := n.pointee(bits); o != nil {
		name := o.name
		if name == "" && o.Type != nil {
			name = n.typeName(o.Type.Go)
		}
		if name != "" {
			if o.Kind == heap.Variable || o.Kind == heap.Array {
				if _, off := heap.Pointee(bits); off > 0 {
					name += n.path(o.Object, off)
				}
				return "&" + name
			}
			return name
		}
	}
	return "not nil"
}

// pointee returns the object to which a pointer that is given as a number points, nil if that is not
// known.
func (n *Names) pointee(bits uint64) *object {
	id, _ := heap.Pointee(bits)
	return n.objects[id]
}

// maxText is how many bytes of a string are shown.
const maxText = 32

// text returns a string of the program as a Go literal.
func (n *Names) text(base, length uint64) string {
	if length == 0 {
		return `""`
	}
	id, off := heap.Pointee(base)
	from, size := uint64(off), min(length, maxText)
	var text string
	switch {
	case id.Goroutine == run.ConstantObjects:
		all := n.constant(id.Count)
		if from+size > uint64(len(all)) {
			return "string of " + strconv.FormatUint(length, 10) + " bytes"
		}
		text = all[from : from+size]
	case n.objects[id] != nil && from+size <= uint64(len(n.objects[id].Bytes)):
		text = string(n.objects[id].Bytes[from : from+size])
	default:
		return "string of " + strconv.FormatUint(length, 10) + " bytes"
	}
	if length > maxText {
		for !utf8.ValidString(text) && len(text) > maxText-utf8.UTFMax {
			text = text[:len(text)-1]
		}
		return strconv.Quote(text) + "…"
	}
	return strconv.Quote(text)
}

// constant returns a constant string by the count of its object.
func (n *Names) constant(count int32) string {
	if n.texts == nil {
		n.texts = make(map[int32]string, len(n.m.Texts))
		for text, w := range n.m.Texts {
			if w.P != nil && len(w.P.Bytes) >= len(n.texts[w.P.ID.Count]) {
				n.texts[w.P.ID.Count] = text
			}
		}
	}
	return n.texts[count]
}

// boxed returns what an interface holds.
func (n *Names) boxed(dynamic, data uint64) string {
	if dynamic == 0 {
		return "nil"
	}
	id, _ := heap.Pointee(dynamic)
	for _, o := range n.m.Types {
		if o == nil || o.ID != id || o.Desc == nil {
			continue
		}
		if o.Desc.Shape == code.Scalar {
			return n.word(data, o.Desc.Kinds[0])
		}
		return n.typeText(o.Desc) + n.message(data)
	}
	return "not nil"
}

// message returns, in braces, the string with which a struct begins, as those of most errors do, that is given by
// a pointer; empty if it does not begin with one.
func (n *Names) message(data uint64) string {
	o := n.pointee(data)
	if _, off := heap.Pointee(data); o == nil || o.Kind != heap.Variable || off != 0 {
		return ""
	}
	t := o.Type
	for t.Shape == code.ShapeStruct && len(t.Fields) > 0 {
		t = t.Fields[0].Type
	}
	if t.Shape != code.ShapeString || len(o.Cells) < 2 {
		return ""
	}
	return "{" + n.text(o.Cells[0].Number(code.Pointer), o.Cells[1].N) + "}"
}

// typeText returns a type as the source of the home package has it.
func (n *Names) typeText(t *code.Type) string {
	if name := n.typeName(t.Go); name != "" {
		return name
	}
	if t.Shape == code.ShapePointer && t.Elem != nil {
		return "*" + n.typeText(t.Elem)
	}
	return t.String()
}
