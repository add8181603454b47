package driver

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unsafe"
)

// A linearResult is what a call gives: its results, with what functions were called with that it was given.
type linearResult struct {
	values   []any  // the results, for a model
	text     []byte // what is written of it, with linearPointer in the place of pointers
	pointers []unsafe.Pointer
	panicked bool
}

// linearPointer stands for a pointer in a text.
const linearPointer = 0

// linearDepth is how deep values are looked into.
const linearDepth = 5

// add adds results of the call.
func (r *linearResult) add(values ...any) {
	for _, v := range values {
		r.values = append(r.values, v)
		if len(r.text) > 0 {
			r.text = append(r.text, ", "...)
		}
		r.write(v)
	}
}

// called adds what a function is called with that the method was given, or what an iterator yields. Of a function that a constructor was given, r is nil:
// calls of other goroutines may call it.
func (r *linearResult) called(args ...any) {
	if r == nil {
		return
	}
	r.text = append(r.text, '(')
	for i, v := range args {
		if i > 0 {
			r.text = append(r.text, ", "...)
		}
		r.write(v)
	}
	r.text = append(r.text, ')')
}

// recovered is deferred by what calls a method: a panic is a result.
func (r *linearResult) recovered() {
	p := recover()
	if p == nil {
		return
	}
	r.panicked = true
	r.text = append(r.text, "panic: "...)
	if err, ok := p.(error); ok {
		r.text = append(r.text, err.Error()...)
		return
	}
	r.write(p)
}

// write writes a value.
func (r *linearResult) write(v any) {
	switch v := v.(type) {
	case nil:
		r.text = append(r.text, "nil"...)
	case bool:
		r.text = strconv.AppendBool(r.text, v)
	case int:
		r.text = strconv.AppendInt(r.text, int64(v), 10)
	case string:
		r.text = strconv.AppendQuote(r.text, v)
	default:
		r.writeValue(reflect.ValueOf(v), linearDepth)
	}
}

// writeValue writes a value that is known by reflection. An error is known by its message. Pointers are told
// apart, and those to plain values are known by these too.
func (r *linearResult) writeValue(v reflect.Value, depth int) {
	if depth == 0 {
		r.text = append(r.text, "..."...)
		return
	}
	if v.IsValid() && v.CanInterface() {
		if err, ok := v.Interface().(error); ok && !linearNil(v) {
			r.text = append(r.text, err.Error()...)
			return
		}
	}
	switch v.Kind() {
	case reflect.Invalid:
		r.text = append(r.text, "nil"...)
	case reflect.Bool:
		r.text = strconv.AppendBool(r.text, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		r.text = strconv.AppendInt(r.text, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		r.text = strconv.AppendUint(r.text, v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		r.text = strconv.AppendFloat(r.text, v.Float(), 'g', -1, 64)
	case reflect.Complex64, reflect.Complex128:
		r.text = append(r.text, strconv.FormatComplex(v.Complex(), 'g', -1, 128)...)
	case reflect.String:
		r.text = strconv.AppendQuote(r.text, v.String())
	case reflect.Array, reflect.Slice:
		r.text = append(r.text, '[')
		for i := range v.Len() {
			if i > 0 {
				r.text = append(r.text, ' ')
			}
			r.writeValue(v.Index(i), depth-1)
		}
		r.text = append(r.text, ']')
	case reflect.Struct:
		r.text = append(r.text, '{')
		for i := range v.NumField() {
			if i > 0 {
				r.text = append(r.text, ' ')
			}
			r.writeValue(v.Field(i), depth-1)
		}
		r.text = append(r.text, '}')
	case reflect.Interface:
		r.writeValue(v.Elem(), depth)
	case reflect.Map:
		r.writeMap(v, depth)
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		r.writePointer(v, depth)
	case reflect.Func:
		if v.IsNil() {
			r.text = append(r.text, "nil"...)
			return
		}
		r.text = append(r.text, "func"...)
	}
}

// writeMap writes a map in an order that does not depend on how it is iterated over.
func (r *linearResult) writeMap(v reflect.Value, depth int) {
	var entries []linearResult
	for it := v.MapRange(); it.Next(); {
		var entry linearResult
		entry.writeValue(it.Key(), depth-1)
		entry.text = append(entry.text, ':')
		entry.writeValue(it.Value(), depth-1)
		entries = append(entries, entry)
	}
	slices.SortFunc(entries, func(a, b linearResult) int { return slices.Compare(a.text, b.text) })
	r.text = append(r.text, "map["...)
	for i, entry := range entries {
		if i > 0 {
			r.text = append(r.text, ' ')
		}
		r.text = append(r.text, entry.text...)
		r.pointers = append(r.pointers, entry.pointers...)
	}
	r.text = append(r.text, ']')
}

// writePointer writes a pointer.
func (r *linearResult) writePointer(v reflect.Value, depth int) {
	if v.IsNil() {
		r.text = append(r.text, "nil"...)
		return
	}
	r.text = append(r.text, linearPointer)
	r.pointers = append(r.pointers, v.UnsafePointer())
	if v.Kind() != reflect.Pointer {
		return
	}
	switch v.Elem().Kind() {
	case reflect.Struct, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Chan, reflect.Func, reflect.Array:
		return // others may change it
	}
	r.text = append(r.text, "->"...)
	r.writeValue(v.Elem(), depth-1)
}

// linearNil reports whether v is nil.
func linearNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}

// A linearSame compares results of calls in two histories. Pointers are the same if they can be renamed, each
// pointer of one history to one of the other.
type linearSame struct{ a, b []unsafe.Pointer }

// begin says which pointers are the same, whatever the results are.
func (s *linearSame) begin(a, b []unsafe.Pointer) {
	s.a, s.b = append(s.a, a...), append(s.b, b...)
}

// results reports whether two results are the same. From then on they are, so that later ones have to agree with them.
func (s *linearSame) results(a, b *linearResult) bool {
	if string(a.text) != string(b.text) || len(a.pointers) != len(b.pointers) {
		return false
	}
	for i, p := range a.pointers {
		q := b.pointers[i]
		at, to := slices.Index(s.a, p), slices.Index(s.b, q)
		if at != to {
			return false
		}
		if at < 0 {
			s.a, s.b = append(s.a, p), append(s.b, q)
		}
	}
	return true
}

// texts returns what is written of the results of the calls, by their numbers. Pointers have names in the order
// of the calls.
func (l *linearTest[O]) texts(h *linearHistory) []string {
	var met []unsafe.Pointer
	name := func(p unsafe.Pointer) string {
		if i := slices.Index(h.known, p); i >= 0 {
			return l.names[i]
		}
		i := slices.Index(met, p)
		if i < 0 {
			i, met = len(met), append(met, p)
		}
		return fmt.Sprintf("pointer%d", i+1)
	}
	list := make([]string, len(h.ops))
	for i := range h.ops {
		r := &h.ops[i].result
		if !h.ops[i].returned {
			continue
		}
		var text []byte
		pointers := r.pointers
		for _, c := range r.text {
			if c != linearPointer || len(pointers) == 0 {
				text = append(text, c)
				continue
			}
			text = append(text, name(pointers[0])...)
			pointers = pointers[1:]
		}
		switch {
		case r.panicked:
			list[i] = " " + string(text)
		case len(text) > 0:
			list[i] = " = " + string(text)
		}
	}
	return list
}

// linearAddress returns a pointer to a value.
func linearAddress[T any](v T) *T { return &v }

// linearAddresses returns the addresses that values are, nil for what is no pointer, channel or map.
func linearAddresses(values ...any) []unsafe.Pointer {
	list := make([]unsafe.Pointer, len(values))
	for i, value := range values {
		switch v := reflect.ValueOf(value); v.Kind() {
		case reflect.Pointer, reflect.Chan, reflect.Map, reflect.UnsafePointer:
			list[i] = v.UnsafePointer()
		}
	}
	return list
}
