package covered

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/schedule"
)

// An edit replaces a part of a text.
type edit struct {
	from, to int
	text     string
}

// A site is an operation of synchronisation in the source, or a marker.
type site struct {
	name   string   // for people
	places []string // positions that nodes can have there
	ops    []schedule.Op
	marker bool
}

// A file is a source file whose operations are to be kept to schedules.
type file struct {
	program *program
	pkg     *load.Package
	syntax  *ast.File
	path    string
	text    []byte
	edits   []edit
	stack   []ast.Node // that lead to the one that is visited
	begun   []int      // edits when the visit of each began
	// before are texts that go before statements.
	before map[ast.Stmt][]string
	// declared are declarations that go before what is in the body of a function.
	declared map[*ast.BlockStmt]string
}

// newFile reads a file.
func newFile(p *program, pkg *load.Package, syntax *ast.File) (*file, error) {
	path := p.Fset.File(syntax.Package).Name()
	text, err := p.Read(path)
	if err != nil {
		return nil, fmt.Errorf("reading a file of the program: %w", err)
	}
	return &file{
		program: p, pkg: pkg, syntax: syntax, path: path, text: text, before: map[ast.Stmt][]string{},
		declared: map[*ast.BlockStmt]string{},
	}, nil
}

// rewrite visits the file: what is within a node has been rewritten when the node is.
func (f *file) rewrite() error {
	var err error
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if err != nil {
			return false
		}
		if n != nil {
			f.stack = append(f.stack, n)
			f.begun = append(f.begun, len(f.edits))
			return true
		}
		last := len(f.stack) - 1
		n = f.stack[last]
		f.stack = f.stack[:last]
		err = f.leave(n, f.begun[last])
		f.begun = f.begun[:last]
		return true
	})
	return err
}

// changed returns the text of the file, nil if it is the one on disk. A file that uses cgo cannot have another one.
func (f *file) changed() ([]byte, error) {
	text := f.result()
	if text == nil {
		if on, err := os.ReadFile(f.path); err == nil && bytes.Equal(on, f.text) {
			return nil, nil
		}
		text = f.text
	}
	for _, spec := range f.syntax.Imports {
		if spec.Path.Value == `"C"` {
			return nil, refuse("%s: a file that uses cgo cannot be kept to schedules", f.path)
		}
	}
	return text, nil
}

// result returns the text of the file, nil if nothing in it has changed.
func (f *file) result() []byte {
	if len(f.edits) == 0 {
		return nil
	}
	f.edits = append(f.edits, edit{f.offset(f.syntax.Name.End()), f.offset(f.syntax.Name.End()), `; import everywaycover "everyway/cover"`})
	text := f.apply(f.edits, 0, len(f.text)) + "\nvar _ = everywaycover.Marker\n"
	if f.isBefore(21) && !strings.Contains(string(f.text), "//go:build") {
		// The constraint lets the file use generic functions. The directive names the file by its whole path, since the
		// compiler reads it elsewhere.
		return []byte("//go:build go1.21\n\n//line " + f.path + ":1\n" + text)
	}
	return []byte(text)
}

// isBefore reports whether the file is of a version of Go before 1.minor: that of its module, if no constraint of the file says another one.
func (f *file) isBefore(minor int) bool {
	if f.pkg.Module == nil {
		return false
	}
	version := cmp.Or(strings.TrimPrefix(f.pkg.Info.FileVersions[f.syntax], "go"), f.pkg.Module.GoVersion)
	var n int
	_, err := fmt.Sscanf(version, "1.%d", &n)
	return version == "" || err == nil && n < minor
}

func (f *file) offset(p token.Pos) int { return f.program.Fset.Position(p).Offset }

// apply returns the text from an offset to another one, with edits, which may be in any order and do not overlap.
func (f *file) apply(edits []edit, from, to int) string {
	list := slices.Clone(edits)
	slices.SortStableFunc(list, func(a, b edit) int { return cmp.Or(a.from-b.from, a.to-b.to) }) // insertions first
	var b strings.Builder
	for _, e := range list {
		b.Write(f.text[from:e.from])
		b.WriteString(e.text)
		from = e.to
	}
	b.Write(f.text[from:to])
	return b.String()
}

// within returns the text of a node as it is now, whose edits are among those from the number begun on.
func (f *file) within(n ast.Node, begun int) string {
	from, to := f.offset(n.Pos()), f.offset(n.End())
	var inner []edit
	for _, e := range f.edits[begun:] {
		if from <= e.from && e.to <= to {
			inner = append(inner, e)
		}
	}
	return f.apply(inner, from, to)
}

// replace replaces what is from a position to another one, edits included, those from the number begun on. The text has
// a mark, gap, where line breaks go that would be lost.
func (f *file) replace(begun int, pos, end token.Pos, text string) {
	from, to := f.offset(pos), f.offset(end)
	kept := f.edits[:begun]
	for _, e := range f.edits[begun:] {
		if e.to <= from || to <= e.from {
			kept = append(kept, e)
		}
	}
	lost := strings.Count(string(f.text[from:to]), "\n") - strings.Count(text, "\n")
	fill := ""
	if lost > 0 {
		fill = "/*" + strings.Repeat("\n", lost) + "*/ "
	}
	f.edits = append(kept, edit{from, to, strings.Replace(text, gap, fill, 1)})
}

// gap is where line breaks go.
const gap = "\x00"

// insert puts text before what is at a position.
func (f *file) insert(pos token.Pos, text string) {
	at := f.offset(pos)
	f.edits = append(f.edits, edit{at, at, text})
}

// parent returns the node that the one that is left is in, n levels above.
func (f *file) parent(n int) ast.Node {
	if len(f.stack) < n {
		return nil
	}
	return f.stack[len(f.stack)-n]
}

// site makes a site. Its number is what package everyway/cover is called with.
func (f *file) site(what string, pos token.Pos, ops []schedule.Op, also ...token.Pos) int {
	s := &site{ops: ops}
	for _, p := range append([]token.Pos{pos}, also...) {
		if at := f.program.Position(p); !slices.Contains(s.places, at) {
			s.places = append(s.places, at)
		}
	}
	s.name = s.places[0] + ": " + what
	f.program.sites = append(f.program.sites, s)
	return len(f.program.sites) - 1
}

// leave rewrites a node.
func (f *file) leave(n ast.Node, begun int) error {
	if err := f.leaveNode(n, begun); err != nil {
		return err
	}
	switch n := n.(type) {
	case *ast.FuncDecl:
		f.declare(n.Body, begun)
	case *ast.FuncLit:
		f.declare(n.Body, begun)
	case ast.Expr:
		if err := f.keep(n, begun); err != nil {
			return err
		}
		f.decide(n, begun)
	}
	if stmt, ok := n.(ast.Stmt); ok {
		for _, text := range f.before[stmt] {
			f.insert(stmt.Pos(), text+"; ")
		}
	}
	return nil
}

func (f *file) leaveNode(n ast.Node, begun int) error {
	switch n := n.(type) {
	case *ast.Ident:
		f.processors(n)
	case *ast.CallExpr:
		if err := f.variables(n, n.Lparen); err != nil {
			return err
		}
		f.call(n, begun)
		return f.barrier(n)
	case *ast.SendStmt:
		if err := f.variables(n, n.Arrow); err != nil {
			return err
		}
		f.send(n, begun)
	case *ast.UnaryExpr:
		if n.Op != token.ARROW {
			return nil
		}
		if err := f.variables(n, n.OpPos); err != nil {
			return err
		}
		f.receive(n, begun)
	case *ast.SelectStmt:
		if err := f.variables(n, n.Select); err != nil {
			return err
		}
		if err := f.selects(n); err != nil {
			return err
		}
	case *ast.RangeStmt:
		if err := f.count(n); err != nil {
			return err
		}
		if err := f.loop(n.For, n.Body); err != nil {
			return err
		}
		if err := f.each(n, begun); err != nil {
			return err
		}
		return f.ranges(n, begun)
	case *ast.ForStmt:
		if err := f.loop(n.For, n.Body); err != nil {
			return err
		}
		return f.condition(n, begun)
	case *ast.GoStmt:
		f.starts(n, begun)
	case *ast.FuncDecl:
		return f.main(n)
	}
	return nil
}

// processors has a function that the program mentions return how many processors the set says there are, if it asks for that.
func (f *file) processors(id *ast.Ident) {
	fn, ok := f.pkg.Info.Uses[id].(*types.Func)
	if !ok || f.program.set.Processors == 0 {
		return
	}
	var n ast.Node = id
	if s, ok := f.parent(1).(*ast.SelectorExpr); ok {
		n = s
	}
	switch fn.FullName() {
	case "runtime.NumCPU":
		f.edits = append(f.edits, edit{f.offset(n.Pos()), f.offset(n.Pos()), "everywaycover.Processors("},
			edit{f.offset(n.End()), f.offset(n.End()), ")"})
	case "runtime.GOMAXPROCS":
		f.insert(n.Pos(), "") // package everyway/cover sets it before this one is initialised
	}
}

// main has function main say where it begins and returns.
func (f *file) main(n *ast.FuncDecl) error {
	if f.pkg != f.program.Main || n.Recv != nil || n.Name.Name != "main" {
		return nil
	}
	for id, object := range f.pkg.Info.Uses {
		if object == f.pkg.Info.Defs[n.Name] {
			return refuse("%s: the program calls function main: give what it does another name", f.program.Position(id.Pos()))
		}
	}
	f.edits = append(f.edits, edit{f.offset(n.Name.Pos()), f.offset(n.Name.End()), "main() { everywaycover.Begin(); everywaymain(); everywaycover.Finish() }; func everywaymain"})
	return nil
}

// marker returns the number of the site of a marker at a position, -1 if there is none.
func (f *file) marker(kind cover.MarkerKind, pos token.Pos) int {
	at := f.program.Position(pos)
	for _, m := range f.program.set.Markers {
		if m.Kind == kind && m.Position == at {
			id := f.site("marker", pos, nil)
			f.program.sites[id].marker = true
			return id
		}
	}
	return -1
}

// barrier puts a marker before the call of a barrier.
func (f *file) barrier(n *ast.CallExpr) error {
	id := f.marker(cover.AtBarrier, n.Lparen)
	if id < 0 {
		return nil
	}
	stmt, ok := f.parent(1).(*ast.ExprStmt)
	if !ok || !isInList(f.parent(2)) {
		return refuse("%s: the call of a barrier is to be a statement of its own", f.program.Position(n.Pos()))
	}
	f.before[stmt] = append(f.before[stmt], fmt.Sprintf("everywaycover.Marker(%d)", id))
	return nil
}

// isInList reports whether statements in n can have others before them.
func isInList(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// typ returns the type of an expression, below its name; nil if there is none.
func (f *file) typ(x ast.Expr) types.Type {
	t := f.pkg.Info.TypeOf(x)
	if t == nil {
		return nil
	}
	return t.Underlying()
}

func (f *file) isChannel(x ast.Expr) bool {
	t := f.typ(x)
	if p, ok := t.(*types.TypeParam); ok {
		t = p.Constraint().Underlying()
	}
	_, ok := t.(*types.Chan)
	return ok
}
