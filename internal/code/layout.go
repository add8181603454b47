package code

import (
	"fmt"
	"go/types"
)

// maxKinds is the length from which on arrays do not have their kinds listed.
const maxKinds = 16

// Type returns the layout of t, which has no type parameters.
//
// Types refer to themselves through pointers, slices and the like, which need
// only the identity of what they refer to: those types are laid out after the
// one that refers to them.
func (p *Program) Type(t types.Type) *Type {
	lay := p.part(t)
	for len(p.unfilled) > 0 {
		last := len(p.unfilled) - 1
		next := p.unfilled[last]
		p.unfilled = p.unfilled[:last]
		p.fillOnce(next)
	}
	return lay
}

// part returns the layout of t, which a value of the type being laid out has in it.
func (p *Program) part(t types.Type) *Type {
	lay := p.referred(t)
	p.fillOnce(lay)
	return lay
}

// referred returns the layout of t, which may not be filled in yet.
func (p *Program) referred(t types.Type) *Type {
	if t, ok := p.types.At(t).(*Type); ok {
		return t
	}
	t = types.Default(types.Unalias(t)) // a constant may be untyped
	if lay, ok := p.types.At(t).(*Type); ok {
		return lay
	}
	lay := &Type{ID: int32(len(p.Types)), Go: t}
	_, lay.Named = t.(*types.Named)
	p.types.Set(t, lay)
	p.Types = append(p.Types, lay)
	p.unfilled = append(p.unfilled, lay)
	return lay
}

func (p *Program) fillOnce(lay *Type) {
	if !lay.filled {
		lay.filled = true
		p.fill(lay)
	}
}

// fill computes the layout of lay.Go.
func (p *Program) fill(lay *Type) {
	one := func(shape Shape, kinds ...Kind) {
		lay.Shape, lay.Words, lay.Kinds = shape, len(kinds), kinds
	}
	switch t := lay.Go.Underlying().(type) {
	case *types.Basic:
		switch kind := basicKind(t); {
		case kind == String:
			one(ShapeString, Pointer, Int64)
		case kind == Complex64:
			one(ShapeComplex, Float32, Float32)
		case kind == Complex128:
			one(ShapeComplex, Float64, Float64)
		case kind == Pointer:
			one(ShapeUnsafePointer, Pointer)
		case kind == NoKind:
			panic(fmt.Sprintf("code: layout of %v", t))
		default:
			one(Scalar, kind)
			lay.Bytes = kind == Uint8
		}
		if t.Kind() == types.UntypedNil {
			break // no variable has this type
		}
		lay.Size = p.sizes.Sizeof(t)
	case *types.Pointer:
		one(ShapePointer, Pointer)
		lay.Size = p.sizes.Sizeof(t)
		lay.Elem = p.referred(t.Elem())
	case *types.Chan:
		one(ShapeChan, Pointer)
		lay.Size = p.sizes.Sizeof(t)
		lay.Elem = p.referred(t.Elem())
	case *types.Map:
		one(ShapeMap, Pointer)
		lay.Size = p.sizes.Sizeof(t)
		lay.Key, lay.Elem = p.referred(t.Key()), p.referred(t.Elem())
	case *types.Signature:
		one(ShapeFunc, Pointer)
		lay.Size = p.sizes.Sizeof(t)
	case *types.Interface:
		one(ShapeInterface, IfaceType, IfaceData)
		lay.Size = p.sizes.Sizeof(t)
	case *types.Slice:
		one(ShapeSlice, Pointer, Int64, Int64)
		lay.Size = p.sizes.Sizeof(t)
		lay.Elem = p.referred(t.Elem())
	case *types.Array:
		elem := p.part(t.Elem())
		lay.Shape, lay.Elem, lay.Len = ShapeArray, elem, t.Len()
		lay.Words = int(t.Len()) * elem.Words
		lay.Bytes = elem.Bytes && lay.Len > 0
		lay.Size = elem.Size * lay.Len
		if lay.Words <= maxKinds {
			lay.Kinds = []Kind{}
			for len(lay.Kinds) < lay.Words { // elements without words may be any number
				lay.Kinds = append(lay.Kinds, elem.Kinds...)
			}
		}
	case *types.Struct:
		p.fillStruct(lay, t)
	case *types.Tuple:
		lay.Shape, lay.Kinds = ShapeTuple, []Kind{}
		for v := range t.Variables() {
			lay.add(p.part(v.Type()))
		}
	default:
		panic(fmt.Sprintf("code: layout of %T", t))
	}
}

func (p *Program) fillStruct(lay *Type, t *types.Struct) {
	lay.Shape, lay.Kinds, lay.Bytes = ShapeStruct, []Kind{}, true
	for i := range t.NumFields() {
		v := t.Field(i)
		f := Field{
			Name:     v.Name(),
			Type:     p.part(v.Type()),
			Offset:   lay.Words,
			Embedded: v.Embedded(),
			Exported: v.Exported(),
			Tag:      t.Tag(i),
		}
		if !f.Exported && v.Pkg() != nil {
			f.PkgPath = v.Pkg().Path()
		}
		lay.add(f.Type)
		lay.Fields = append(lay.Fields, f)
		lay.Bytes = lay.Bytes && (f.Type.Bytes || f.Type.Words == 0)
	}
	lay.Bytes = lay.Bytes && lay.Words > 0
	lay.Size = p.sizes.Sizeof(t)
}

// add appends the words of part to those of t.
func (t *Type) add(part *Type) {
	t.Words += part.Words
	switch {
	case part.Words == 0:
	case t.Kinds == nil || part.Kinds == nil:
		t.Kinds = nil
	default:
		t.Kinds = append(t.Kinds, part.Kinds...)
	}
}

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

// basicKind returns the kind of a basic type's word or, for the basic types of
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

// kindOf returns the kind of values of type t as operands: of their word, or
// Complex64, Complex128, String; NoKind for composite types.
func kindOf(t types.Type) Kind {
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

// Signed says whether k is a signed integer.
func (k Kind) Signed() bool { return Int8 <= k && k <= Int64 }

// Integer says whether k is an integer, signed or not.
func (k Kind) Integer() bool { return Int8 <= k && k <= Uint64 }

// Float says whether k is a floating-point number.
func (k Kind) Float() bool { return k == Float32 || k == Float64 }

var kindNames = [...]string{
	"none", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
	"float32", "float64", "pointer", "type", "data", "complex64", "complex128", "string",
}

func (k Kind) String() string { return kindNames[k] }

// Sizes returns the sizes of types that the layouts were made with.
func (p *Program) Sizes() types.Sizes { return p.sizes }
