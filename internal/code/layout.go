package code

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// maxKinds is the length from which on arrays do not have their kinds listed.
const maxKinds = 16

// A typeTable has the layouts of types.
//
// Types refer to themselves through pointers, slices and the like, which need
// only the identity of what they refer to: those types are laid out after the
// one that refers to them.
type typeTable struct {
	sizes    types.Sizes
	byType   typeutil.Map // types.Type → *Type
	unfilled []*Type      // types that are interned and may not be laid out yet; empty except within of
}

// of returns the layout of t.
func (tt *typeTable) of(t types.Type) *Type {
	lay := tt.part(t)
	for len(tt.unfilled) > 0 {
		last := len(tt.unfilled) - 1
		next := tt.unfilled[last]
		tt.unfilled = tt.unfilled[:last]
		tt.fillOnce(next)
	}
	return lay
}

// part returns the layout of t, which is a part of the type that is being laid out.
func (tt *typeTable) part(t types.Type) *Type {
	lay := tt.referred(t)
	tt.fillOnce(lay)
	return lay
}

// referred returns the layout of t, which may not be filled in yet.
func (tt *typeTable) referred(t types.Type) *Type {
	if t, ok := tt.byType.At(t).(*Type); ok {
		return t
	}
	t = types.Default(types.Unalias(t)) // a constant may be untyped
	if lay, ok := tt.byType.At(t).(*Type); ok {
		return lay
	}
	lay := &Type{ID: int32(tt.byType.Len()), Go: t}
	_, lay.Named = t.(*types.Named)
	tt.byType.Set(t, lay)
	tt.unfilled = append(tt.unfilled, lay)
	return lay
}

func (tt *typeTable) fillOnce(lay *Type) {
	if !lay.filled {
		lay.filled = true
		tt.fill(lay)
	}
}

// fill computes the layout of lay.Go.
func (tt *typeTable) fill(lay *Type) {
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
		lay.Size = tt.sizes.Sizeof(t)
	case *types.Pointer:
		one(ShapePointer, Pointer)
		lay.Size = tt.sizes.Sizeof(t)
		lay.Elem = tt.referred(t.Elem())
	case *types.Chan:
		one(ShapeChan, Pointer)
		lay.Size = tt.sizes.Sizeof(t)
		lay.Elem = tt.referred(t.Elem())
	case *types.Map:
		one(ShapeMap, Pointer)
		lay.Size = tt.sizes.Sizeof(t)
		lay.Key, lay.Elem = tt.referred(t.Key()), tt.referred(t.Elem())
	case *types.Signature:
		one(ShapeFunc, Pointer)
		lay.Size = tt.sizes.Sizeof(t)
	case *types.Interface:
		one(ShapeInterface, IfaceType, IfaceData)
		lay.Size = tt.sizes.Sizeof(t)
	case *types.Slice:
		one(ShapeSlice, Pointer, Int64, Int64)
		lay.Size = tt.sizes.Sizeof(t)
		lay.Elem = tt.referred(t.Elem())
	case *types.Array:
		elem := tt.part(t.Elem())
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
		tt.fillStruct(lay, t)
	case *types.Tuple:
		lay.Shape, lay.Kinds = ShapeTuple, []Kind{}
		for v := range t.Variables() {
			lay.add(tt.part(v.Type()))
		}
	default:
		panic(fmt.Sprintf("code: layout of %T", t))
	}
}

func (tt *typeTable) fillStruct(lay *Type, t *types.Struct) {
	lay.Shape, lay.Kinds, lay.Bytes = ShapeStruct, []Kind{}, true
	for i := range t.NumFields() {
		v := t.Field(i)
		f := Field{
			Name:     v.Name(),
			Type:     tt.part(v.Type()),
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
	lay.Size = tt.sizes.Sizeof(t)
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
