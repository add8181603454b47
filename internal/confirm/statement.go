package confirm

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/everyway-go/everyway/schedule"
)

// inStatement reports whether an access of the native run is in the statement of one of the finding, though at
// another of its lines: the compiler gives many operands the line at which what they belong to begins, as it does with
// the arguments of a go or defer statement. It must do the same, read or write. No other statement may have a
// part at either line, so that it is no other one that is taken for it.
func (p *places) inStatement(r *schedule.Run, f *schedule.Finding, a *access) bool {
	want, got := p.recorded(f), p.native(a.frames)
	if want.file != got.file || want == got || a.write != isWrite(f) {
		return false
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, want.file, nil, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	owners := map[int][]ast.Stmt{} // of each line
	ast.Inspect(file, func(n ast.Node) bool {
		if stmt, ok := n.(ast.Stmt); ok {
			for line := range linesOf(fset, stmt) {
				owners[line] = append(owners[line], stmt)
			}
		}
		return true
	})
	at, there := owners[want.line], owners[got.line]
	if len(at) != 1 || len(there) != 1 {
		return false
	}
	if choice, ok := at[0].(*ast.SelectStmt); ok {
		return there[0] == p.taken(r, f, choice)
	}
	return at[0] == there[0]
}

// isWrite reports whether an access of a finding writes, as closing a channel does to the race detector.
func isWrite(f *schedule.Finding) bool {
	message := strings.TrimPrefix(f.Message, "data race: ") // of the first, the other follows
	return strings.HasPrefix(message, "write") || strings.HasPrefix(message, "close")
}

// taken returns the operation of the case that a goroutine took of a select statement where the
// finding has it, nil if it is not known.
func (p *places) taken(r *schedule.Run, f *schedule.Finding, choice *ast.SelectStmt) ast.Stmt {
	var cases []ast.Stmt
	for _, clause := range choice.Body.List {
		if comm := clause.(*ast.CommClause).Comm; comm != nil {
			cases = append(cases, comm)
		}
	}
	taken := ast.Stmt(nil)
	for i := range r.Events {
		e := &r.Events[i]
		if e.Goroutine != f.Goroutine || p.position(e.Pos) != p.recorded(f) {
			continue
		}
		var at ast.Stmt
		switch {
		case e.Op == schedule.Fail:
			at = onlySend(cases)
		case e.Op != schedule.Send && e.Op != schedule.Recv && e.Op != schedule.RecvClosed:
			continue
		case 0 <= int(e.Alt) && int(e.Alt) < len(cases):
			at = cases[e.Alt]
		}
		if at == nil || taken != nil && at != taken {
			return nil
		}
		taken = at
	}
	return taken
}

// onlySend returns the one send among the cases of a select statement, nil if there are several.
func onlySend(cases []ast.Stmt) ast.Stmt {
	var send ast.Stmt
	for _, c := range cases {
		if _, ok := c.(*ast.SendStmt); ok {
			if send != nil {
				return nil
			}
			send = c
		}
	}
	return send
}

// linesOf returns the lines at which a statement has a part that is not another statement's, which
// is in it. A case of a switch is one by itself.
func linesOf(fset *token.FileSet, stmt ast.Stmt) map[int]bool {
	lines := map[int]bool{}
	add := func(list ...token.Pos) {
		for _, pos := range list {
			if pos.IsValid() {
				lines[fset.Position(pos).Line] = true
			}
		}
	}
	switch stmt.(type) {
	case *ast.BlockStmt, *ast.LabeledStmt, *ast.CommClause:
		return nil // which do nothing by themselves
	}
	ast.Inspect(stmt, func(n ast.Node) bool {
		if inner, ok := n.(ast.Stmt); ok && inner != stmt {
			if block, ok := n.(*ast.BlockStmt); ok {
				add(block.Lbrace, block.Rbrace)
			}
			return false
		}
		switch n := n.(type) {
		case nil:
			return false
		case *ast.FuncLit:
			add(n.Pos(), n.Body.Lbrace, n.Body.Rbrace)
			return false
		case *ast.CallExpr:
			add(n.Lparen, n.Rparen)
		case *ast.BinaryExpr:
			add(n.OpPos)
		case *ast.AssignStmt:
			add(n.TokPos)
		case *ast.IndexExpr:
			add(n.Lbrack)
		case *ast.CompositeLit:
			add(n.Rbrace)
		}
		add(n.Pos())
		return true
	})
	return lines
}
