package reflect

import (
	"iter"
	"runtime"
	"unsafe"
)

// A Value is a Go value of any type. The methods that do not apply to a value's
// kind panic. The zero Value stands for no value.
type Value struct {
	typ_ *rtype

	// ptr points at storage that holds the value (of a method value: its
	// receiver). The storage of a value that is not addressable is not written.
	ptr unsafe.Pointer

	flag
}

// A flag holds, from its lowest bits: the kind; where the value is from; and of
// method values, of which type and ptr are the receiver's, the method's index.
type flag uintptr

const (
	flagKindMask    flag = 1<<5 - 1
	flagStickyRO    flag = 1 << 5 // from an unexported field that is not embedded
	flagEmbedRO     flag = 1 << 6 // from an unexported embedded field
	flagAddr        flag = 1 << 7 // addressable
	flagMethod      flag = 1 << 8 // a method value
	flagMethodShift      = 10
	flagRO               = flagStickyRO | flagEmbedRO
)

func (f flag) kind() Kind { return Kind(f & flagKindMask) }

// ro returns the flag for a value that is derived from one with f.
func (f flag) ro() flag {
	if f&flagRO != 0 {
		return flagStickyRO
	}
	return 0
}

// pointerValue returns the value p of the pointer-like type t.
func pointerValue(t *rtype, p unsafe.Pointer, f flag) Value {
	return Value{t, unsafe.Pointer(&p), f}
}

// ValueOf returns the value in i, the zero Value when i is nil.
func ValueOf(i any) Value {
	e := (*eface)(unsafe.Pointer(&i))
	if e.typ == nil {
		return Value{}
	}
	f := flag(e.typ.Kind())
	if typeWords(e.typ) == 1 {
		return Value{e.typ, unsafe.Pointer(&e.data), f}
	}
	return Value{e.typ, e.data, f}
}

// New returns a pointer to a new zero value of the type.
func New(typ Type) Value {
	if typ == nil {
		panic("reflect: New(nil)")
	}
	t := typ.(*rtype)
	return pointerValue(pointerTo(t), newOf(t), flag(Pointer))
}

// NewAt returns p as a pointer to a value of the type.
func NewAt(typ Type, p unsafe.Pointer) Value {
	return pointerValue(pointerTo(typ.(*rtype)), p, flag(Pointer))
}

// Zero returns the zero value of the type. It is not addressable.
func Zero(typ Type) Value {
	if typ == nil {
		panic("reflect: Zero(nil)")
	}
	t := typ.(*rtype)
	return Value{t, newOf(t), flag(t.Kind())}
}

// Indirect returns what v points at, and v itself when it is not a pointer.
func Indirect(v Value) Value {
	if v.Kind() != Pointer {
		return v
	}
	return v.Elem()
}

// A ValueError is the panic of a method on a value of a kind that it does not
// apply to.
type ValueError struct {
	Method string
	Kind   Kind
}

func (e *ValueError) Error() string {
	if e.Kind == 0 {
		return "reflect: call of " + e.Method + " on zero Value"
	}
	return "reflect: call of " + e.Method + " on " + e.Kind.String() + " Value"
}

// valueMethodName returns the name of the exported method of Value that is
// being called.
func valueMethodName() string {
	var pc [5]uintptr
	n := runtime.Callers(1, pc[:])
	frames := runtime.CallersFrames(pc[:n])
	var frame runtime.Frame
	for more := true; more; {
		const prefix = "reflect.Value."
		frame, more = frames.Next()
		name := frame.Function
		if len(name) > len(prefix) && name[:len(prefix)] == prefix {
			if c := name[len(prefix)]; 'A' <= c && c <= 'Z' {
				return name
			}
		}
	}
	return "unknown method"
}

// mustBe panics if the kind is not expected.
func (f flag) mustBe(expected Kind) {
	if f.kind() != expected {
		panic(&ValueError{valueMethodName(), f.kind()})
	}
}

// mustBeExported panics if the value is from an unexported field.
func (f flag) mustBeExported() {
	if f == 0 {
		panic(&ValueError{valueMethodName(), Invalid})
	}
	if f&flagRO != 0 {
		panic("reflect: " + valueMethodName() + " using value obtained using unexported field")
	}
}

// mustBeAssignable panics if the value is from an unexported field or not
// addressable.
func (f flag) mustBeAssignable() {
	f.mustBeExported()
	if f&flagAddr == 0 {
		panic("reflect: " + valueMethodName() + " using unaddressable value")
	}
}

// Kind returns the kind of v, Invalid for the zero Value.
func (v Value) Kind() Kind { return v.kind() }

// IsValid reports whether v is not the zero Value.
func (v Value) IsValid() bool { return v.flag != 0 }

// CanAddr reports whether v is addressable.
func (v Value) CanAddr() bool { return v.flag&flagAddr != 0 }

// CanSet reports whether v can be changed: it is addressable and not from an
// unexported field.
func (v Value) CanSet() bool { return v.flag&(flagAddr|flagRO) == flagAddr }

// CanInterface reports whether Interface can be used.
func (v Value) CanInterface() bool {
	if v.flag == 0 {
		panic(&ValueError{"reflect.Value.CanInterface", Invalid})
	}
	return v.flag&flagRO == 0
}

// Type returns the type of v.
func (v Value) Type() Type { return v.abiType() }

func (v Value) abiType() *rtype {
	if v.flag == 0 {
		panic(&ValueError{"reflect.Value.Type", Invalid})
	}
	if v.flag&flagMethod == 0 {
		return v.typ_
	}
	_, _, t := typeMethod(v.typ_, v.methodIndex())
	return t
}

// Addr returns a pointer to v.
func (v Value) Addr() Value {
	if v.flag&flagAddr == 0 {
		panic("reflect.Value.Addr of unaddressable value")
	}
	return pointerValue(pointerTo(v.typ_), v.ptr, v.flag&flagRO|flag(Pointer))
}

// UnsafeAddr returns the address of v as a number.
func (v Value) UnsafeAddr() uintptr {
	if v.typ_ == nil {
		panic(&ValueError{"reflect.Value.UnsafeAddr", Invalid})
	}
	if v.flag&flagAddr == 0 {
		panic("reflect.Value.UnsafeAddr of unaddressable value")
	}
	return uintptr(v.ptr)
}

// Elem returns the value in the interface v or the variable v points at.
func (v Value) Elem() Value {
	switch v.kind() {
	case Interface:
		x := ValueOf(*(*any)(v.ptr))
		if x.flag != 0 {
			x.flag |= v.flag.ro()
		}
		return x
	case Pointer:
		p := v.pointer()
		if p == nil {
			return Value{}
		}
		t := typeElem(v.typ_)
		return Value{t, p, v.flag&flagRO | flagAddr | flag(t.Kind())}
	}
	panic(&ValueError{"reflect.Value.Elem", v.kind()})
}

// Interface returns v as an interface value.
func (v Value) Interface() any { return valueInterface(v, true) }

func valueInterface(v Value, safe bool) any {
	if v.flag == 0 {
		panic(&ValueError{"reflect.Value.Interface", Invalid})
	}
	if safe && v.flag&flagRO != 0 {
		panic("reflect.Value.Interface: cannot return value obtained from unexported field or method")
	}
	if v.flag&flagMethod != 0 {
		v = makeMethodValue("Interface", v)
	}
	if v.kind() == Interface {
		return *(*any)(v.ptr)
	}
	return packerOf(v.typ_)(v.ptr)
}

// TypeAssert is v.Interface().(T).
func TypeAssert[T any](v Value) (T, bool) {
	if v.flag == 0 {
		panic(&ValueError{"reflect.TypeAssert", Invalid})
	}
	if v.flag&flagRO != 0 {
		panic("reflect.TypeAssert: cannot return value obtained from unexported field or method")
	}
	x, ok := valueInterface(v, false).(T)
	return x, ok
}

// InterfaceData returns two numbers for the type and the data of the interface
// v, as unspecified as ever.
func (v Value) InterfaceData() [2]uintptr {
	v.mustBe(Interface)
	e := (*eface)(v.ptr)
	return [2]uintptr{uintptr(unsafe.Pointer(e.typ)), uintptr(e.data)}
}

// pointer returns the pointer-like value v.
func (v Value) pointer() unsafe.Pointer { return *(*unsafe.Pointer)(v.ptr) }

// IsNil reports whether v is nil.
func (v Value) IsNil() bool {
	switch v.kind() {
	case Func:
		return v.flag&flagMethod == 0 && v.pointer() == nil
	case Chan, Map, Pointer, UnsafePointer:
		return v.pointer() == nil
	case Interface:
		return *(*any)(v.ptr) == nil
	case Slice:
		return *(*[]struct{})(v.ptr) == nil
	}
	panic(&ValueError{"reflect.Value.IsNil", v.kind()})
}

// Pointer returns the pointer v as a number: of a func its entry, of a slice or
// a string the address of the first element.
func (v Value) Pointer() uintptr {
	switch v.kind() {
	case Func:
		if v.flag&flagMethod != 0 {
			return methodValueCallCodePtr()
		}
		if p := v.pointer(); p != nil {
			return funcEntry(p)
		}
		return 0
	case Chan, Map, Pointer, UnsafePointer:
		return uintptr(v.pointer())
	case Slice:
		return uintptr((*sliceHeader)(v.ptr).data)
	case String:
		return uintptr(unsafe.Pointer(unsafe.StringData(*(*string)(v.ptr))))
	}
	panic(&ValueError{"reflect.Value.Pointer", v.kind()})
}

// UnsafePointer returns the pointer v: of a func its closure, of a slice or a
// string a pointer to the first element.
func (v Value) UnsafePointer() unsafe.Pointer {
	switch v.kind() {
	case Func:
		return unsafe.Pointer(v.Pointer())
	case Chan, Map, Pointer, UnsafePointer:
		return v.pointer()
	case Slice:
		return (*sliceHeader)(v.ptr).data
	case String:
		return unsafe.Pointer(unsafe.StringData(*(*string)(v.ptr)))
	}
	panic(&ValueError{"reflect.Value.UnsafePointer", v.kind()})
}

// Set assigns x to v.
func (v Value) Set(x Value) {
	v.mustBeAssignable()
	x.mustBeExported()
	x = x.assignTo("reflect.Set", v.typ_)
	move(v.typ_, v.kind(), v.ptr, x.ptr)
}

// SetZero sets v to its zero value.
func (v Value) SetZero() {
	v.mustBeAssignable()
	clearerOf(v.typ_)(v.ptr)
}

// move copies a value of type t and kind k.
func move(t *rtype, k Kind, dst, src unsafe.Pointer) {
	switch k {
	case Bool:
		*(*bool)(dst) = *(*bool)(src)
	case Int, Int64:
		*(*int64)(dst) = *(*int64)(src)
	case Int8:
		*(*int8)(dst) = *(*int8)(src)
	case Int16:
		*(*int16)(dst) = *(*int16)(src)
	case Int32:
		*(*int32)(dst) = *(*int32)(src)
	case Uint, Uint64, Uintptr:
		*(*uint64)(dst) = *(*uint64)(src)
	case Uint8:
		*(*uint8)(dst) = *(*uint8)(src)
	case Uint16:
		*(*uint16)(dst) = *(*uint16)(src)
	case Uint32:
		*(*uint32)(dst) = *(*uint32)(src)
	case Float32:
		*(*float32)(dst) = *(*float32)(src)
	case Float64:
		*(*float64)(dst) = *(*float64)(src)
	case Chan, Func, Map, Pointer, UnsafePointer:
		*(*unsafe.Pointer)(dst) = *(*unsafe.Pointer)(src)
	case Interface:
		*(*any)(dst) = *(*any)(src)
	case Slice:
		*(*sliceHeader)(dst) = *(*sliceHeader)(src)
	case String:
		*(*string)(dst) = *(*string)(src)
	default:
		copierOf(t)(dst, src)
	}
}

// copied returns storage of its own for the value of type t at p.
func copied(t *rtype, p unsafe.Pointer) unsafe.Pointer {
	c := newOf(t)
	move(t, t.Kind(), c, p)
	return c
}

// Fields iterates over the fields of the struct v.
func (v Value) Fields() iter.Seq2[StructField, Value] {
	t := v.Type()
	if t.Kind() != Struct {
		panic("reflect: Fields of non-struct type " + t.String())
	}
	return func(yield func(StructField, Value) bool) {
		for i := range v.NumField() {
			if !yield(t.Field(i), v.Field(i)) {
				return
			}
		}
	}
}

// Methods iterates over the methods of v.
func (v Value) Methods() iter.Seq2[Method, Value] {
	return func(yield func(Method, Value) bool) {
		t := v.Type()
		for i := range v.NumMethod() {
			if !yield(t.Method(i), v.Method(i)) {
				return
			}
		}
	}
}
