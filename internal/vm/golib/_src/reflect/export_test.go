package reflect

import (
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// What the tests look at below the package. What is about the layout of memory, of
// frames and of maps as gc has them is not in the machine: noLayout.

func noLayout(of string) { panic("reflect: the machine does not lay out " + of + " as gc does") }

// MakeRO returns v as if it were from an unexported field.
func MakeRO(v Value) Value {
	v.flag |= flagStickyRO
	return v
}

// IsRO reports whether v is from an unexported field.
func IsRO(v Value) bool { return v.flag&flagStickyRO != 0 }

// CallGC asks for a collection within calls. There are none.
var CallGC = new(bool)

// SetArgRegs sets how many arguments are passed in registers. None are.
func SetArgRegs(ints, floats int, floatSize uintptr) (oldInts, oldFloats int, oldFloatSize uintptr) {
	return 0, 0, 0
}

// FuncLayout returns the layout of a frame.
func FuncLayout(t, rcvr Type) (frame Type, argSize, retOffset uintptr, stack, gc, inReg, outReg []byte, ptrs bool) {
	noLayout("frames")
	return
}

// GCBits returns which words of a value are pointers.
func GCBits(any) []byte {
	noLayout("values")
	return nil
}

// MapGroupOf returns the type of a group of entries of a map.
func MapGroupOf(key, elem Type) Type {
	noLayout("maps")
	return nil
}

// IsRegularMemory reports whether values of type t are equal when their bytes are.
func IsRegularMemory(t Type) bool {
	noLayout("values")
	return false
}

// MethodValueCallCodePtr returns the entry of method values.
func MethodValueCallCodePtr() uintptr { return methodValueCallCodePtr() }

// TypeLinks returns the types that the linker knows: types are made when they are first
// asked for.
func TypeLinks() []string { return nil }

// ResolveReflectName makes a name known to the linker, of which there is none.
func ResolveReflectName(string) {}

// IsExported reports whether the name of a type, or of what it points at, is exported.
func IsExported(t Type) bool {
	if t.Name() == "" && t.Kind() == Pointer {
		t = t.Elem()
	}
	first, _ := utf8.DecodeRuneInString(t.Name())
	return unicode.IsUpper(first)
}

// InternalIsZero reports whether all bytes are zero.
func InternalIsZero(b []byte) bool { return string(b) == string(make([]byte, len(b))) }

// OtherPkgFields has fields of another package than the tests'.
type OtherPkgFields struct {
	OtherExported   int
	otherUnexported int
}

// EmbedWithUnexpMeth has a method of another package than the tests'.
type EmbedWithUnexpMeth struct{}

func (EmbedWithUnexpMeth) f() {}

// FirstMethodNameBytes returns the name of the first method.
func FirstMethodNameBytes(t Type) *byte { return unsafe.StringData(t.Method(0).Name) }

// Buffer is another Buffer than that of package bytes.
type Buffer struct {
	buf []byte
}
