package code

import "go/types"

// A Type is the layout of a Go type: how its values are flattened to words.
// Types are interned: identical Go types of a program have one Type, so they can be
// compared by pointer. A Type does not change once [Program.Type] has returned it.
type Type struct {
	ID     int32      // number of the type in the program, in order of interning
	Go     types.Type // the type as go/types has it
	Shape  Shape
	Words  int    // words of a value
	Kinds  []Kind // kind of each word; nil for arrays of more than 16 words
	Bytes  bool   // every word is a Uint8: an object of this type stores bytes, not words
	Size   int64  // size in bytes as the gc compiler lays it out for GOARCH
	Elem   *Type  // of arrays, slices, pointers, channels and maps
	Key    *Type  // of maps
	Len    int64  // of arrays
	Fields []Field
	Named  bool // a named (defined) type

	filled bool // the fields above are set, or are being set
}

// A Field is a field of a struct type.
type Field struct {
	Name     string
	Type     *Type
	Offset   int // in words from the start of the struct
	Embedded bool
	Exported bool
	PkgPath  string // of unexported fields
	Tag      string
}

// A Shape is the underlying form of a type.
type Shape uint8

// The shapes. Scalars have one word of the kind given in Type.Kinds[0];
// Func, Map, Chan, Pointer and UnsafePointer are one word of kind Pointer.
const (
	Scalar Shape = iota
	ShapeString
	ShapeComplex
	ShapePointer
	ShapeUnsafePointer
	ShapeSlice
	ShapeArray
	ShapeStruct
	ShapeInterface
	ShapeFunc
	ShapeMap
	ShapeChan
	ShapeTuple // results of a call; only Words and Kinds are used
)

// Kind returns the kind of word i of a value of type t.
func (t *Type) Kind(i int) Kind {
	for t.Kinds == nil {
		if t.Shape == ShapeArray {
			t, i = t.Elem, i%t.Elem.Words
			continue
		}
		// Fields of no words share their offset with the next field that has some.
		j := len(t.Fields) - 1
		for t.Fields[j].Offset > i || t.Fields[j].Type.Words == 0 {
			j--
		}
		t, i = t.Fields[j].Type, i-t.Fields[j].Offset
	}
	return t.Kinds[i]
}

// String returns the type as package reflect prints it.
func (t *Type) String() string { return TypeString(t.Go) }
