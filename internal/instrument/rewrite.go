package instrument

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/schedule"
)

// A file is a source file that gets control points.
type file struct {
	path     string
	text     []byte
	fset     *token.FileSet
	syntax   *ast.File
	receives map[Position]bool // where there are receives
	edits    []edit
	minor    int  // of the Go version 1.x of the module
	race     bool // as in Plan
	// results has the functions of the control package for calls that the race detector reports.
	results map[*ast.CallExpr]string
	// seen has, for statements that are hidden from the race detector, the number of the goroutine for which they are
	// not, or -1.
	seen map[ast.Stmt]int
}

// goVersion returns the x of the Go version 1.x that a go.mod file names. What names none is of
// Go 1.16.
func goVersion(goMod string) int {
	const unnamed = 16
	text, err := os.ReadFile(goMod)
	if err != nil {
		return unnamed // a module without one
	}
	m := regexp.MustCompile(`(?m)^go 1\.(\d+)`).FindSubmatch(text)
	if m == nil {
		return unnamed
	}
	minor, err := strconv.Atoi(string(m[1]))
	if err != nil {
		return unnamed
	}
	return minor
}

// A SourceError is something about a source file that keeps it from being instrumented.
type SourceError struct {
	Pos     string // file:line
	Message string // with what to do about it
}

func (e *SourceError) Error() string { return e.Pos + ": " + e.Message }

// read parses a file. Its text is read from disk if it is nil.
func read(path string, text []byte) (*file, error) {
	if text == nil {
		var err error
		if text, err = os.ReadFile(path); err != nil {
			return nil, fmt.Errorf("reading a file of the run: %w", err)
		}
	}
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if list, ok := errors.AsType[scanner.ErrorList](err); ok && len(list) > 0 {
		return nil, &SourceError{fmt.Sprintf("%s:%d", path, list[0].Pos.Line), list[0].Msg + ": mend it, and confirm the run again"}
	}
	if err != nil {
		return nil, fmt.Errorf("parsing a file of the run: %w", err)
	}
	for _, spec := range syntax.Imports {
		if spec.Path.Value == `"C"` {
			return nil, &SourceError{fmt.Sprintf("%s:%d", path, fset.Position(spec.Pos()).Line), "a file that uses cgo gets no control points: have what goroutines share in another file"}
		}
	}
	return &file{
		path: path, text: text, fset: fset, syntax: syntax, receives: map[Position]bool{},
		results: map[*ast.CallExpr]string{}, seen: map[ast.Stmt]int{},
	}, nil
}

func (f *file) key(p Position) string { return fmt.Sprintf(" %d:%d", p.Line, p.Column) }

// line returns where a node begins, as file:line.
func (f *file) line(n ast.Node) string {
	return fmt.Sprintf("%s:%d", f.path, f.fset.Position(n.Pos()).Line)
}

func (f *file) offset(p token.Pos) int { return f.fset.Position(p).Offset }

func (f *file) source(n ast.Node) string { return string(f.text[f.offset(n.Pos()):f.offset(n.End())]) }

// insert puts text before what is at the position.
func (f *file) insert(at token.Pos, rank int, format string, args ...any) {
	f.edits = append(f.edits, edit{f.offset(at), rank, fmt.Sprintf(format, args...)})
}

// owns reports whether the node is of the file.
func (f *file) owns(n ast.Node, nodes map[ast.Node]bool) bool { return nodes[n] }

// control puts a control point into the file.
func (f *file) control(key pointKey, id int) {
	n := key.node
	switch key.kind {
	case before:
		f.insert(n.Pos(), 2, "everywaycontrol.At(%d); ", id)
	case after:
		f.insert(n.End(), 1, "; everywaycontrol.After(%d)", id)
	case spawning:
		if _, ok := n.(*ast.ReturnStmt); ok {
			// Nothing can be behind it, and a function has to end with it.
			f.insert(n.Pos(), 3, "defer everywaycontrol.Spawned(everywaycontrol.Spawn(%d)); ", id)
			return
		}
		f.insert(n.Pos(), 3, "everywaybefore%d := everywaycontrol.Spawn(%d); ", id, id)
		f.insert(n.End(), 0, "; everywaycontrol.Spawned(everywaybefore%d)", id)
	case condition:
		// The comparison has no type: the condition may be of any boolean type.
		f.insert(n.Pos(), 0, "everywaycontrol.True(%d) == true && (", id)
		f.insert(n.End(), 0, ")")
	case ranging:
		f.receive(n.(*ast.RangeStmt), id)
	case value:
		f.split(n, id)
	case calling:
		call := n.(*ast.CallExpr)
		if !f.race {
			f.inOrder(call)
		}
		at := call.Fun
		if sel, ok := at.(*ast.SelectorExpr); ok && isNamed(sel.X, "atomic") && len(call.Args) > 0 {
			// A call of the function as a value has no line in a report of the race detector.
			at = call.Args[0]
		}
		f.insert(at.Pos(), 4, "everywaycontrol.Value(%d, ", id)
		f.insert(at.End(), 0, ")")
	case receiving:
		x := n.(*ast.UnaryExpr).X
		f.insert(x.Pos(), 4, "everywaycontrol.Value(%d, ", id)
		f.insert(x.End(), 0, ")")
	case sending:
		x := n.(*ast.SendStmt).Chan
		f.insert(x.Pos(), 4, "everywaycontrol.Value(%d, ", id)
		f.insert(x.End(), 0, ")")
	case exiting:
		// It is called before what was deferred before it.
		f.insert(n.End(), 1, "; defer everywaycontrol.At(%d)", id)
	case accessing:
		// f(x) becomes Call(f, x): the comment hides the parenthesis.
		call := n.(*ast.CallExpr)
		f.insert(call.Fun.Pos(), 3, "everywaycontrol.%s(", f.results[call])
		f.insert(call.Lparen, 5, " /*")
		comma := ", "
		if len(call.Args) == 0 {
			comma = ""
		}
		f.insert(call.Lparen+1, 0, "*/%s", comma)
	case hiding:
		f.hide(n.(ast.Stmt), id)
	case choosing:
		f.choose(n.(*ast.SelectStmt), id)
	case calledBack:
		callback := n.(*ast.CallExpr).Args[1]
		f.insert(callback.Pos(), 4, "everywaycontrol.Callback(%d, ", id)
		f.insert(callback.End(), 0, ")")
	case reading:
		f.insert(n.Pos(), 4, "(*everywaycontrol.Value(%d, &", id)
		f.insert(n.End(), 0, "))")
	}
}

// receive has a loop over a channel receive by itself, behind a point.
func (f *file) receive(n *ast.RangeStmt, id int) {
	// for v := range c { becomes for c2 := c; ; { v, ok := <-c2; if !ok { break }; the comment hides
	// the variable and the keyword.
	f.insert(n.For+token.Pos(len("for")), 0, " everywaychannel%d := /*", id)
	f.insert(n.X.Pos(), 0, "*/ ")
	f.insert(n.X.End(), 9, "; ; ")
	v := "_"
	if n.Key != nil {
		v = f.source(n.Key)
	}
	declare, assign := "", ":="
	if n.Tok == token.ASSIGN {
		declare, assign = fmt.Sprintf("var everywayok%d bool; ", id), "="
	}
	f.insert(n.Body.Lbrace+1, 0, " everywaycontrol.At(%d); %s%s, everywayok%d %s <-everywaychannel%d; if !everywayok%d { break }; ", id, declare, v, id, assign, id, id)
}

// canReceive reports whether a loop over a channel can receive by itself. Before Go 1.22 its
// variable was one for all its rounds, which shows if a function or a pointer has it.
func (f *file) canReceive(n *ast.RangeStmt) bool {
	for _, c := range f.syntax.Comments {
		if n.For < c.Pos() && c.Pos() < n.X.Pos() {
			return false // would end the comment that hides the variable
		}
	}
	if f.minor >= 22 || n.Tok != token.DEFINE {
		return true
	}
	kept := false
	ast.Inspect(n.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			kept = true
		case *ast.UnaryExpr:
			kept = kept || n.Op == token.AND
		case *ast.SliceExpr:
			kept = true // of an array
		}
		return true
	})
	return !kept
}

// choose has the cases of a select ask for their channels.
func (f *file) choose(n *ast.SelectStmt, id int) {
	index := 0
	for _, stmt := range n.Body.List {
		clause := stmt.(*ast.CommClause)
		f.insert(clause.Colon+1, 0, " everywaycontrol.Chosen(); ")
		var channel ast.Expr
		switch comm := clause.Comm.(type) {
		case nil:
			continue // default
		case *ast.SendStmt:
			channel = comm.Chan
		case *ast.ExprStmt:
			channel = received(comm.X)
		case *ast.AssignStmt:
			channel = received(comm.Rhs[0])
		}
		f.insert(channel.Pos(), 5, "everywaycontrol.Case(%d, %d, %t, ", id, index, index == 0)
		f.insert(channel.End(), 0, ")")
		index++
	}
}

// received returns the channel of a receive.
func received(x ast.Expr) ast.Expr {
	return ast.Unparen(x).(*ast.UnaryExpr).X
}

// inOrder has the calls of functions of sync/atomic before a call on its line really be calls: the
// compiler evaluates those that it has instructions for behind all calls of the statement.
func (f *file) inOrder(call *ast.CallExpr) {
	line := f.fset.Position(call.Pos()).Line
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || c.End() > call.Pos() || f.fset.Position(c.Pos()).Line != line {
			return true
		}
		if sel, ok := c.Fun.(*ast.SelectorExpr); ok && (strings.HasPrefix(f.source(sel), "atomic.") || sel.Sel.Name == "Load") {
			f.insert(c.Fun.Pos(), 4, "everywaycontrol.Function(")
			f.insert(c.Fun.End(), 0, ")")
		}
		return true
	})
}

// split puts a point between the reads and the write of an assignment.
func (f *file) split(n ast.Node, id int) {
	switch n := n.(type) {
	case *ast.IncDecStmt:
		// x++ becomes x = Value(x+1): the comment hides the operator.
		op := "+"
		if n.Tok == token.DEC {
			op = "-"
		}
		f.insert(n.TokPos, 0, " = everywaycontrol.Value(%d, %s%s1) /*", id, f.source(n.X), op)
		f.insert(n.End(), 0, "*/")
	case *ast.AssignStmt:
		if n.Tok == token.ASSIGN {
			f.insert(n.Rhs[0].Pos(), 0, "everywaycontrol.Value(%d, ", id)
			f.insert(n.Rhs[0].End(), 0, ")")
			return
		}
		op := strings.TrimSuffix(n.Tok.String(), "=")
		f.insert(n.TokPos, 0, " = everywaycontrol.Value(%d, %s %s (/*", id, f.source(n.Lhs[0]), op)
		f.insert(n.TokPos+token.Pos(len(n.Tok.String())), 0, "*/")
		f.insert(n.End(), 0, "))")
	}
}

// target has the function of the target say when it returns, and gives a fuzz test its input.
func (f *file) target(r *schedule.Run) error {
	for _, d := range f.syntax.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Name.Name != r.Target || fn.Body == nil {
			continue
		}
		f.insert(fn.Body.Lbrace+1, 0, " defer everywaycontrol.Return(); ")
		if r.Kind != "fuzz test" {
			return nil
		}
		return f.fuzz(fn, r)
	}
	return nil
}

// fuzz has the callback of a fuzz test called with the input of the run, once.
func (f *file) fuzz(fn *ast.FuncDecl, r *schedule.Run) error {
	args, callback, stmt, err := f.arguments(fn, r)
	if err != nil {
		return err
	}
	var values, sets []string
	for _, a := range args {
		values = append(values, a.typ+"("+a.text+")")
		if a.name != "_" {
			sets = append(sets, a.name+" = "+a.typ+"("+a.text+"); ")
		}
	}
	f.insert(stmt.Pos(), 1, "%s.Add(%s); ", f.source(stmt.X.(*ast.CallExpr).Fun.(*ast.SelectorExpr).X), strings.Join(values, ", "))
	f.insert(callback.Body.Lbrace+1, 0, " if !everywaycontrol.First() { return }; %s", strings.Join(sets, ""))
	return nil
}

// An argument is one of the callback of a fuzz test.
type argument struct{ name, typ, text string }

// arguments returns the arguments that the run gives to the callback of a fuzz test.
func (f *file) arguments(fn *ast.FuncDecl, r *schedule.Run) ([]argument, *ast.FuncLit, *ast.ExprStmt, error) {
	var callback *ast.FuncLit
	var stmt *ast.ExprStmt
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		e, ok := n.(*ast.ExprStmt)
		if !ok {
			return true
		}
		call, ok := e.X.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Fuzz" {
			if lit, ok := call.Args[0].(*ast.FuncLit); ok {
				callback, stmt = lit, e
			}
		}
		return true
	})
	if callback == nil {
		return nil, nil, nil, &SourceError{f.line(fn), "the callback of " + r.Target + " is not a function literal: make it one"}
	}
	values := map[string]string{}
	for _, v := range schedule.Variables(r.Input) {
		values[v.Name] = v.Text
	}
	var args []argument
	for i, field := range callback.Type.Params.List {
		if i == 0 {
			continue // the *testing.T
		}
		typ := f.source(field.Type)
		for _, name := range field.Names {
			text, ok := values[name.Name]
			if !ok {
				text = zero(typ)
			}
			if strings.Contains(text, "math.") {
				return nil, nil, nil, &SourceError{f.line(field), fmt.Sprintf("the input %s = %s cannot be written as a literal: everyway replay shows the run", name.Name, text)}
			}
			args = append(args, argument{name.Name, typ, text})
		}
	}
	return args, callback, stmt, nil
}

func zero(typ string) string {
	switch typ {
	case "string", "[]byte", "[]uint8":
		return `""`
	case "bool":
		return "false"
	}
	return "0"
}

// rewritten returns the text with its edits.
func (f *file) rewritten() []byte {
	f.edits = append(f.edits, edit{f.offset(f.syntax.Name.End()), 0, `; import everywaycontrol "everyway/control"; var _ = everywaycontrol.True`})
	if len(f.syntax.Imports) > 0 {
		// Declarations come behind all imports.
		f.edits[len(f.edits)-1].text = `; import everywaycontrol "everyway/control"`
		f.edits = append(f.edits, edit{len(f.text), 0, "\nvar _ = everywaycontrol.True\n"})
	}
	sortEdits(f.edits)
	var b bytes.Buffer
	done := 0
	for _, e := range f.edits {
		b.Write(f.text[done:e.offset])
		b.WriteString(e.text)
		done = e.offset
	}
	b.Write(f.text[done:])
	if f.minor < 18 && !bytes.Contains(f.text, []byte("//go:build")) {
		// The constraint lets the file use generic functions. The directive names the file by its
		// whole path, since the compiler reads it elsewhere.
		return slices.Concat([]byte("//go:build go1.18\n\n//line "+f.path+":1\n"), b.Bytes())
	}
	return b.Bytes()
}

// data returns the source of the tables, for package control.
func (s *steps) data() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package control\n\nconst points = %d\n\n", max(1, len(s.points)))
	var names []string
	for _, n := range s.names {
		names = append(names, strconv.Quote(n))
	}
	fmt.Fprintf(&b, "var names = [...]string{%s}\n\n", strings.Join(names, ", "))
	fmt.Fprintf(&b, "var segments = [...]int32{")
	for _, g := range s.segments {
		fmt.Fprintf(&b, "%d, ", g)
	}
	fmt.Fprintf(&b, "}\n")
	fmt.Fprintf(&b, "\n// times has the time that passes in a segment, in nanoseconds.\nvar times = [len(segments) + 1]int64{")
	for _, segment := range slices.Sorted(maps.Keys(s.times)) {
		fmt.Fprintf(&b, "%d: %d, ", segment, s.times[segment])
	}
	fmt.Fprintf(&b, "}\n\nconst clocked = %t\n", s.clocked)
	for _, t := range []struct {
		name string
		list []step
	}{{"begins", s.begins}, {"ends", s.ends}, {"spawns", s.spawns}, {"selects", s.selects}, {"callbacks", s.callbacks}} {
		fmt.Fprintf(&b, "\nvar %s = []step{\n", t.name)
		for _, e := range t.list {
			fmt.Fprintf(&b, "\t{%d, %d, %d, %d},\n", e.goroutine, e.point, e.n, e.value)
		}
		fmt.Fprintf(&b, "}\n")
	}
	fmt.Fprintf(&b, "\nvar randoms = []draw{\n")
	for _, r := range s.randoms {
		fmt.Fprintf(&b, "\t{%d, %d},\n", r.goroutine, r.value)
	}
	fmt.Fprintf(&b, "}\n")
	return b.Bytes()
}

// nodes returns the nodes of the file.
func (f *file) nodes() map[ast.Node]bool {
	all := map[ast.Node]bool{}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n != nil {
			all[n] = true
		}
		return true
	})
	return all
}

// place puts the points of the tables into the files.
func (s *steps) place(files map[string]*file) {
	for _, f := range files {
		nodes := f.nodes()
		keys := make([]pointKey, len(s.points))
		for k, id := range s.points {
			keys[id] = k
		}
		for id, k := range keys {
			if f.owns(k.node, nodes) {
				f.control(k, id)
			}
		}
	}
}

// paths returns the files in which the plan has events.
func (p *Plan) paths() []string {
	var list []string
	for _, e := range p.events {
		if !slices.Contains(list, e.pos.File) {
			list = append(list, e.pos.File)
		}
	}
	return list
}
