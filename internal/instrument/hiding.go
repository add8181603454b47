package instrument

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/everyway-go/everyway/schedule"
)

// hide finds the statements of which the race detector need not see the accesses, to show a data
// race: those that access the object of the race, but for the two statements of the finding, which
// are to be seen in its two goroutines only. The detector reports one race at an address, and knows
// less of what has been there before then, so that of three accesses that race it may never report
// a certain pair.
func (p *Plan) hide(s *steps, files map[string]*file) {
	if !p.Race || p.Run.Finding == nil || len(p.Run.Finding.Others) != 1 {
		return
	}
	seen := map[ast.Stmt]int{}
	var objects []map[schedule.Object]bool
	for one := range p.Run.Finding.All() {
		pos, ok := p.accessed(one)
		if !ok {
			return
		}
		stmt := p.statement(files, pos)
		if stmt == nil || seen[stmt] > 0 {
			return // both are in one statement
		}
		seen[stmt] = s.name(one.Goroutine) + 1
		of := map[schedule.Object]bool{}
		for _, e := range p.events {
			if e.goroutine == one.Goroutine && e.pos == pos {
				of[e.location.object] = true
			}
		}
		objects = append(objects, of)
	}
	for _, e := range p.events {
		if !objects[0][e.location.object] || !objects[1][e.location.object] || e.location.object == (schedule.Object{}) {
			continue
		}
		f, stmt := files[e.pos.File], p.statement(files, e.pos)
		if stmt == nil || p.isPlain(e.pos) {
			continue
		}
		f.seen[stmt] = seen[stmt] - 1
		s.point(hiding, stmt)
	}
}

// accessed returns the place of an access of a finding in the developer's code.
func (p *Plan) accessed(one *schedule.Finding) (Position, bool) {
	for _, frame := range one.Stack {
		if pos, ok := p.Position(frame.Pos); ok {
			return pos, true
		}
	}
	return Position{}, false
}

// statement returns the statement at a position that can be hidden, nil if there is none.
func (p *Plan) statement(files map[string]*file, pos Position) ast.Stmt {
	f := files[pos.File]
	if f == nil {
		return nil
	}
	at, ok := f.spot(pos, "", true)
	if !ok || at.kind != before || f.hasGoto(pos) {
		return nil
	}
	switch stmt := at.node.(type) {
	case *ast.LabeledStmt, *ast.BranchStmt, *ast.DeclStmt, *ast.BlockStmt:
		return nil
	case *ast.ExprStmt:
		if isTerminating(stmt) {
			return nil // there can be nothing behind it
		}
		return stmt
	case ast.Stmt:
		return stmt
	}
	return nil
}

// hasGoto reports whether the function around a position has a goto statement, which must not jump over a declaration.
func (f *file) hasGoto(pos Position) bool {
	_, path := f.around(pos)
	for _, n := range slices.Backward(path) {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			found := false
			ast.Inspect(n, func(inner ast.Node) bool {
				branch, ok := inner.(*ast.BranchStmt)
				found = found || ok && branch.Tok == token.GOTO
				return !found
			})
			return found
		}
	}
	return false
}

// hide hides the accesses of a statement, not those of the statements in it.
func (f *file) hide(n ast.Stmt, id int) {
	f.insert(n.Pos(), 2, "everywayhidden%d := everywaycontrol.Hide(%d); ", id, f.seen[n])
	show := func(block *ast.BlockStmt) { f.insert(block.Lbrace+1, 0, " everywayhidden%d.Show(); ", id) }
	switch n := n.(type) {
	case *ast.ReturnStmt:
		f.insert(n.Pos(), 2, "defer everywayhidden%d.Show(); ", id)
		return
	case *ast.IfStmt:
		for inner := n; inner != nil; inner, _ = inner.Else.(*ast.IfStmt) {
			show(inner.Body)
			if block, ok := inner.Else.(*ast.BlockStmt); ok {
				show(block)
			}
		}
	case *ast.ForStmt:
		show(n.Body)
	case *ast.RangeStmt:
		show(n.Body)
	case *ast.SwitchStmt:
		f.showClauses(n.Body, id)
	case *ast.TypeSwitchStmt:
		f.showClauses(n.Body, id)
	case *ast.SelectStmt:
		f.showClauses(n.Body, id)
	}
	if !isTerminating(n) {
		f.insert(n.End(), 1, "; everywayhidden%d.Show()", id)
	}
}

func (f *file) showClauses(body *ast.BlockStmt, id int) {
	for _, clause := range body.List {
		colon := clause.End()
		switch clause := clause.(type) {
		case *ast.CaseClause:
			colon = clause.Colon
		case *ast.CommClause:
			colon = clause.Colon
		}
		f.insert(colon+1, 0, " everywayhidden%d.Show(); ", id)
	}
}

// isTerminating reports whether a function may have to end with a statement.
func isTerminating(n ast.Stmt) bool {
	switch n := n.(type) {
	case *ast.ExprStmt:
		call, ok := n.X.(*ast.CallExpr)
		return ok && isNamed(call.Fun, "panic")
	case *ast.IfStmt:
		for n != nil {
			if _, ok := n.Else.(*ast.BlockStmt); ok {
				return true
			}
			n, _ = n.Else.(*ast.IfStmt)
		}
		return false
	case *ast.ForStmt:
		return n.Cond == nil
	case *ast.SwitchStmt:
		return slices.ContainsFunc(n.Body.List, isDefault)
	case *ast.TypeSwitchStmt:
		return slices.ContainsFunc(n.Body.List, isDefault)
	case *ast.SelectStmt:
		return true
	}
	return false
}

func isDefault(n ast.Stmt) bool {
	clause, ok := n.(*ast.CaseClause)
	return ok && clause.List == nil
}
