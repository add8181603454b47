package reflect

import "unsafe"

// Swapper returns a function that swaps two elements of a slice.
func Swapper(slice any) func(i, j int) {
	v := ValueOf(slice)
	if v.Kind() != Slice {
		panic(&ValueError{Method: "Swapper", Kind: v.Kind()})
	}
	switch v.Len() {
	case 0:
		return func(i, j int) { panic("reflect: slice index out of range") }
	case 1:
		return func(i, j int) {
			if i != 0 || j != 0 {
				panic("reflect: slice index out of range")
			}
		}
	}
	t := typeElem(v.typ_)
	switch t.Kind() {
	case Int8:
		return swapperOf[int8](v.ptr)
	case Int16:
		return swapperOf[int16](v.ptr)
	case Int32:
		return swapperOf[int32](v.ptr)
	case Int, Int64:
		return swapperOf[int64](v.ptr)
	case Uint8:
		return swapperOf[uint8](v.ptr)
	case Uint16:
		return swapperOf[uint16](v.ptr)
	case Uint32:
		return swapperOf[uint32](v.ptr)
	case Uint, Uint64, Uintptr:
		return swapperOf[uint64](v.ptr)
	case Chan, Func, Map, Pointer, UnsafePointer:
		return swapperOf[unsafe.Pointer](v.ptr)
	case String:
		return swapperOf[string](v.ptr)
	}
	s := *(*sliceHeader)(v.ptr)
	tmp := newOf(t)
	assign := copierOf(t)
	return func(i, j int) {
		if i < 0 || i >= s.len || j < 0 || j >= s.len {
			panic("reflect: slice index out of range")
		}
		p, q := elemAt(t, s.data, i), elemAt(t, s.data, j)
		assign(tmp, p)
		assign(p, q)
		assign(q, tmp)
	}
}

// swapperOf returns the swapper of the slice at p, whose elements have the
// representation of T.
func swapperOf[T any](p unsafe.Pointer) func(i, j int) {
	s := *(*[]T)(p)
	return func(i, j int) { s[i], s[j] = s[j], s[i] }
}
