package compile

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/ssaform"
)

// convert compiles the conversion of x to the type of v where words change.
func (e *emitter) convert(v, x ssa.Value) {
	from, to := e.prog.Type(x.Type()), e.prog.Type(v.Type())
	in := code.Instr{A: e.result(v), B: e.reg(x)}
	switch {
	case e.sameWords(x.Type(), v.Type()):
		e.move(in.A, in.B, to.Words)
		return
	case from.Shape == code.Scalar && to.Shape == code.Scalar:
		in.Op, in.K, in.C = code.Conv, uint16(to.Kinds[0]), int32(from.Kinds[0])
	case from.Shape == code.ShapeComplex && to.Shape == code.ShapeComplex:
		in.Op, in.K, in.C = code.ConvC, uint16(code.KindOf(v.Type())), int32(code.KindOf(x.Type()))
	case from.Shape == code.Scalar && to.Shape == code.ShapeString:
		in.Op, in.K = code.IntStr, uint16(from.Kinds[0])
	case from.Shape == code.ShapeString && to.Shape == code.ShapeSlice:
		in.Op = code.StrRunes
		if to.Elem.Bytes {
			in.Op = code.StrBytes
		}
	case from.Shape == code.ShapeSlice && to.Shape == code.ShapeString:
		in.Op = code.RunesStr
		if from.Elem.Bytes {
			in.Op = code.BytesStr
		}
	case from.Shape == code.ShapeUnsafePointer && to.Shape == code.Scalar:
		in.Op = code.PtrInt
	case from.Shape == code.Scalar && to.Shape == code.ShapeUnsafePointer:
		in.Op = code.IntPtr
	case from.Shape == code.ShapeUnsafePointer && to.Shape == code.ShapePointer && knowsLayout(v.Parent()):
		in.Op = code.Mov
	case from.Shape == code.ShapeUnsafePointer && to.Shape == code.ShapePointer:
		in.Op, in.D = code.Pun, e.typeIndex(to.Elem.Go)
	case from.Shape == code.ShapePointer && to.Shape == code.ShapeUnsafePointer:
		in.Op = code.Unpun
	case from.Shape == code.ShapeSlice && to.Shape == code.ShapePointer:
		in.Op, in.C = code.SliceArr, number(to.Elem.Len)
	case from.Shape == code.ShapeSlice && to.Shape == code.ShapeArray:
		in.Op, in.D = code.SliceToArr, e.typeIndex(v.Type())
	default:
		panic(fmt.Sprintf("conversion from %s to %s", from, to))
	}
	e.emit(in)
}

// knowsLayout reports whether a function is of a package whose model, where it converts pointers,
// goes by how values are represented in the machine.
func knowsLayout(fn *ssa.Function) bool {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	fn = ssaform.Outermost(fn)
	if fn.Pkg == nil {
		return false
	}
	switch fn.Pkg.Pkg.Path() {
	case "reflect", "internal/reflectlite", "runtime", "internal/abi":
		return true
	}
	return false
}

// typeAssert compiles a type assertion.
func (e *emitter) typeAssert(v *ssa.TypeAssert) {
	if checksMethodValue(v) {
		e.emit(code.Instr{Op: code.NilCheck, B: e.reg(v.X)})
		return
	}
	in := code.Instr{Op: code.Assert, B: e.reg(v.X), C: e.typeIndex(v.X.Type()), D: e.typeIndex(v.AssertedType)}
	if v.CommaOk {
		in.K = 1
	}
	in.A = e.result(v)
	e.emit(in)
}

// checksMethodValue reports whether v, a type assertion from a type to itself, stands
// for the check that i is not nil of the method value i.M, which follows.
func checksMethodValue(v *ssa.TypeAssert) bool {
	if v.CommaOk || len(*v.Referrers()) > 0 || !types.Identical(v.X.Type(), v.AssertedType) {
		return false
	}
	list := v.Block().Instrs
	next, ok := list[slices.Index(list, ssa.Instruction(v))+1].(*ssa.MakeClosure)
	return ok && len(next.Bindings) == 1 && next.Bindings[0] == v.X
}
