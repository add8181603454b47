package reflectlite

import "unsafe"

// Type is a Go type. Two Types are equal exactly when the types are identical.
type Type interface {
	Name() string
	PkgPath() string
	Size() uintptr
	Kind() Kind
	Implements(u Type) bool
	AssignableTo(u Type) bool
	Comparable() bool
	String() string
	Elem() Type

	common() *rtype
}

// A Kind is the specific kind of a type: the numbers of package reflect.
type Kind uint

// The kinds.
const (
	Invalid Kind = iota
	Bool
	Int
	Int8
	Int16
	Int32
	Int64
	Uint
	Uint8
	Uint16
	Uint32
	Uint64
	Uintptr
	Float32
	Float64
	Complex64
	Complex128
	Array
	Chan
	Func
	Interface
	Map
	Pointer
	Slice
	String
	Struct
	UnsafePointer
)

// Ptr is the old name of [Pointer].
const Ptr = Pointer

var kindNames = [...]string{
	"invalid", "bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64",
	"uintptr", "float32", "float64", "complex64", "complex128", "array", "chan", "func", "interface", "map", "ptr",
	"slice", "string", "struct", "unsafe.Pointer",
}

// String returns the name of k.
func (k Kind) String() string {
	if uint(k) < uint(len(kindNames)) {
		return kindNames[k]
	}
	return "invalid"
}

// An rtype is the machine's object for a type. Nothing is read from it here.
type rtype struct {
	_ [0]func()
}

// An eface is an interface value as it lies in memory.
type eface struct {
	typ  *rtype
	data unsafe.Pointer
}

// TypeOf returns the dynamic type of i, nil when i is nil.
func TypeOf(i any) Type {
	t := (*eface)(unsafe.Pointer(&i)).typ
	if t == nil {
		return nil
	}
	return t
}

func (t *rtype) common() *rtype   { return t }
func (t *rtype) String() string   { return typeString(t) }
func (t *rtype) Name() string     { return typeName(t) }
func (t *rtype) PkgPath() string  { return typePkgPath(t) }
func (t *rtype) Size() uintptr    { return typeSize(t) }
func (t *rtype) Kind() Kind       { return typeKind(t) }
func (t *rtype) Comparable() bool { return typeComparable(t) }

func (t *rtype) Elem() Type {
	e := typeElem(t)
	if e == nil {
		panic("reflect: Elem of invalid type " + t.String())
	}
	return e
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
