package reflect

import "unsafe"

// IsZero reports whether v is the zero value of its type.
func (v Value) IsZero() bool {
	switch v.kind() {
	case Bool:
		return !v.Bool()
	case Int, Int8, Int16, Int32, Int64:
		return v.Int() == 0
	case Uint, Uint8, Uint16, Uint32, Uint64, Uintptr:
		return v.Uint() == 0
	case Float32, Float64:
		return v.Float() == 0
	case Complex64, Complex128:
		return v.Complex() == 0
	case Array:
		for i := range v.Len() {
			if !v.Index(i).IsZero() {
				return false
			}
		}
		return true
	case Chan, Func, Interface, Map, Pointer, Slice, UnsafePointer:
		return v.IsNil()
	case String:
		return v.Len() == 0
	case Struct:
		for i := range v.NumField() {
			if !v.Field(i).IsZero() && v.typ_.Field(i).Name != "_" {
				return false
			}
		}
		return true
	}
	panic(&ValueError{"reflect.Value.IsZero", v.kind()})
}

// Comparable reports whether v can be compared: it has no part of an
// incomparable type, in interfaces either.
func (v Value) Comparable() bool {
	switch v.kind() {
	case Invalid:
		return false
	case Array:
		switch typeElem(v.typ_).Kind() {
		case Interface, Array, Struct:
			for i := range v.Len() {
				if !v.Index(i).Comparable() {
					return false
				}
			}
			return true
		}
		return v.typ_.Comparable()
	case Interface:
		return v.IsNil() || v.Elem().Comparable()
	case Struct:
		for i := range v.NumField() {
			if !v.Field(i).Comparable() {
				return false
			}
		}
		return true
	}
	return v.Type().Comparable()
}

// Equal reports whether v == u. It panics when they are not comparable.
func (v Value) Equal(u Value) bool {
	if v.Kind() == Interface {
		v = v.Elem()
	}
	if u.Kind() == Interface {
		u = u.Elem()
	}
	if !v.IsValid() || !u.IsValid() {
		return v.IsValid() == u.IsValid()
	}
	if v.Kind() != u.Kind() || v.Type() != u.Type() {
		return false
	}
	switch v.Kind() {
	case Bool:
		return v.Bool() == u.Bool()
	case Int, Int8, Int16, Int32, Int64:
		return v.Int() == u.Int()
	case Uint, Uint8, Uint16, Uint32, Uint64, Uintptr:
		return v.Uint() == u.Uint()
	case Float32, Float64:
		return v.Float() == u.Float()
	case Complex64, Complex128:
		return v.Complex() == u.Complex()
	case String:
		return v.String() == u.String()
	case Chan, Pointer, UnsafePointer:
		return v.pointer() == u.pointer()
	case Array:
		n := v.Len()
		if n == 0 && !typeElem(v.typ_).Comparable() {
			break
		}
		for i := range n {
			if !v.Index(i).Equal(u.Index(i)) {
				return false
			}
		}
		return true
	case Struct:
		for i := range v.NumField() {
			if !v.Field(i).Equal(u.Field(i)) {
				return false
			}
		}
		return true
	}
	panic("reflect.Value.Equal: values of type " + v.Type().String() + " are not comparable")
}

// DeepEqual reports whether x and y are deeply equal: of one type and equal, or
// pointers, interfaces, slices, maps, arrays or structs whose parts are.
func DeepEqual(x, y any) bool {
	if x == nil || y == nil {
		return x == y
	}
	return deepEqual(ValueOf(x), ValueOf(y), map[visit]bool{})
}

// A visit is a comparison in progress. One that is met again, in a cycle, is
// taken to hold.
type visit struct {
	p, q unsafe.Pointer
	typ  *rtype
}

func deepEqual(v, u Value, visited map[visit]bool) bool {
	if !v.IsValid() || !u.IsValid() {
		return v.IsValid() == u.IsValid()
	}
	if v.Type() != u.Type() {
		return false
	}
	if p, q, ok := cyclic(v, u); ok {
		this := visit{p, q, v.typ_}
		if visited[this] || visited[visit{q, p, v.typ_}] {
			return true
		}
		visited[this] = true
	}
	switch v.Kind() {
	case Array:
		for i := range v.Len() {
			if !deepEqual(v.Index(i), u.Index(i), visited) {
				return false
			}
		}
		return true
	case Slice:
		if v.IsNil() != u.IsNil() || v.Len() != u.Len() {
			return false
		}
		if v.UnsafePointer() == u.UnsafePointer() {
			return true
		}
		if typeElem(v.typ_).Kind() == Uint8 {
			return string(v.Bytes()) == string(u.Bytes())
		}
		if equal := equalWords(typeElem(v.typ_).Kind()); equal != nil {
			return equal(v.UnsafePointer(), u.UnsafePointer(), v.Len())
		}
		for i := range v.Len() {
			if !deepEqual(v.Index(i), u.Index(i), visited) {
				return false
			}
		}
		return true
	case Interface:
		if v.IsNil() || u.IsNil() {
			return v.IsNil() == u.IsNil()
		}
		return deepEqual(v.Elem(), u.Elem(), visited)
	case Pointer:
		if v.pointer() == u.pointer() {
			return true
		}
		if v.typ_ == rtypeOf((*rtype)(nil)) {
			return false // what describes types is not in the fields
		}
		return deepEqual(v.Elem(), u.Elem(), visited)
	case Struct:
		for i := range v.NumField() {
			if !deepEqual(v.Field(i), u.Field(i), visited) {
				return false
			}
		}
		return true
	case Map:
		if v.IsNil() != u.IsNil() || v.Len() != u.Len() {
			return false
		}
		if v.pointer() == u.pointer() {
			return true
		}
		for it := v.MapRange(); it.Next(); {
			x, y := it.Value(), u.MapIndex(it.Key())
			if !y.IsValid() || !deepEqual(x, y, visited) {
				return false
			}
		}
		return true
	case Func:
		return v.IsNil() && u.IsNil()
	case Int, Int8, Int16, Int32, Int64:
		return v.Int() == u.Int()
	case Uint, Uint8, Uint16, Uint32, Uint64, Uintptr:
		return v.Uint() == u.Uint()
	case String:
		return v.String() == u.String()
	case Bool:
		return v.Bool() == u.Bool()
	case Float32, Float64:
		return v.Float() == u.Float()
	case Complex64, Complex128:
		return v.Complex() == u.Complex()
	default: // Chan, UnsafePointer
		return v.pointer() == u.pointer()
	}
}

// equalWords returns a function that compares n elements of a kind of which == says whether they are
// deeply equal, nil for other kinds. It takes a fifth of the time of comparing them one by one.
func equalWords(k Kind) func(p, q unsafe.Pointer, n int) bool {
	switch k {
	case Bool:
		return equalElements[bool]
	case Int:
		return equalElements[int]
	case Int8:
		return equalElements[int8]
	case Int16:
		return equalElements[int16]
	case Int32:
		return equalElements[int32]
	case Int64:
		return equalElements[int64]
	case Uint:
		return equalElements[uint]
	case Uint16:
		return equalElements[uint16]
	case Uint32:
		return equalElements[uint32]
	case Uint64:
		return equalElements[uint64]
	case Uintptr:
		return equalElements[uintptr]
	case Float32:
		return equalElements[float32]
	case Float64:
		return equalElements[float64]
	case String:
		return equalElements[string]
	}
	return nil
}

func equalElements[T comparable](p, q unsafe.Pointer, n int) bool {
	v, u := unsafe.Slice((*T)(p), n), unsafe.Slice((*T)(q), n)
	for i := range v {
		if v[i] != u[i] {
			return false
		}
	}
	return true
}

// cyclic reports whether v and u may be part of a cycle, and what identifies
// them in it.
func cyclic(v, u Value) (p, q unsafe.Pointer, ok bool) {
	switch v.Kind() {
	case Pointer, Map:
		p, q = v.pointer(), u.pointer()
		return p, q, p != nil && q != nil
	case Slice, Interface:
		return v.ptr, u.ptr, !v.IsNil() && !u.IsNil()
	}
	return nil, nil, false
}
