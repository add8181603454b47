package reflect

import "unsafe"

// A sliceHeader is a slice as it lies in memory.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// capacity returns the capacity of s. It is read as that of a slice, since it may depend on
// an input.
func (s *sliceHeader) capacity() int { return cap(*(*[]struct{})(unsafe.Pointer(s))) }

// StringHeader is a layout of strings that gc had; the machine never uses it.
type StringHeader struct {
	Data uintptr
	Len  int
}

// SliceHeader is a layout of slices that gc had; the machine never uses it.
type SliceHeader struct {
	Data uintptr
	Len  int
	Cap  int
}

// sliceValue returns s as a value of slice type t.
func sliceValue(t *rtype, s sliceHeader, f flag) Value {
	return Value{t, unsafe.Pointer(&s), f | flag(Slice)}
}

// MakeSlice is make(typ, len, cap).
func MakeSlice(typ Type, len, cap int) Value {
	if typ.Kind() != Slice {
		panic("reflect.MakeSlice of non-slice type")
	}
	if len < 0 {
		panic("reflect.MakeSlice: negative len")
	}
	if cap < 0 {
		panic("reflect.MakeSlice: negative cap")
	}
	if len > cap {
		panic("reflect.MakeSlice: len > cap")
	}
	t := typ.(*rtype)
	return sliceValue(t, sliceMakerOf(t)(len, cap), 0)
}

// maxBytes is more than the memory of gc's programs can have.
const maxBytes = 1 << 63

// SliceAt returns the slice of n elements of type typ from p on.
func SliceAt(typ Type, p unsafe.Pointer, n int) Value {
	if p == nil && n > 0 {
		panicUnsafe("unsafe.Slice: ptr is nil and len is not zero")
	}
	if size := typ.Size(); n < 0 || size > 0 && uintptr(n) > maxBytes/size {
		panicUnsafe("unsafe.Slice: len out of range")
	}
	return sliceValue(sliceOf(typ.common()), sliceHeader{p, n, n}, 0)
}

// An unsafeError is the run-time error of a wrong use of unsafe.
type unsafeError string

func (e unsafeError) Error() string { return "runtime error: " + string(e) }
func (unsafeError) RuntimeError()   {}

func panicUnsafe(text string) { panic(unsafeError(text)) }

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
	case Pointer:
		if e := typeElem(v.typ_); e.Kind() == Array {
			return typeLen(e)
		}
		panic("reflect: call of reflect.Value.Len on ptr to non-array Value")
	}
	panic(&ValueError{"reflect.Value.Len", v.kind()})
}

// Cap returns the capacity of v.
func (v Value) Cap() int {
	switch v.kind() {
	case Slice:
		return cap(*(*[]struct{})(v.ptr))
	case Array:
		return typeLen(v.typ_)
	case Chan:
		return cap(*(*chan struct{})(v.ptr))
	case Pointer:
		if e := typeElem(v.typ_); e.Kind() == Array {
			return typeLen(e)
		}
		panic("reflect: call of reflect.Value.Cap on ptr to non-array Value")
	}
	panic(&ValueError{"reflect.Value.Cap", v.kind()})
}

// SetLen sets the length of the slice v.
func (v Value) SetLen(n int) {
	v.mustBeAssignable()
	v.mustBe(Slice)
	s := (*sliceHeader)(v.ptr)
	if n < 0 || n > s.len && n > s.capacity() {
		panic("reflect: slice length out of range in SetLen")
	}
	s.len = n
}

// SetCap sets the capacity of the slice v.
func (v Value) SetCap(n int) {
	v.mustBeAssignable()
	v.mustBe(Slice)
	s := (*sliceHeader)(v.ptr)
	if n < s.len || n > s.capacity() {
		panic("reflect: slice capacity out of range in SetCap")
	}
	s.cap = n
}

// Index returns the ith element of v.
func (v Value) Index(i int) Value {
	switch v.kind() {
	case Slice:
		s := (*sliceHeader)(v.ptr)
		if i < 0 || i >= s.len {
			panic("reflect: slice index out of range")
		}
		t := typeElem(v.typ_)
		return Value{t, elemAt(t, s.data, i), v.flag.ro() | flagAddr | flag(t.Kind())}
	case Array:
		if i < 0 || i >= typeLen(v.typ_) {
			panic("reflect: array index out of range")
		}
		t := typeElem(v.typ_)
		return Value{t, elemAt(t, v.ptr, i), v.flag.ro() | v.flag&flagAddr | flag(t.Kind())}
	case String:
		s := *(*string)(v.ptr)
		if i < 0 || i >= len(s) {
			panic("reflect: string index out of range")
		}
		b := s[i]
		return Value{rtypeOf(b), unsafe.Pointer(&b), v.flag.ro() | flag(Uint8)}
	}
	panic(&ValueError{"reflect.Value.Index", v.kind()})
}

// elemAt returns a pointer to element i of the elements of type t at p.
func elemAt(t *rtype, p unsafe.Pointer, i int) unsafe.Pointer {
	return offset(p, i*typeWords(t))
}

// Slice returns v[i:j].
func (v Value) Slice(i, j int) Value {
	if v.kind() == String {
		s := *(*string)(v.ptr)
		if i < 0 || j < i || j > len(s) {
			panic("reflect.Value.Slice: string slice index out of bounds")
		}
		s = s[i:j]
		return Value{v.typ_, unsafe.Pointer(&s), v.flag &^ flagAddr}
	}
	t, s := v.slicee("reflect.Value.Slice")
	if i < 0 || j < i || j > s.len && j > s.capacity() {
		panic("reflect.Value.Slice: slice index out of bounds")
	}
	return v.slice(t, s, i, j, s.cap)
}

// Slice3 returns v[i:j:k].
func (v Value) Slice3(i, j, k int) Value {
	t, s := v.slicee("reflect.Value.Slice3")
	if i < 0 || j < i || k < j || k > s.capacity() {
		panic("reflect.Value.Slice3: slice index out of bounds")
	}
	return v.slice(t, s, i, j, k)
}

// slicee returns the slice that v is, or that has all of the array v.
func (v Value) slicee(method string) (*rtype, sliceHeader) {
	switch v.kind() {
	case Slice:
		return v.typ_, *(*sliceHeader)(v.ptr)
	case Array:
		if v.flag&flagAddr == 0 {
			panic(method + ": slice of unaddressable array")
		}
		n := typeLen(v.typ_)
		return sliceOf(typeElem(v.typ_)), sliceHeader{v.ptr, n, n}
	}
	panic(&ValueError{method, v.kind()})
}

func (v Value) slice(t *rtype, s sliceHeader, i, j, k int) Value {
	if k > i {
		s.data = elemAt(typeElem(t), s.data, i)
	}
	s.len, s.cap = j-i, k-i
	return sliceValue(t, s, v.flag.ro())
}

// Bytes returns the bytes of the slice or addressable array v.
func (v Value) Bytes() []byte {
	switch v.kind() {
	case Slice:
		if typeElem(v.typ_).Kind() != Uint8 {
			panic("reflect.Value.Bytes of non-byte slice")
		}
		return *(*[]byte)(v.ptr)
	case Array:
		if typeElem(v.typ_).Kind() != Uint8 {
			panic("reflect.Value.Bytes of non-byte array")
		}
		if !v.CanAddr() {
			panic("reflect.Value.Bytes of unaddressable byte array")
		}
		return unsafe.Slice((*byte)(v.ptr), typeLen(v.typ_))
	}
	panic(&ValueError{"reflect.Value.Bytes", v.kind()})
}

// SetBytes sets the slice of bytes v to x.
func (v Value) SetBytes(x []byte) {
	v.mustBeAssignable()
	v.mustBe(Slice)
	if typeElem(v.typ_).Kind() != Uint8 {
		panic("reflect.Value.SetBytes of non-byte slice")
	}
	*(*[]byte)(v.ptr) = x
}

// Grow makes room for n more elements in the slice v.
func (v Value) Grow(n int) {
	v.mustBeAssignable()
	v.mustBe(Slice)
	if n < 0 {
		panic("reflect.Value.Grow: negative len")
	}
	s := (*sliceHeader)(v.ptr)
	if s.len+n < 0 {
		panic("reflect.Value.Grow: slice overflow")
	}
	*s = grown(v.typ_, *s, n)
}

// grown returns s of slice type t with room for n more elements.
func grown(t *rtype, s sliceHeader, n int) sliceHeader {
	more := s.len + n - s.capacity()
	if more <= 0 {
		return s
	}
	full := s
	full.len = s.cap
	full = appenderOf(t)(full, sliceMakerOf(t)(more, more))
	full.len = s.len
	return full
}

// Append returns append(s, x...).
func Append(s Value, x ...Value) Value {
	s.mustBe(Slice)
	n := s.Len()
	s = s.extended(len(x))
	for i, v := range x {
		s.Index(n + i).Set(v)
	}
	return s
}

// AppendSlice returns append(s, t...).
func AppendSlice(s, t Value) Value {
	s.mustBe(Slice)
	t.mustBe(Slice)
	typesMustMatch("reflect.AppendSlice", s.Type().Elem(), t.Type().Elem())
	ns, nt := s.Len(), t.Len()
	s = s.extended(nt)
	Copy(s.Slice(ns, ns+nt), t)
	return s
}

// extended returns the slice v made longer by n elements.
func (v Value) extended(n int) Value {
	v.mustBeExported()
	v.mustBe(Slice)
	s := *(*sliceHeader)(v.ptr)
	if s.len+n < 0 {
		panic("reflect.Value.Grow: slice overflow")
	}
	s = grown(v.typ_, s, n)
	s.len += n
	return sliceValue(v.typ_, s, 0)
}

func typesMustMatch(what string, t1, t2 Type) {
	if t1 != t2 {
		panic(what + ": " + t1.String() + " != " + t2.String())
	}
}

// Copy copies elements of src to dst, as many as fit, and returns their number.
func Copy(dst, src Value) int {
	dk := dst.kind()
	if dk != Array && dk != Slice {
		panic(&ValueError{"reflect.Copy", dk})
	}
	if dk == Array {
		dst.mustBeAssignable()
	}
	dst.mustBeExported()

	sk := src.kind()
	de := typeElem(dst.typ_)
	fromString := sk == String && de.Kind() == Uint8
	if sk != Array && sk != Slice && !fromString {
		panic(&ValueError{"reflect.Copy", sk})
	}
	src.mustBeExported()
	if fromString {
		return copy(dst.bytes(), *(*string)(src.ptr))
	}
	typesMustMatch("reflect.Copy", de, typeElem(src.typ_))
	return sliceCopierOf(sliceOf(de))(dst.elements(), src.elements())
}

// elements returns the elements of the slice or array v.
func (v Value) elements() sliceHeader {
	if v.kind() == Slice {
		return *(*sliceHeader)(v.ptr)
	}
	n := typeLen(v.typ_)
	return sliceHeader{v.ptr, n, n}
}

// bytes returns the elements of the slice or array v of bytes.
func (v Value) bytes() []byte {
	s := v.elements()
	return *(*[]byte)(unsafe.Pointer(&s))
}

// Clear clears the slice or map v.
func (v Value) Clear() {
	switch v.kind() {
	case Slice:
		sliceClearerOf(v.typ_)(*(*sliceHeader)(v.ptr))
	case Map:
		clear(*(*map[int]struct{})(v.ptr))
	default:
		panic(&ValueError{"reflect.Value.Clear", v.kind()})
	}
}
