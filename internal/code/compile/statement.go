package compile

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
)

// statements has the statements of a function, without those of functions within it.
type statements struct {
	list     []ast.Node // that are no blocks, by position, so that those within others come after them
	end      token.Pos  // of the function, where its last brace is
	assigned map[*ast.Ident]bool
}

// newStatements returns the statements of a function.
func newStatements(fn ast.Node) *statements {
	s := &statements{assigned: make(map[*ast.Ident]bool)}
	if fn == nil {
		return s
	}
	note := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := ast.Unparen(e).(*ast.Ident); ok {
				s.assigned[id] = true
			}
		}
	}
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		if fn.Body != nil {
			s.end = fn.Body.Rbrace
		}
	case *ast.FuncLit:
		s.end = fn.Body.Rbrace
	case *ast.RangeStmt: // over a function: its body is one
		s.end = fn.Body.Rbrace
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n == fn
		case *ast.AssignStmt:
			note(n.Lhs...)
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.RangeStmt:
			note(n.Key, n.Value)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				s.assigned[id] = true
			}
		}
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.LabeledStmt:
		case ast.Stmt:
			if n != fn {
				s.list = append(s.list, n)
			}
		}
		return true
	})
	slices.SortStableFunc(s.list, func(a, b ast.Node) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return s
}

// begin returns where the innermost statement begins that is at pos. That is pos itself at the end of the function,
// and invalid if there is none.
func (s *statements) begin(pos token.Pos) token.Pos {
	if !pos.IsValid() || pos == s.end {
		return pos
	}
	i, found := slices.BinarySearchFunc(s.list, pos, func(n ast.Node, pos token.Pos) int { return cmp.Compare(n.Pos(), pos) })
	if found {
		return pos
	}
	for i--; i >= 0; i-- {
		if n := s.list[i]; pos < n.End() {
			return n.Pos()
		}
	}
	return token.NoPos
}
