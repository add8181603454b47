package driver

import (
	"reflect"
	"strings"
	"unsafe"
)

// A linearOriginal is a value that has been drawn, of which there are copies: of all variables, maps and channels that it leads to. Where two pointers
// lead to one variable, or one leads to a part of a variable, they do so in the copy. Functions are the same in all copies. Slices have arrays of their own.
type linearOriginal[T any] struct {
	value *T
	roots []reflect.Value // pointers to variables to which pointers lead
	found map[linearVariable]bool
	inner map[linearVariable]bool // parts of variables
	// channels are what has been in channels.
	channels map[unsafe.Pointer]linearChannel
}

// A linearChannel is what has been in a channel.
type linearChannel struct {
	buffer []reflect.Value
	closed bool
}

// linearOriginalOf returns the original that a value is, which is not used otherwise from then on.
func linearOriginalOf[T any](v T) *linearOriginal[T] {
	o := &linearOriginal[T]{value: &v, found: map[linearVariable]bool{}, inner: map[linearVariable]bool{}, channels: map[unsafe.Pointer]linearChannel{}}
	o.find(reflect.ValueOf(o.value))
	return o
}

// linearOpen returns a variable without what says that it is an unexported field.
func linearOpen(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

// linearAt returns the variable that v is.
func linearAt(v reflect.Value) linearVariable {
	return linearVariable{v.Addr().UnsafePointer(), v.Type()}
}

// linearIsPointer reports whether a type is an atomic.Pointer.
func linearIsPointer(t reflect.Type) bool {
	return t.PkgPath() == "sync/atomic" && strings.HasPrefix(t.Name(), "Pointer[")
}

// linearLoaded returns the pointer that an atomic.Pointer has.
func linearLoaded(v reflect.Value) reflect.Value { return v.Addr().MethodByName("Load").Call(nil)[0] }

// linearParts calls visit with the parts of a variable, and reports whether it has parts.
func linearParts(v reflect.Value, visit func(i int, part reflect.Value)) bool {
	switch {
	case v.Kind() == reflect.Struct && !linearIsPointer(v.Type()):
		for i := range v.NumField() {
			if f := v.Field(i); f.Type().Size() > 0 {
				visit(i, linearOpen(f))
			}
		}
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			visit(i, v.Index(i))
		}
	default:
		return false
	}
	return true
}

// linearVariableOf returns a variable that has a value.
func linearVariableOf(v reflect.Value) reflect.Value {
	to := reflect.New(v.Type()).Elem()
	to.Set(v)
	return to
}

// find finds the variable to which p leads, and those to which that leads.
func (o *linearOriginal[T]) find(p reflect.Value) {
	if at := linearAt(p.Elem()); !o.found[at] {
		o.found[at] = true
		o.roots = append(o.roots, p)
		o.look(p.Elem())
	}
}

// look finds the variables to which v leads.
func (o *linearOriginal[T]) look(v reflect.Value) {
	if linearParts(v, func(_ int, part reflect.Value) {
		o.found[linearAt(part)], o.inner[linearAt(part)] = true, true
		o.look(part)
	}) {
		return
	}
	if linearIsPointer(v.Type()) {
		v = linearLoaded(v)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type().Elem().Size() > 0 {
			o.find(v)
		}
	case reflect.Slice:
		for i := range v.Len() {
			o.look(v.Index(i))
		}
	case reflect.Interface:
		if !v.IsNil() {
			o.look(linearVariableOf(v.Elem()))
		}
	case reflect.Map:
		if at := (linearVariable{v.UnsafePointer(), nil}); !v.IsNil() && !o.found[at] {
			o.found[at] = true
			for it := v.MapRange(); it.Next(); {
				o.look(linearVariableOf(it.Key()))
				o.look(linearVariableOf(it.Value()))
			}
		}
	case reflect.Chan:
		o.empty(v)
	case reflect.UnsafePointer:
		if !v.IsNil() {
			panic("linear: an unsafe.Pointer has no copy")
		}
	}
}

// empty takes out what is in a channel.
func (o *linearOriginal[T]) empty(v reflect.Value) {
	if _, ok := o.channels[v.UnsafePointer()]; ok || v.IsNil() {
		return
	}
	both := reflect.NewAt(reflect.ChanOf(reflect.BothDir, v.Type().Elem()), linearVariableOf(v).Addr().UnsafePointer()).Elem()
	var c linearChannel
	for {
		x, ok := both.TryRecv()
		if !ok {
			c.closed = x.IsValid()
			break
		}
		c.buffer = append(c.buffer, linearVariableOf(x))
	}
	o.channels[v.UnsafePointer()] = c
	for _, x := range c.buffer {
		o.look(x)
	}
}

// A linearCopy is a copy that is being made.
type linearCopy struct {
	variables  map[linearVariable]reflect.Value // of which there are copies
	references map[unsafe.Pointer]reflect.Value // copies of maps and channels
	channels   map[unsafe.Pointer]linearChannel
}

// copied returns a copy.
func (o *linearOriginal[T]) copied() T {
	c := linearCopy{map[linearVariable]reflect.Value{}, map[unsafe.Pointer]reflect.Value{}, o.channels}
	for _, p := range o.roots { // before any pointer is copied
		if !o.inner[linearAt(p.Elem())] {
			c.place(p.Elem(), reflect.New(p.Type().Elem()).Elem())
		}
	}
	for _, p := range o.roots {
		if at := linearAt(p.Elem()); !o.inner[at] {
			c.fill(p.Elem(), c.variables[at])
		}
	}
	return c.variables[linearAt(reflect.ValueOf(o.value).Elem())].Interface().(T)
}

// place notes that a variable and its parts have copies.
func (c *linearCopy) place(from, to reflect.Value) {
	c.variables[linearAt(from)] = to
	var parts []reflect.Value
	linearParts(to, func(_ int, part reflect.Value) { parts = append(parts, part) })
	n := 0
	linearParts(from, func(_ int, part reflect.Value) {
		c.place(part, parts[n])
		n++
	})
}

// fill gives a copy of a variable its value.
func (c *linearCopy) fill(from, to reflect.Value) {
	var parts []reflect.Value
	linearParts(to, func(_ int, part reflect.Value) { parts = append(parts, part) })
	n := 0
	if linearParts(from, func(_ int, part reflect.Value) {
		c.fill(part, parts[n])
		n++
	}) {
		return
	}
	if linearIsPointer(from.Type()) {
		to.Addr().MethodByName("Store").Call([]reflect.Value{c.value(linearLoaded(from))})
		return
	}
	to.Set(c.value(from))
}

// value returns the copy of a value that has no parts.
func (c *linearCopy) value(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Interface, reflect.Map, reflect.Chan:
		if v.IsNil() {
			return v
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.Type().Elem().Size() > 0 {
			return c.variables[linearAt(v.Elem())].Addr().Convert(v.Type())
		}
	case reflect.Slice:
		to := reflect.MakeSlice(v.Type(), v.Len(), v.Cap())
		for i := range v.Len() {
			c.fill(v.Index(i), to.Index(i))
		}
		return to
	case reflect.Interface:
		return c.apart(v.Elem())
	case reflect.Map:
		if to, ok := c.references[v.UnsafePointer()]; ok {
			return to.Convert(v.Type())
		}
		to := reflect.MakeMap(v.Type())
		c.references[v.UnsafePointer()] = to
		for it := v.MapRange(); it.Next(); {
			to.SetMapIndex(c.apart(it.Key()), c.apart(it.Value()))
		}
		return to
	case reflect.Chan:
		if to, ok := c.references[v.UnsafePointer()]; ok {
			return to.Convert(v.Type())
		}
		to := reflect.MakeChan(reflect.ChanOf(reflect.BothDir, v.Type().Elem()), v.Cap())
		c.references[v.UnsafePointer()] = to
		was := c.channels[v.UnsafePointer()]
		for _, x := range was.buffer {
			to.Send(c.apart(x))
		}
		if was.closed {
			to.Close()
		}
		return to.Convert(v.Type())
	}
	return v
}

// apart returns the copy of a value that is in no variable.
func (c *linearCopy) apart(v reflect.Value) reflect.Value {
	to := reflect.New(v.Type()).Elem()
	c.fill(linearVariableOf(v), to)
	return to
}
