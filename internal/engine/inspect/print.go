package inspect

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/everyway-go/everyway/internal/code"
)

// How much of a value is printed on a line.
const (
	maxDepth    = 4   // of pointers, fields and elements
	maxElements = 16  // of a slice, array, map or channel
	maxText     = 64  // bytes of a string
	maxLine     = 400 // bytes
)

// String returns the value on one line, in Go syntax as far as that has any. What is left out is
// replaced by an ellipsis. Objects to which it refers are named at the end of what they hold, as in &T{f: 1}@0.1#3;
// an object that is shown already, or that is too deep, has only its name.
func (v Value) String() string { return v.text(maxLine, maxDepth) }

// Full is like String, but leaves out nothing up to a given depth, and up to 64 KiB.
func (v Value) Full(depth int) string { return v.text(1<<16, depth) }

// Plain returns the value in Go syntax without the names of objects, up to 64 KiB.
func (v Value) Plain(depth int) string {
	p := printer{max: 1 << 16, plain: true}
	p.value(v, depth, false)
	return p.String()
}

// short returns the value without the names of objects.
func (v Value) short() string {
	p := printer{max: maxText, plain: true}
	p.value(v, 2, false)
	return p.String()
}

func (v Value) text(limit, depth int) string {
	p := printer{max: limit}
	p.value(v, depth, false)
	return p.String()
}

// A printer prints a value on one line.
type printer struct {
	strings.Builder
	max   int
	plain bool // without the names of objects
	shown []string
}

func (p *printer) full() bool { return p.Len() >= p.max }

// value prints v. If typed is set, the type is to be seen, as of the value in an interface.
func (p *printer) value(v Value, depth int, typed bool) {
	if v.missing != "" {
		p.WriteString("(" + v.missing + ")")
		return
	}
	if note := v.s.noteOn(v); note != "" {
		p.WriteString(v.Type.String() + "{" + note + "}")
		return
	}
	switch v.Type.Shape {
	case code.Scalar, code.ShapeComplex:
		p.converted(v, v.scalar(), typed)
	case code.ShapeString:
		p.converted(v, quote(v, p.max), typed)
	case code.ShapePointer:
		p.pointer(v, depth)
	case code.ShapeUnsafePointer:
		if v.IsNil() {
			p.WriteString("nil")
			return
		}
		p.WriteString("unsafe.Pointer(" + v.Object() + ")")
	case code.ShapeInterface:
		elem, ok := v.Elem()
		if !ok {
			p.WriteString("nil")
			return
		}
		p.value(elem, depth, true)
	case code.ShapeFunc:
		name := v.FuncName()
		if name == "" {
			p.nilOf(v, typed)
			return
		}
		p.WriteString(name)
	default:
		p.composite(v, depth, typed)
	}
}

// converted prints a value whose type its text does not show, with a conversion if that is to be seen.
func (p *printer) converted(v Value, text string, typed bool) {
	if t := v.Type.String(); typed && t != "string" && t != "bool" {
		p.WriteString(t + "(" + text + ")")
		return
	}
	p.WriteString(text)
}

func (p *printer) nilOf(v Value, typed bool) {
	if !typed {
		p.WriteString("nil")
		return
	}
	p.WriteString("(" + v.Type.String() + ")(nil)")
}

// pointer prints a pointer with what it points to.
func (p *printer) pointer(v Value, depth int) {
	if v.IsNil() {
		p.nilOf(v, true)
		return
	}
	name := v.s.objectName(v.words[0].P)
	if name != "" {
		name += v.s.path(v.words[0], nil)
	}
	elem, _ := v.Elem()
	if depth <= 0 || p.full() || name != "" && p.has(name) {
		if p.plain || name == "" {
			p.WriteString("&" + elem.Type.String() + "{…}")
			return
		}
		p.WriteString("(" + v.Type.String() + ")(" + name + ")")
		return
	}
	p.shown = append(p.shown, name)
	p.WriteByte('&')
	p.value(elem, depth-1, true)
	p.name(name)
}

// has reports whether an object is shown already.
func (p *printer) has(name string) bool {
	for _, s := range p.shown {
		if s == name {
			return true
		}
	}
	return false
}

// name prints the name of an object after what it holds.
func (p *printer) name(name string) {
	if !p.plain && name != "" {
		p.WriteString("@" + name)
	}
}

// composite prints a struct, slice, array, map or channel.
func (p *printer) composite(v Value, depth int, typed bool) {
	if v.IsNil() {
		p.nilOf(v, typed)
		return
	}
	p.WriteString(v.Type.String())
	name := v.Object()
	switch {
	case name == "":
	case v.Type.Shape == code.ShapeSlice: // several slices of an array may hold different elements
		if v.words[0].N > 0 {
			name += v.s.path(v.words[0], nil)
		}
	case p.has(name) && p.plain:
		p.WriteString("{…}")
		return
	case p.has(name):
		p.WriteString("(" + name + ")")
		return
	default:
		p.shown = append(p.shown, name)
	}
	p.WriteByte('{')
	if n := v.parts(); depth <= 0 && n > 0 || p.full() {
		p.WriteString("…")
	} else {
		p.elements(v, depth-1)
	}
	p.WriteByte('}')
	if v.Type.Shape == code.ShapeChan {
		p.WriteString("(len " + strconv.Itoa(v.Len()) + ", cap " + strconv.Itoa(v.Cap()))
		if v.IsClosed() {
			p.WriteString(", closed")
		}
		p.WriteByte(')')
	}
	if v.Type.Shape == code.ShapeSlice && v.Cap() > v.Len() && !p.plain {
		p.WriteString("(cap " + strconv.Itoa(v.Cap()) + ")")
	}
	p.name(name)
}

// parts returns how many elements or fields a value has.
func (v Value) parts() int {
	if v.Type.Shape == code.ShapeStruct {
		return len(v.Type.Fields)
	}
	return v.Len()
}

// elements prints the elements, entries or fields of a value.
func (p *printer) elements(v Value, depth int) {
	n := v.parts()
	most := maxElements
	if p.max > maxLine {
		most = maxParts
	}
	var keys, values []Value
	switch v.Type.Shape {
	case code.ShapeMap:
		keys, values = v.Entries()
	case code.ShapeChan:
		values = v.Elements()
	}
	for i := range n {
		if i > 0 {
			p.WriteString(", ")
		}
		if i == most && v.Type.Shape != code.ShapeStruct || p.full() {
			p.WriteString("…" + strconv.Itoa(n-i) + " more")
			return
		}
		switch v.Type.Shape {
		case code.ShapeStruct:
			p.WriteString(v.Type.Fields[i].Name + ": ")
			p.value(v.Field(i), depth, false)
		case code.ShapeMap:
			p.value(keys[i], depth, false)
			p.WriteString(": ")
			p.value(values[i], depth, false)
		case code.ShapeChan:
			p.value(values[i], depth, false)
		default:
			p.value(v.Index(i), depth, false)
		}
	}
}

// quote returns a string in Go syntax, cut if it is long.
func quote(v Value, most int) string {
	if v.words[1].N == 0 {
		return `""`
	}
	text := v.Text()
	if most <= maxLine && len(text) > maxText {
		cut := maxText
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		return strconv.Quote(text[:cut]) + "…" + strconv.Itoa(len(text)-cut) + " more"
	}
	return strconv.Quote(text)
}
