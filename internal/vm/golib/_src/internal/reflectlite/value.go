package reflectlite

import (
	"runtime"
	"unsafe"
)

// A Value is a Go value of any type; the zero Value stands for no value.
type Value struct {
	typ_ *rtype
	ptr  unsafe.Pointer // at storage that holds the value
	flag
}

// A flag holds, in its lowest bits, the kind.
type flag uintptr

const (
	flagKindMask flag = 1<<5 - 1
	flagAddr     flag = 1 << 7 // addressable
)

func (f flag) kind() Kind { return Kind(f & flagKindMask) }

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

// IsValid reports whether v is not the zero Value.
func (v Value) IsValid() bool { return v.flag != 0 }

// Kind returns the kind of v.
func (v Value) Kind() Kind { return v.kind() }

// CanSet reports whether v can be changed.
func (v Value) CanSet() bool { return v.flag&flagAddr != 0 }

// Type returns the type of v.
func (v Value) Type() Type {
	if v.flag == 0 {
		panic(&ValueError{"reflectlite.Value.Type", Invalid})
	}
	return v.typ_
}

// Elem returns the value in the interface v or the variable v points at.
func (v Value) Elem() Value {
	switch v.kind() {
	case Interface:
		return ValueOf(*(*any)(v.ptr))
	case Pointer:
		p := *(*unsafe.Pointer)(v.ptr)
		if p == nil {
			return Value{}
		}
		t := typeElem(v.typ_)
		return Value{t, p, flagAddr | flag(t.Kind())}
	}
	panic(&ValueError{"reflectlite.Value.Elem", v.kind()})
}

// IsNil reports whether v is nil.
func (v Value) IsNil() bool {
	switch v.kind() {
	case Chan, Func, Map, Pointer, UnsafePointer:
		return *(*unsafe.Pointer)(v.ptr) == nil
	case Interface:
		return *(*any)(v.ptr) == nil
	case Slice:
		return *(*[]struct{})(v.ptr) == nil
	}
	panic(&ValueError{"reflectlite.Value.IsNil", v.kind()})
}

// Len returns the length of v.
func (v Value) Len() int {
	switch v.kind() {
	case Slice:
		return len(*(*[]struct{})(v.ptr))
	case String:
		return len(*(*string)(v.ptr))
	case Array:
		return typeLen(v.typ_)
	case Chan:
		return len(*(*chan struct{})(v.ptr))
	case Map:
		return len(*(*map[int]struct{})(v.ptr))
	}
	panic(&ValueError{"reflect.Value.Len", v.kind()})
}

// Set assigns x to v.
func (v Value) Set(x Value) {
	if v.flag == 0 || x.flag == 0 {
		panic(&ValueError{methodName(), Invalid})
	}
	if v.flag&flagAddr == 0 {
		panic("reflect: " + methodName() + " using unaddressable value")
	}
	if !typeAssignable(x.typ_, v.typ_) {
		panic("reflectlite.Set: value of type " + x.typ_.String() + " is not assignable to type " + v.typ_.String())
	}
	if v.kind() == Interface {
		var i any
		if x.kind() == Interface {
			i = *(*any)(x.ptr)
		} else {
			i = packerOf(x.typ_)(x.ptr)
		}
		*(*any)(v.ptr) = i
		return
	}
	copierOf(v.typ_)(v.ptr, x.ptr)
}

// methodName returns the name of the function that calls it.
func methodName() string {
	pc, _, _, _ := runtime.Caller(1)
	if f := runtime.FuncForPC(pc); f != nil {
		return f.Name()
	}
	return "unknown method"
}
