package covered

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/everyway-go/everyway/internal/cover"
)

// undecided returns an error if a decision of the set has not been found in the source.
func (p *program) undecided() error {
	if i := slices.Index(p.decided, false); i >= 0 {
		d := &p.set.Decisions[i]
		return refuse("%s: %s decides there what synchronises, and is not the condition of a statement, or of one in a function with several instances: write it as one, or have the loop range over a slice", d.Place(), d.Why)
	}
	return nil
}

// decision returns the number of the decision at a position, -1 if there is none.
func (f *file) decision(pos token.Pos, ranges bool) int {
	if len(f.program.decided) == 0 || !pos.IsValid() {
		return -1
	}
	at := f.program.Position(pos)
	return slices.IndexFunc(f.program.set.Decisions, func(d cover.Decision) bool { return d.Position == at && d.Range == ranges })
}

// decide has the outcome of a condition said that is a decision.
func (f *file) decide(x ast.Expr, begun int) {
	pos := token.NoPos
	switch x := x.(type) {
	case *ast.BinaryExpr:
		if pos = x.OpPos; x.Op == token.LAND || x.Op == token.LOR {
			return
		}
	case *ast.CallExpr:
		pos = x.Lparen
	case *ast.Ident:
		pos = x.NamePos
	case *ast.SelectorExpr:
		pos = x.Sel.Pos()
	case *ast.IndexExpr:
		pos = x.Lbrack
	case *ast.StarExpr:
		pos = x.Star
	}
	k := f.decision(pos, false)
	if k < 0 || f.program.decided[k] || !f.isCondition(x) {
		return
	}
	if b, ok := types.Unalias(f.pkg.Info.TypeOf(x)).(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 {
		return
	}
	f.program.decided[k] = true
	text := f.within(x, begun)
	f.replace(begun, x.Pos(), x.End(), fmt.Sprintf("everywaycover.Decide(%d, %s%s)", k, gap, text))
}

// isCondition reports whether an expression that is left is a condition by itself: each time that it is evaluated, a branch follows.
func (f *file) isCondition(x ast.Expr) bool {
	var child ast.Node = x
	for i := 1; ; i++ {
		switch p := f.parent(i).(type) {
		case *ast.ParenExpr:
		case *ast.UnaryExpr:
			if p.Op != token.NOT {
				return false
			}
		case *ast.BinaryExpr:
			if p.Op != token.LAND && p.Op != token.LOR {
				return false
			}
			if p.X == child {
				return true // whether the other operand is evaluated depends on it
			}
		case *ast.IfStmt:
			return p.Cond == child
		case *ast.ForStmt:
			return p.Cond == child
		case *ast.CaseClause:
			s, ok := f.parent(i + 2).(*ast.SwitchStmt)
			return ok && s.Tag == nil && slices.ContainsFunc(p.List, func(x ast.Expr) bool { return x == child })
		default:
			return false
		}
		child = f.parent(i)
	}
}

// each has a loop over a slice say whether it goes on, if that is a decision.
func (f *file) each(n *ast.RangeStmt, begun int) error {
	k := f.decision(n.For, true)
	if k < 0 {
		return nil
	}
	if _, ok := f.typ(n.X).(*types.Slice); !ok || f.program.decided[k] {
		return nil
	}
	if f.isBefore(23) {
		return refuse("%s: whether this loop over a slice goes on is decided as the program runs, and programs are built with that from Go 1.23 on: have go.mod, or a constraint of the file, say go 1.23", f.program.Position(n.For))
	}
	f.program.decided[k] = true
	f.replace(begun, n.X.Pos(), n.X.End(), fmt.Sprintf("everywaycover.Each(%d, %s%s)", k, f.within(n.X, begun), gap))
	return nil
}
