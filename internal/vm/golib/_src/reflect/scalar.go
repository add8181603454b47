package reflect

import "unsafe"

// Bool returns the bool v.
func (v Value) Bool() bool {
	v.mustBe(Bool)
	return *(*bool)(v.ptr)
}

// SetBool sets v to x.
func (v Value) SetBool(x bool) {
	v.mustBeAssignable()
	v.mustBe(Bool)
	*(*bool)(v.ptr) = x
}

// CanInt reports whether Int can be used.
func (v Value) CanInt() bool {
	k := v.kind()
	return Int <= k && k <= Int64
}

// Int returns the signed integer v.
func (v Value) Int() int64 {
	switch v.kind() {
	case Int:
		return int64(*(*int)(v.ptr))
	case Int8:
		return int64(*(*int8)(v.ptr))
	case Int16:
		return int64(*(*int16)(v.ptr))
	case Int32:
		return int64(*(*int32)(v.ptr))
	case Int64:
		return *(*int64)(v.ptr)
	}
	panic(&ValueError{"reflect.Value.Int", v.kind()})
}

// SetInt sets v to x, truncated to its size.
func (v Value) SetInt(x int64) {
	v.mustBeAssignable()
	if !v.CanInt() {
		panic(&ValueError{"reflect.Value.SetInt", v.kind()})
	}
	storeInt(v.kind(), v.ptr, uint64(x))
}

// OverflowInt reports whether x does not fit in v.
func (v Value) OverflowInt(x int64) bool {
	if !v.CanInt() {
		panic(&ValueError{"reflect.Value.OverflowInt", v.kind()})
	}
	return overflowInt(x, v.typ_.Size())
}

// CanUint reports whether Uint can be used.
func (v Value) CanUint() bool {
	k := v.kind()
	return Uint <= k && k <= Uintptr
}

// Uint returns the unsigned integer v.
func (v Value) Uint() uint64 {
	switch v.kind() {
	case Uint:
		return uint64(*(*uint)(v.ptr))
	case Uint8:
		return uint64(*(*uint8)(v.ptr))
	case Uint16:
		return uint64(*(*uint16)(v.ptr))
	case Uint32:
		return uint64(*(*uint32)(v.ptr))
	case Uint64:
		return *(*uint64)(v.ptr)
	case Uintptr:
		return uint64(*(*uintptr)(v.ptr))
	}
	panic(&ValueError{"reflect.Value.Uint", v.kind()})
}

// SetUint sets v to x, truncated to its size.
func (v Value) SetUint(x uint64) {
	v.mustBeAssignable()
	if !v.CanUint() {
		panic(&ValueError{"reflect.Value.SetUint", v.kind()})
	}
	storeInt(v.kind(), v.ptr, x)
}

// OverflowUint reports whether x does not fit in v.
func (v Value) OverflowUint(x uint64) bool {
	if !v.CanUint() {
		panic(&ValueError{"reflect.Value.OverflowUint", v.kind()})
	}
	return overflowUint(x, v.typ_.Size())
}

// storeInt stores the low bits of x as an integer of kind k.
func storeInt(k Kind, p unsafe.Pointer, x uint64) {
	switch k {
	case Int:
		*(*int)(p) = int(x)
	case Int8:
		*(*int8)(p) = int8(x)
	case Int16:
		*(*int16)(p) = int16(x)
	case Int32:
		*(*int32)(p) = int32(x)
	case Int64:
		*(*int64)(p) = int64(x)
	case Uint:
		*(*uint)(p) = uint(x)
	case Uint8:
		*(*uint8)(p) = uint8(x)
	case Uint16:
		*(*uint16)(p) = uint16(x)
	case Uint32:
		*(*uint32)(p) = uint32(x)
	case Uint64:
		*(*uint64)(p) = x
	case Uintptr:
		*(*uintptr)(p) = uintptr(x)
	}
}

// CanFloat reports whether Float can be used.
func (v Value) CanFloat() bool {
	k := v.kind()
	return k == Float32 || k == Float64
}

// Float returns the floating-point number v.
func (v Value) Float() float64 {
	switch v.kind() {
	case Float32:
		return float64(*(*float32)(v.ptr))
	case Float64:
		return *(*float64)(v.ptr)
	}
	panic(&ValueError{"reflect.Value.Float", v.kind()})
}

// SetFloat sets v to x.
func (v Value) SetFloat(x float64) {
	v.mustBeAssignable()
	switch v.kind() {
	case Float32:
		*(*float32)(v.ptr) = float32(x)
	case Float64:
		*(*float64)(v.ptr) = x
	default:
		panic(&ValueError{"reflect.Value.SetFloat", v.kind()})
	}
}

// OverflowFloat reports whether x does not fit in v.
func (v Value) OverflowFloat(x float64) bool {
	switch v.kind() {
	case Float32:
		return overflowFloat32(x)
	case Float64:
		return false
	}
	panic(&ValueError{"reflect.Value.OverflowFloat", v.kind()})
}

// CanComplex reports whether Complex can be used.
func (v Value) CanComplex() bool {
	k := v.kind()
	return k == Complex64 || k == Complex128
}

// Complex returns the complex number v.
func (v Value) Complex() complex128 {
	switch v.kind() {
	case Complex64:
		return complex128(*(*complex64)(v.ptr))
	case Complex128:
		return *(*complex128)(v.ptr)
	}
	panic(&ValueError{"reflect.Value.Complex", v.kind()})
}

// SetComplex sets v to x.
func (v Value) SetComplex(x complex128) {
	v.mustBeAssignable()
	switch v.kind() {
	case Complex64:
		*(*complex64)(v.ptr) = complex64(x)
	case Complex128:
		*(*complex128)(v.ptr) = x
	default:
		panic(&ValueError{"reflect.Value.SetComplex", v.kind()})
	}
}

// OverflowComplex reports whether x does not fit in v.
func (v Value) OverflowComplex(x complex128) bool {
	switch v.kind() {
	case Complex64:
		return overflowFloat32(real(x)) || overflowFloat32(imag(x))
	case Complex128:
		return false
	}
	panic(&ValueError{"reflect.Value.OverflowComplex", v.kind()})
}

// String returns the string v; of other kinds, a text that names v's type.
func (v Value) String() string {
	switch v.kind() {
	case String:
		return *(*string)(v.ptr)
	case Invalid:
		return "<invalid Value>"
	}
	return "<" + v.Type().String() + " Value>"
}

// SetString sets v to x.
func (v Value) SetString(x string) {
	v.mustBeAssignable()
	v.mustBe(String)
	*(*string)(v.ptr) = x
}

// SetPointer sets the unsafe.Pointer v to x.
func (v Value) SetPointer(x unsafe.Pointer) {
	v.mustBeAssignable()
	v.mustBe(UnsafePointer)
	*(*unsafe.Pointer)(v.ptr) = x
}
