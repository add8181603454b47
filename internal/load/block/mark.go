package block

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// A Block is a sequence of statements of which all are executed if the first one is.
type Block struct {
	File       string // import path of the package, a slash, and the name of the file
	Start, End token.Position
	Statements int
}

// prefix begins the names of the variables whose assignments mark blocks.
const prefix = "zz_everyway_block_"

// Number returns the number of the block that an assignment to a variable marks, and whether it
// does.
func Number(variable string) (n int, ok bool) {
	rest, ok := strings.CutPrefix(variable, prefix)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(rest)
	return n, err == nil
}

// IsMark reports whether an assignment marks a block.
func IsMark(s *ast.AssignStmt) bool {
	id, ok := s.Lhs[0].(*ast.Ident)
	return ok && strings.HasPrefix(id.Name, prefix)
}

// Mark marks the blocks of a file, the source of which is text, and returns those that there were
// before with them. A block has the number of its place in the list. The name is that of Block.File.
func Mark(f *ast.File, file *token.File, text []byte, name string, before []Block) []Block {
	m := &marker{text: text, file: file, name: name, blocks: before}
	for _, d := range f.Decls {
		m.declaration(d)
	}
	return m.blocks
}

// Declare returns a file that declares the variables of the blocks from number first to before
// number end, as one of a package. There is no such file on disk.
func Declare(fset *token.FileSet, path, pkg string, first, end int) (*ast.File, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "package %s\n", pkg)
	for n := first; n < end; n++ {
		fmt.Fprintf(&text, "var %s%d bool\n", prefix, n)
	}
	f, err := parser.ParseFile(fset, path, text.String(), parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("declaring what marks blocks: %w", err)
	}
	return f, nil
}

// A marker marks the blocks of one file.
type marker struct {
	text   []byte
	file   *token.File
	name   string // of Block.File
	blocks []Block
}

// declaration marks the blocks of the functions of a declaration. A function named _ is never called.
func (m *marker) declaration(d ast.Decl) {
	if fn, ok := d.(*ast.FuncDecl); ok {
		if fn.Body != nil && fn.Name.Name != "_" {
			m.body(fn.Body)
		}
		return
	}
	m.inside(d)
}

// inside marks the blocks of the statements and function literals in a node.
func (m *marker) inside(node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			m.ifs(n)
		case *ast.BlockStmt:
			m.body(n)
		case *ast.SwitchStmt:
			return len(n.Body.List) > 0 // an empty body has no room for a mark
		case *ast.TypeSwitchStmt:
			return len(n.Body.List) > 0
		case *ast.SelectStmt:
			return len(n.Body.List) > 0
		case *ast.CaseClause:
			m.clause(n.Colon, n.End(), &n.Body)
			for _, x := range n.List {
				m.inside(x)
			}
		case *ast.CommClause:
			m.clause(n.Colon, n.End(), &n.Body)
			if n.Comm != nil {
				m.inside(n.Comm)
			}
		default:
			return true
		}
		return false // what is in these was marked
	})
}

// body marks the blocks of the statements between braces.
func (m *marker) body(b *ast.BlockStmt) {
	if len(b.List) > 0 {
		switch b.List[0].(type) {
		case *ast.CaseClause, *ast.CommClause: // of a switch or select
			for _, s := range b.List {
				m.inside(s)
			}
			return
		}
	}
	m.list(b.Lbrace, b.Lbrace+1, b.Rbrace+1, &b.List, true)
}

// clause marks the blocks of the statements behind the colon of a case.
func (m *marker) clause(colon, end token.Pos, list *[]ast.Stmt) {
	m.list(colon+1, colon+1, end, list, false)
}

// ifs marks the blocks of an if statement. What follows else is a block of its own, from that word on.
func (m *marker) ifs(s *ast.IfStmt) {
	if s.Init != nil {
		m.inside(s.Init)
	}
	m.inside(s.Cond)
	m.body(s.Body)
	switch e := s.Else.(type) {
	case *ast.IfStmt:
		block := &ast.BlockStmt{Lbrace: m.afterElse(s), List: []ast.Stmt{e}, Rbrace: e.End()}
		s.Else = block
		m.body(block)
	case *ast.BlockStmt:
		m.list(m.afterElse(s), e.Lbrace+1, e.Rbrace+1, &e.List, true)
	}
}

// afterElse returns the position behind the word else of a statement.
func (m *marker) afterElse(s *ast.IfStmt) token.Pos {
	from := m.file.Offset(s.Body.End())
	var scan scanner.Scanner
	part := token.NewFileSet().AddFile("", -1, len(m.text)-from)
	scan.Init(part, m.text[from:], func(token.Position, string) {}, 0)
	for {
		pos, tok, _ := scan.Scan()
		switch tok {
		case token.ELSE:
			return m.file.Pos(from + part.Offset(pos) + len("else"))
		case token.EOF: // the parser has seen it
			return s.Else.Pos()
		}
	}
}

// list marks the blocks of a list of statements that begins at a position, of which the first can be marked from
// another one on. It ends at the position end if nothing diverts control before and closed is set; a clause,
// which nothing closes, ends with its last statement.
func (m *marker) list(start, at, end token.Pos, list *[]ast.Stmt, closed bool) {
	stmts := *list
	if len(stmts) == 0 {
		*list = []ast.Stmt{m.mark(at, end, at, 0)}
		return
	}
	var marked []ast.Stmt
	for len(stmts) > 0 {
		run, stop, rest := m.divide(stmts)
		diverted := stop.IsValid()
		if !diverted {
			stop = end
			if !closed {
				stop = boundary(run[len(run)-1])
			}
		}
		if start != stop {
			marked = append(marked, m.mark(start, stop, at, len(run)))
		}
		marked = append(marked, run...)
		for _, s := range run {
			m.inside(s)
		}
		closed = closed && !diverted
		if stmts = rest; len(stmts) > 0 {
			start = stmts[0].Pos()
			at = start
		}
	}
	*list = marked
}

// divide divides statements behind the first one that diverts control, and returns where the block
// ends in the source: no position if none does. The label of a statement to which a goto leads,
// which begins a block, is divided from its statement.
func (m *marker) divide(stmts []ast.Stmt) (run []ast.Stmt, stop token.Pos, rest []ast.Stmt) {
	for i, s := range stmts {
		if !diverts(s) {
			continue
		}
		if l, ok := s.(*ast.LabeledStmt); ok && !isLabelled(l.Stmt) {
			label := &ast.LabeledStmt{Label: l.Label, Colon: l.Colon, Stmt: &ast.EmptyStmt{Semicolon: l.Stmt.Pos(), Implicit: true}}
			run = append(slices.Clone(stmts[:i]), label)
			return run, l.Pos(), append([]ast.Stmt{l.Stmt}, stmts[i+1:]...)
		}
		return stmts[:i+1], boundary(s), stmts[i+1:]
	}
	return stmts, token.NoPos, nil
}

// mark returns a statement that marks a new block.
func (m *marker) mark(start, end, at token.Pos, statements int) ast.Stmt {
	n := len(m.blocks)
	m.blocks = append(m.blocks, Block{
		File: m.name, Statements: statements,
		Start: m.file.PositionFor(start, false), End: m.file.PositionFor(end, false),
	})
	return &ast.AssignStmt{
		Lhs:    []ast.Expr{&ast.Ident{NamePos: at, Name: prefix + strconv.Itoa(n)}},
		TokPos: at,
		Tok:    token.ASSIGN,
		Rhs: []ast.Expr{&ast.BinaryExpr{
			X: &ast.BasicLit{ValuePos: at, Kind: token.INT, Value: "0"}, OpPos: at, Op: token.EQL,
			Y: &ast.BasicLit{ValuePos: at, Kind: token.INT, Value: "0"},
		}},
	}
}

// isLabelled reports whether the label of a statement is that of a loop or the like, for break and
// continue.
func isLabelled(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
	}
	return false
}

// diverts reports whether a statement is the last one of its block: control can go elsewhere behind it or
// in it, or it has a function literal, the body of which is a block of its own.
func diverts(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BlockStmt, *ast.BranchStmt, *ast.IfStmt, *ast.LabeledStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok {
			if fn, ok := call.Fun.(*ast.Ident); ok && fn.Name == "panic" && len(call.Args) == 1 {
				return true
			}
		}
	}
	return literal(s).IsValid()
}

// boundary returns where the block ends of which a statement is the last one: where the body of the
// statement, or of the first function literal in its head, begins, or at its end.
func boundary(s ast.Stmt) token.Pos {
	var head []ast.Node
	var body *ast.BlockStmt
	switch s := s.(type) {
	case *ast.BlockStmt:
		return s.Lbrace
	case *ast.LabeledStmt:
		return boundary(s.Stmt)
	case *ast.IfStmt:
		head, body = []ast.Node{s.Init, s.Cond}, s.Body
	case *ast.ForStmt:
		head, body = []ast.Node{s.Init, s.Cond, s.Post}, s.Body
	case *ast.RangeStmt:
		head, body = []ast.Node{s.X}, s.Body
	case *ast.SwitchStmt:
		head, body = []ast.Node{s.Init, s.Tag}, s.Body
	case *ast.TypeSwitchStmt:
		head, body = []ast.Node{s.Init}, s.Body
	case *ast.SelectStmt:
		body = s.Body
	default:
		if at := literal(s); at.IsValid() {
			return at
		}
		return s.End()
	}
	for _, n := range head {
		if at := literal(n); at.IsValid() {
			return at
		}
	}
	return body.Lbrace
}

// literal returns where the body of the first function literal in a node begins, no position if there is none.
func literal(n ast.Node) (at token.Pos) {
	if n == nil {
		return token.NoPos
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && !at.IsValid() {
			at = lit.Body.Lbrace
		}
		return !at.IsValid()
	})
	return at
}
