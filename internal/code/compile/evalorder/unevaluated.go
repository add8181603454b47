package evalorder

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Unevaluated reports whether v comes from the operand of a range loop over an array
// that does not use the elements. Package go/ssa loads the array nevertheless, and fails
// when a pointer to it is nil; in Go the operand is not evaluated, unless it has calls or
// receives (the specification, "For statements with range clause").
func (f *Function) Unevaluated(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return false
		}
	default:
		return false
	}
	switch refs := *v.Referrers(); len(refs) {
	case 0:
		if _, ok := v.Type().Underlying().(*types.Array); !ok {
			return false
		}
	case 1:
		if ref, ok := refs[0].(ssa.Value); !ok || !f.Unevaluated(ref) {
			return false
		}
	default:
		return false
	}
	if f.idle == nil {
		f.idle = idleOperands(f.fn.Syntax())
	}
	for _, s := range f.idle {
		if s.has(v.Pos()) {
			return true
		}
	}
	return false
}

// idleOperands returns where the operands of range loops are that are not evaluated if
// they are arrays. The result is not nil.
func idleOperands(fn ast.Node) []span {
	idle := []span{}
	if fn == nil {
		return idle
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		if loop, ok := n.(*ast.RangeStmt); ok && isBlank(loop.Value) && !calls(loop.X) {
			idle = append(idle, span{loop.X.Pos(), loop.X.End()})
		}
		return true
	})
	return idle
}

// isBlank reports whether the variable of a range clause is absent or blank.
func isBlank(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return x == nil || ok && id.Name == "_"
}

// calls reports whether x has a call or a receive.
func calls(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return true
	})
	return found
}
