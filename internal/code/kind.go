package code

import "go/types"

//go:generate go tool stringer -type=Kind -linecomment -output=kind_string.go

// A Kind says what a word holds.
type Kind uint8

// The kinds of words. Int and Uint are 64 bits wide.
const (
	NoKind  Kind = iota // none
	Bool                // bool
	Int8                // int8
	Int16               // int16
	Int32               // int32
	Int64               // int64
	Uint8               // uint8
	Uint16              // uint16
	Uint32              // uint32
	Uint64              // uint64
	Float32             // float32
	Float64             // float64
	// Pointer is an object and an offset, or nil: pointers, the bases of slices and
	// strings, channels, maps, functions, and the words of interfaces.
	Pointer // pointer
	// IfaceType is the first word of an interface: a type or nil.
	IfaceType // type
	// IfaceData is the second word of an interface.
	IfaceData // data
	// Complex64, Complex128 and String are kinds of operands only: such values take
	// two words, of Float32, of Float64, and of Pointer and Int64.
	Complex64  // complex64
	Complex128 // complex128
	String     // string
)

// basicKind returns the kind of the word of a basic type or, for the basic types of
// two words, of the type as an operand; NoKind for invalid types.
func basicKind(t *types.Basic) Kind {
	switch t.Kind() {
	case types.Bool, types.UntypedBool:
		return Bool
	case types.Int8:
		return Int8
	case types.Int16:
		return Int16
	case types.Int32, types.UntypedRune:
		return Int32
	case types.Int, types.Int64, types.UntypedInt:
		return Int64
	case types.Uint8:
		return Uint8
	case types.Uint16:
		return Uint16
	case types.Uint32:
		return Uint32
	case types.Uint, types.Uint64, types.Uintptr:
		return Uint64
	case types.Float32:
		return Float32
	case types.Float64, types.UntypedFloat:
		return Float64
	case types.Complex64:
		return Complex64
	case types.Complex128, types.UntypedComplex:
		return Complex128
	case types.String, types.UntypedString:
		return String
	case types.UnsafePointer, types.UntypedNil:
		return Pointer
	}
	return NoKind
}

// KindOf returns the kind of values of type t as operands: that of their word, or
// Complex64, Complex128, String; NoKind for composite types.
func KindOf(t types.Type) Kind {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return basicKind(t)
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return Pointer
	}
	return NoKind
}

// Bits returns the width of a scalar of kind k in bits; 64 for pointers.
func (k Kind) Bits() int {
	switch k {
	case Bool:
		return 1
	case Int8, Uint8:
		return 8
	case Int16, Uint16:
		return 16
	case Int32, Uint32, Float32:
		return 32
	}
	return 64
}

// Signed reports whether k is a signed integer.
func (k Kind) Signed() bool { return Int8 <= k && k <= Int64 }

// Integer reports whether k is an integer, signed or not.
func (k Kind) Integer() bool { return Int8 <= k && k <= Uint64 }

// Float reports whether k is a floating-point number.
func (k Kind) Float() bool { return k == Float32 || k == Float64 }
