package reflect

import (
	"iter"
	"math"
	"unsafe"
)

// Type is a Go type. Two Types are equal exactly when the types are identical.
// The methods that do not apply to a type's kind panic.
type Type interface {
	Align() int
	FieldAlign() int
	Method(int) Method
	Methods() iter.Seq[Method]
	MethodByName(string) (Method, bool)
	NumMethod() int
	Name() string
	PkgPath() string
	Size() uintptr
	String() string
	Kind() Kind
	Implements(u Type) bool
	AssignableTo(u Type) bool
	ConvertibleTo(u Type) bool
	Comparable() bool

	Bits() int
	ChanDir() ChanDir
	IsVariadic() bool
	Elem() Type
	Field(i int) StructField
	Fields() iter.Seq[StructField]
	FieldByIndex(index []int) StructField
	FieldByName(name string) (StructField, bool)
	FieldByNameFunc(match func(string) bool) (StructField, bool)
	In(i int) Type
	Ins() iter.Seq[Type]
	Key() Type
	Len() int
	NumField() int
	NumIn() int
	NumOut() int
	Out(i int) Type
	Outs() iter.Seq[Type]
	OverflowComplex(x complex128) bool
	OverflowFloat(x float64) bool
	OverflowInt(x int64) bool
	OverflowUint(x uint64) bool
	CanSeq() bool
	CanSeq2() bool

	common() *rtype
}

// An rtype is the machine's object for a type. Nothing is read from it here.
type rtype struct {
	_ [0]func()
}

// An eface is an interface value as it lies in memory. The data word of a type
// of one cell is the value itself, else it points at a copy of the value.
type eface struct {
	typ  *rtype
	data unsafe.Pointer
}

func rtypeOf(i any) *rtype { return (*eface)(unsafe.Pointer(&i)).typ }

// toType returns t as a Type, which is nil when t is.
func toType(t *rtype) Type {
	if t == nil {
		return nil
	}
	return t
}

// TypeOf returns the dynamic type of i, nil when i is nil.
func TypeOf(i any) Type { return toType(rtypeOf(i)) }

// TypeFor returns the Type of the type argument T.
func TypeFor[T any]() Type { return typeElem(rtypeOf((*T)(nil))) }

func (t *rtype) common() *rtype { return t }

func (t *rtype) String() string   { return typeString(t) }
func (t *rtype) Name() string     { return typeName(t) }
func (t *rtype) PkgPath() string  { return typePkgPath(t) }
func (t *rtype) Size() uintptr    { return typeSize(t) }
func (t *rtype) Align() int       { return typeAlign(t) }
func (t *rtype) FieldAlign() int  { return typeAlign(t) }
func (t *rtype) Kind() Kind       { return typeKind(t) }
func (t *rtype) Comparable() bool { return typeComparable(t) }

func (t *rtype) Bits() int {
	if t == nil {
		panic("reflect: Bits of nil Type")
	}
	k := t.Kind()
	if k < Int || k > Complex128 {
		panic("reflect: Bits of non-arithmetic Type " + t.String())
	}
	return int(t.Size()) * 8
}

func (t *rtype) ChanDir() ChanDir {
	if t.Kind() != Chan {
		panic("reflect: ChanDir of non-chan type " + t.String())
	}
	return typeDir(t)
}

func (t *rtype) elem() *rtype {
	e := typeElem(t)
	if e == nil {
		panic("reflect: Elem of invalid type " + t.String())
	}
	return e
}

func (t *rtype) Elem() Type { return t.elem() }

func (t *rtype) Key() Type {
	if t.Kind() != Map {
		panic("reflect: Key of non-map type " + t.String())
	}
	return typeKey(t)
}

func (t *rtype) Len() int {
	if t.Kind() != Array {
		panic("reflect: Len of non-array type " + t.String())
	}
	return typeLen(t)
}

func (t *rtype) NumIn() int {
	if t.Kind() != Func {
		panic("reflect: NumIn of non-func type " + t.String())
	}
	return typeNumIn(t)
}

func (t *rtype) NumOut() int {
	if t.Kind() != Func {
		panic("reflect: NumOut of non-func type " + t.String())
	}
	return typeNumOut(t)
}

func (t *rtype) In(i int) Type {
	if t.Kind() != Func {
		panic("reflect: In of non-func type " + t.String())
	}
	checkIndex(i, typeNumIn(t))
	return typeIn(t, i)
}

func (t *rtype) Out(i int) Type {
	if t.Kind() != Func {
		panic("reflect: Out of non-func type " + t.String())
	}
	checkIndex(i, typeNumOut(t))
	return typeOut(t, i)
}

// checkIndex panics as indexing a slice of n elements does.
func checkIndex(i, n int) { _ = make([]struct{}, n)[i] }

func (t *rtype) IsVariadic() bool {
	if t.Kind() != Func {
		panic("reflect: IsVariadic of non-func type " + t.String())
	}
	return typeVariadic(t)
}

func (t *rtype) Ins() iter.Seq[Type] {
	if t.Kind() != Func {
		panic("reflect: Ins of non-func type " + t.String())
	}
	return func(yield func(Type) bool) {
		for i := range t.NumIn() {
			if !yield(t.In(i)) {
				return
			}
		}
	}
}

func (t *rtype) Outs() iter.Seq[Type] {
	if t.Kind() != Func {
		panic("reflect: Outs of non-func type " + t.String())
	}
	return func(yield func(Type) bool) {
		for i := range t.NumOut() {
			if !yield(t.Out(i)) {
				return
			}
		}
	}
}

func (t *rtype) OverflowComplex(x complex128) bool {
	switch t.Kind() {
	case Complex64:
		return overflowFloat32(real(x)) || overflowFloat32(imag(x))
	case Complex128:
		return false
	}
	panic("reflect: OverflowComplex of non-complex type " + t.String())
}

func (t *rtype) OverflowFloat(x float64) bool {
	switch t.Kind() {
	case Float32:
		return overflowFloat32(x)
	case Float64:
		return false
	}
	panic("reflect: OverflowFloat of non-float type " + t.String())
}

func (t *rtype) OverflowInt(x int64) bool {
	switch t.Kind() {
	case Int, Int8, Int16, Int32, Int64:
		return overflowInt(x, t.Size())
	}
	panic("reflect: OverflowInt of non-int type " + t.String())
}

func (t *rtype) OverflowUint(x uint64) bool {
	switch t.Kind() {
	case Uint, Uintptr, Uint8, Uint16, Uint32, Uint64:
		return overflowUint(x, t.Size())
	}
	panic("reflect: OverflowUint of non-uint type " + t.String())
}

func overflowFloat32(x float64) bool {
	if x < 0 {
		x = -x
	}
	return math.MaxFloat32 < x && x <= math.MaxFloat64
}

// overflowInt reports whether x does not fit in a signed number of size bytes.
func overflowInt(x int64, size uintptr) bool {
	free := 64 - 8*size
	return x<<free>>free != x
}

// overflowUint reports whether x does not fit in an unsigned number of size bytes.
func overflowUint(x uint64, size uintptr) bool {
	free := 64 - 8*size
	return x<<free>>free != x
}

func (t *rtype) CanSeq() bool {
	switch t.Kind() {
	case Int8, Int16, Int32, Int64, Int, Uint8, Uint16, Uint32, Uint64, Uint, Uintptr, Array, Slice, Chan, String, Map:
		return true
	case Func:
		return canRangeFunc(t)
	case Pointer:
		return t.elem().Kind() == Array
	}
	return false
}

func (t *rtype) CanSeq2() bool {
	switch t.Kind() {
	case Array, Slice, String, Map:
		return true
	case Func:
		return canRangeFunc2(t)
	case Pointer:
		return t.elem().Kind() == Array
	}
	return false
}

// canRangeFunc reports whether t is func(func(T) bool) for some T.
func canRangeFunc(t *rtype) bool { return canRangeN(t, 1) }

// canRangeFunc2 reports whether t is func(func(K, V) bool) for some K and V.
func canRangeFunc2(t *rtype) bool { return canRangeN(t, 2) }

func canRangeN(t *rtype, n int) bool {
	if t.Kind() != Func || typeNumIn(t) != 1 || typeNumOut(t) != 0 {
		return false
	}
	y := typeIn(t, 0)
	return y.Kind() == Func && typeNumIn(y) == n && typeNumOut(y) == 1 && typeOut(y, 0).Kind() == Bool
}

func (t *rtype) Implements(u Type) bool {
	if u == nil {
		panic("reflect: nil type passed to Type.Implements")
	}
	if u.Kind() != Interface {
		panic("reflect: non-interface type passed to Type.Implements")
	}
	return typeImplements(t, u.common())
}

func (t *rtype) AssignableTo(u Type) bool {
	if u == nil {
		panic("reflect: nil type passed to Type.AssignableTo")
	}
	return typeAssignable(t, u.common())
}

func (t *rtype) ConvertibleTo(u Type) bool {
	if u == nil {
		panic("reflect: nil type passed to Type.ConvertibleTo")
	}
	return convertOp(u.common(), t) != nil
}
