package compile

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
)

// offsetof compiles unsafe.Offsetof of a field of a type that depends on type
// parameters; others are constants.
func (e *emitter) offsetof(v *ssa.Call, field ssa.Value) {
	if load, ok := field.(*ssa.UnOp); ok {
		field = load.X
	}
	start := e.selectorStart(field.Pos())
	offset := int64(0)
	for {
		of, index := selection(field)
		s := fieldsOf(of.Type())
		fields := make([]*types.Var, s.NumFields())
		for i := range fields {
			fields[i] = s.Field(i)
		}
		offset += e.prog.Sizes().Offsetsof(fields)[index]
		// In x.f, embedded fields that are not named are selected at the place of x.
		if outer, _ := selection(of); outer == nil || of.Pos() != start {
			break
		}
		field = of
	}
	e.loadConst(constKey{kind: code.ConstWords, n: 1, bits: [2]uint64{uint64(offset)}}, e.result(v))
}

// selection returns the value of which v is a field, or the address of one, and which
// field it is; nil if it is none.
func selection(v ssa.Value) (of ssa.Value, index int) {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return v.X, v.Field
	case *ssa.Field:
		return v.X, v.Field
	}
	return nil, 0
}

// selectorStart returns where the selector expression begins whose last name is at pos.
func (e *emitter) selectorStart(pos token.Pos) (start token.Pos) {
	ast.Inspect(e.fn.Syntax(), func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Pos() == pos {
			start = sel.Pos()
		}
		return true
	})
	return start
}
