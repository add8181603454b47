package program

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/scanner"
	"go/token"
	"go/types"
	"log"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/everyway-go/everyway/internal/cache"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/load/block"
)

// A graph has the declarations of a program outside the standard library, and which of them
// each one mentions.
//
// What a target can reach is what its function mentions, directly or through others, and what
// is initialised before it starts. A type that is mentioned brings all of its methods along:
// whoever has a value can call them, through an interface or by reflection. A value cannot be
// had but through a declaration that mentions its type. So nothing is left out that a run of
// the target may depend on, however it gets there, and some that none does is included.
type graph struct {
	prog *load.Result

	mu       sync.Mutex
	packages map[*types.Package]*load.Package
	of       map[types.Object]*declaration // by what is declared
	initial  map[*types.Package][]*declaration
	known    map[string]Reached // by target
	values   []string           // what valueNames returns, once it is known
	err      error
}

// A declaration is one of a function or method, of a type, of variables that are initialised
// together, or of all the constants of a group.
type declaration struct {
	name string // with that of the file
	pkg  *load.Package
	file *ast.File
	node ast.Node
	also []*declaration // the methods of a type

	known    bool // the following are
	mentions []*declaration
	lines    bool   // it may ask for line numbers
	first    string // where it begins
	sum      cache.Key
}

// newGraph returns the declarations of a program.
func newGraph(prog *load.Result) *graph {
	g := &graph{
		prog: prog, packages: make(map[*types.Package]*load.Package), of: make(map[types.Object]*declaration),
		initial: make(map[*types.Package][]*declaration), known: make(map[string]Reached),
	}
	for _, p := range prog.All {
		g.packages[p.Types] = p
	}
	for _, p := range prog.All {
		if !p.Standard {
			g.addPackage(p)
		}
	}
	for _, p := range prog.All {
		if !p.Standard {
			g.addLinks(p)
		}
	}
	return g
}

// addPackage adds the declarations of a package.
func (g *graph) addPackage(p *load.Package) {
	var methods []*ast.FuncDecl
	for _, f := range p.Files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				obj := p.Info.Defs[d.Name]
				n := g.add(p, f, d, load.FunctionName(d), obj)
				if d.Recv == nil && d.Name.Name == "init" {
					g.initial[p.Types] = append(g.initial[p.Types], n)
				}
				if d.Recv != nil {
					methods = append(methods, d)
				}
			case *ast.GenDecl:
				g.addGroup(p, f, d)
			}
		}
	}
	for _, d := range methods {
		obj, _ := p.Info.Defs[d.Name].(*types.Func)
		if obj == nil {
			continue
		}
		if t := g.of[receiverName(obj)]; t != nil {
			t.also = append(t.also, g.of[obj])
		}
	}
}

// add adds a declaration of some objects.
func (g *graph) add(p *load.Package, f *ast.File, node ast.Node, name string, objects ...types.Object) *declaration {
	// Several functions may be called init, and any number of variables _.
	in := filepath.Base(g.prog.Fset.File(f.Package).Name())
	n := &declaration{name: p.ID + "." + name + " in " + in, pkg: p, file: f, node: node}
	for _, obj := range objects {
		if obj != nil {
			g.of[obj] = n
		}
	}
	return n
}

// addGroup adds the declarations of a group.
func (g *graph) addGroup(p *load.Package, f *ast.File, d *ast.GenDecl) {
	var constants []types.Object
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			g.add(p, f, s, s.Name.Name, p.Info.Defs[s.Name])
		case *ast.ValueSpec:
			var objects []types.Object
			blank := true
			for _, id := range s.Names {
				objects = append(objects, p.Info.Defs[id])
				blank = blank && id.Name == "_"
			}
			if d.Tok == token.CONST {
				constants = append(constants, objects...)
				continue
			}
			n := g.add(p, f, s, s.Names[0].Name, objects...)
			if !blank || !isAssertion(p, s) {
				g.initial[p.Types] = append(g.initial[p.Types], n)
			}
		}
	}
	if d.Tok == token.CONST && len(constants) > 0 {
		g.add(p, f, d, constants[0].Name(), constants...)
	}
}

// isAssertion reports whether a declaration of blank variables does nothing when it is
// initialised, as in var _ I = (*T)(nil).
func isAssertion(p *load.Package, s *ast.ValueSpec) bool {
	for _, v := range s.Values {
		call, ok := ast.Unparen(v).(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !p.Info.Types[call.Fun].IsType() || !p.Info.Types[call.Args[0]].IsNil() {
			return false
		}
	}
	return true
}

// receiverName returns the name of the type that a method belongs to.
func receiverName(method *types.Func) types.Object {
	recv := method.Signature().Recv()
	if recv == nil {
		return nil
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok {
		return named.Origin().Obj()
	}
	return nil
}

// linkname begins a directive that gives what is declared another name.
const linkname = "//go:linkname "

// addLinks has what p links to, or from, be initial: others call it by another name.
func (g *graph) addLinks(p *load.Package) {
	for _, f := range p.Files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				rest, ok := strings.CutPrefix(c.Text, linkname)
				if !ok {
					continue
				}
				for i, name := range strings.Fields(rest) {
					g.addLink(p, name, i > 0)
				}
			}
		}
	}
}

// addLink has what is called name be initial: in p or, if that has a path, in its package.
func (g *graph) addLink(p *load.Package, name string, hasPath bool) {
	dir, last := "", name
	if i := strings.LastIndexByte(name, '/'); hasPath && i >= 0 {
		dir, last = name[:i+1], name[i+1:]
	}
	path := p.Path
	if hasPath {
		first, rest, _ := strings.Cut(last, ".")
		path, last = dir+first, rest
	}
	last, _, _ = strings.Cut(last, ".") // of a method its type
	last = strings.Trim(last, "(*)")
	for _, q := range g.prog.All {
		if q.Path != path {
			continue
		}
		if n := g.of[q.Types.Scope().Lookup(last)]; n != nil {
			g.initial[p.Types] = append(g.initial[p.Types], n)
		}
	}
}

// A Reached is what a target can reach, as hashes. If the program may ask for line numbers Code
// has them too.
type Reached struct {
	Code  cache.Key // but for the lines at which declarations begin; with the GODEBUG settings
	Lines cache.Key // those lines
	Dirs  cache.Key // the directories of the packages, for which a program can ask
}

// Reach returns what a target can reach.
func (p *Program) Reach(t *load.Target) (Reached, error) {
	p.declared.Do(func() { p.graph = newGraph(p.Result) })
	g := p.graph
	g.mu.Lock()
	defer g.mu.Unlock()
	name := strings.Join(TargetNames(t), " ")
	r, ok := g.known[name]
	if ok {
		return r, nil
	}
	r, err := g.reach(t)
	if err == nil {
		g.known[name] = r
	}
	return r, err
}

// TargetNames returns what tells a target from the others of a program.
func TargetNames(t *load.Target) []string {
	list := []string{t.Kind.String(), t.Package.Path, t.Name}
	for i := range t.Tests {
		list = append(list, TargetNames(&t.Tests[i])...)
	}
	return list
}

// reach is Reach for a target that is not known.
func (g *graph) reach(t *load.Target) (Reached, error) {
	sum, lines, dirs := cache.NewHash("reach"), cache.NewHash("lines"), cache.NewHash("directories")
	found := make(map[*declaration]bool)
	var work []*declaration
	add := func(list ...*declaration) {
		for _, n := range list {
			if n != nil && !found[n] {
				found[n] = true
				work = append(work, n)
			}
		}
	}
	sum.Text(fmt.Sprint(g.prog.Godebug(t))) // of a map, in order
	packages := g.binary(t.Package)
	for _, p := range packages {
		add(g.initial[p.Types]...)
	}
	for _, fn := range functions(t) {
		add(g.of[fn])
	}
	if main := g.prog.TestMain(t.Package); main != nil {
		add(g.of[main.Object()])
	}
	draws := drawsAny(t)
	if draws {
		add(g.drawn()...)
	}
	for {
		for len(work) > 0 {
			n := work[len(work)-1]
			work = work[:len(work)-1]
			g.examine(n)
			add(n.mentions...)
			add(n.also...)
		}
		if draws || !g.draws(found) {
			break
		}
		draws = true
		add(g.drawn()...)
	}
	if draws {
		for _, name := range g.valueNames() {
			sum.Text(name)
		}
	}
	if g.err != nil {
		return Reached{}, g.err
	}
	// Initialisers run in the order in which they stand, if nothing else orders them.
	for _, p := range packages {
		sum.Text(p.ID)
		if m := p.Module; m != nil {
			dirs.Text(p.Dir)
			dirs.Text(m.Dir)
			sum.Text(m.GoVersion)
		}
		for _, n := range g.initial[p.Types] {
			sum.Key(n.sum)
		}
		for _, directive := range directives(p) {
			sum.Text(directive)
		}
	}
	asks := false
	list := make([]*declaration, 0, len(found))
	for n := range found {
		list = append(list, n)
		asks = asks || n.lines
	}
	slices.SortFunc(list, func(a, b *declaration) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.node.Pos(), b.node.Pos()))
	})
	for _, n := range list {
		sum.Text(n.name)
		sum.Key(n.sum)
		lines.Text(n.first)
	}
	r := Reached{Lines: lines.Sum(), Dirs: dirs.Sum()}
	if asks {
		sum.Key(r.Lines)
	}
	r.Code = sum.Sum()
	return r, nil
}

// draws reports whether functions of package sym are found whose inputs may be interfaces and functions.
func (g *graph) draws(found map[*declaration]bool) bool {
	return slices.ContainsFunc(g.prog.All, func(p *load.Package) bool {
		return p.Path == symPath &&
			slices.ContainsFunc([]string{"draw", "open"}, func(name string) bool { return found[g.of[p.Types.Scope().Lookup(name)]] })
	})
}

// valueNames returns what has no declaration outside of the standard library of the values that
// interfaces may have which are inputs: the packages whose types these can be of, and the package
// variables; and what atomic values may hold, which calls say that the target may not reach.
func (g *graph) valueNames() []string {
	if g.values != nil {
		return g.values
	}
	for _, p := range g.prog.All {
		if p.Standard {
			continue
		}
		var paths []string
		for _, of := range p.Types.Imports() {
			paths = append(paths, of.Path())
		}
		slices.Sort(paths)
		g.values = append(g.values, p.ID+" "+strings.Join(paths, " "))
	}
	for _, v := range mentionedValues(g.prog) {
		g.values = append(g.values, v.String())
	}
	stores := storedTypes(g.prog)
	var stored []string
	for v := range stores.In {
		stored = append(stored, fmt.Sprintf("%s %v", g.prog.Fset.Position(v.Pos()), stores.Of(v)))
	}
	slices.Sort(stored)
	g.values = append(append(g.values, stored...), fmt.Sprint(stores.Elsewhere))
	return g.values
}

// drawn returns the declarations of the types and functions that an interface or a function may
// have as its value that is an input.
func (g *graph) drawn() []*declaration {
	var list []*declaration
	for obj, n := range g.of {
		switch obj := obj.(type) {
		case *types.TypeName:
			list = append(list, n)
		case *types.Func:
			if obj.Signature().Recv() == nil && n.pkg.Module != nil && n.pkg.Module.Main {
				list = append(list, n)
			}
		}
	}
	return list // what is found is put in order
}

// directives returns the directives of a package outside the standard library that say how
// it is built or linked.
func directives(p *load.Package) []string {
	var list []string
	if p.Standard {
		return nil
	}
	for _, f := range p.Files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//go:debug") || strings.HasPrefix(c.Text, linkname) {
					list = append(list, c.Text)
				}
			}
		}
	}
	return list
}

// functions returns the functions that a target runs.
func functions(t *load.Target) []types.Object {
	var list []types.Object
	if t.Func != nil && t.Context == nil {
		list = append(list, t.Func.Object())
	}
	if t.Context != nil {
		for i := range t.Context.Within {
			list = append(list, functions(&t.Context.Within[i])...)
		}
	}
	for i := range t.Tests {
		list = append(list, functions(&t.Tests[i])...)
	}
	return list
}

// binary returns the packages of the test binary that p is in, in the order in which they are
// initialised.
func (g *graph) binary(p *load.Package) []*load.Package {
	var roots []*types.Package
	for _, q := range g.prog.Packages {
		if q.Binary() == p.Binary() {
			roots = append(roots, q.Types)
		}
	}
	var list []*load.Package
	for _, t := range load.InitOrder(roots...) {
		if q := g.packages[t]; q != nil { // not unsafe
			list = append(list, q)
		}
	}
	return list
}

// examine finds out what a declaration mentions, and its hash.
func (g *graph) examine(n *declaration) {
	if n.known {
		return
	}
	n.known = true
	h := cache.NewHash("declaration")
	seen := make(map[*declaration]bool)
	keyed := make(map[ast.Node]bool) // types of composite literals with keys
	ast.Inspect(n.node, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			return !block.IsMark(node) // it is in no source
		case *ast.CompositeLit:
			if len(node.Elts) > 0 {
				_, ok := node.Elts[0].(*ast.KeyValueExpr)
				keyed[typeName(node.Type)] = ok
			}
		case *ast.Ident:
			obj := origin(n.pkg.Info.Uses[node])
			if obj == nil || obj.Pkg() == nil {
				return true
			}
			h.Text(obj.Pkg().Path()) // the same name may come from elsewhere
			h.Text(obj.Name())
			if p := g.packages[obj.Pkg()]; p != nil && p.Standard {
				n.lines = n.lines || tellsLines(obj) && !keyed[node]
			}
			if m := g.of[obj]; m != nil && !seen[m] {
				seen[m] = true
				n.mentions = append(n.mentions, m)
			}
		case *ast.CallExpr:
			n.lines = n.lines || logsLines(n.pkg.Info, node)
		case *ast.BasicLit:
			h.Text(node.Value) // the text of an embedded file, too
		}
		return true
	})
	if v := n.pkg.Info.FileVersions[n.file]; v != "" {
		h.Text(v)
	}
	if err := g.addTokens(h, n); err != nil && g.err == nil {
		g.err = err
	}
	n.sum = h.Sum()
}

// typeName returns the identifier of a type that is named, perhaps in another package.
func typeName(expr ast.Expr) ast.Node {
	if s, ok := expr.(*ast.SelectorExpr); ok {
		return s.Sel
	}
	return expr
}

// origin returns the declared object of which obj is an instance.
func origin(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj.Origin()
	}
	return obj
}

// linesOf are the functions and constants of the standard library that tell a program, in one
// way or another, at which lines its code stands. In a literal with keys, the field of
// slog.HandlerOptions that does is mentioned; elsewhere it can be set without its name.
var linesOf = map[string]bool{
	"runtime.Caller": true, "runtime.Callers": true, "runtime.CallersFrames": true, "runtime.FuncForPC": true,
	"runtime.Stack": true, "runtime/debug.Stack": true, "runtime/debug.PrintStack": true,
	"runtime/pprof.Lookup": true, "log.Lshortfile": true, "log.Llongfile": true, "log/slog.AddSource": true,
	"log/slog.HandlerOptions": true, "log/slog.Source": true,
}

// tellsLines reports whether obj is one of linesOf.
func tellsLines(obj types.Object) bool { return linesOf[obj.Pkg().Path()+"."+obj.Name()] }

// logsLines reports whether a call may have package log print line numbers, without that a
// constant of linesOf is mentioned: its flags are a number, or are not known.
func logsLines(info *types.Info, call *ast.CallExpr) bool {
	fn := typeutil.StaticCallee(info, call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "log" || fn.Name() != "New" && fn.Name() != "SetFlags" {
		return false
	}
	flags := info.Types[call.Args[len(call.Args)-1]].Value
	if flags == nil {
		return true
	}
	n, ok := constant.Int64Val(flags)
	return !ok || n&(log.Lshortfile|log.Llongfile) != 0
}

// addTokens adds the source of a declaration, by its tokens and where they stand: lines are
// counted from the first. Comments are left out, but in examples, in which they matter, and
// if they say how lines are counted.
func (g *graph) addTokens(h *cache.Hash, n *declaration) error {
	fset := g.prog.Fset
	file := fset.File(n.node.Pos())
	text, err := g.prog.Sources.Read(file.Name())
	if err != nil {
		return fmt.Errorf("hashing declarations: %w", err)
	}
	from, to := file.Offset(n.node.Pos()), file.Offset(sourceEnd(n.node))
	if from > to || to > len(text) {
		return fmt.Errorf("%s has changed meanwhile", file.Name())
	}
	n.first = fmt.Sprint(fset.PositionFor(n.node.Pos(), false).Line, fset.Position(n.node.Pos()))
	h.Text(filepath.Base(file.Name()))
	fn, ok := n.node.(*ast.FuncDecl)
	example := ok && strings.HasPrefix(fn.Name.Name, "Example")
	var s scanner.Scanner
	part := token.NewFileSet().AddFile("", -1, to-from)
	s.Init(part, text[from:to], nil, scanner.ScanComments)
	first := fset.PositionFor(n.node.Pos(), false).Column
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return nil
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue // it stands behind a comment
		}
		if tok == token.COMMENT && !example && !strings.HasPrefix(lit[2:], "line ") {
			continue
		}
		at := part.PositionFor(pos, false)
		if at.Line == 1 {
			at.Column += first - 1
		}
		h.Text(fmt.Sprintf("%d:%d %s %s", at.Line, at.Column, tok, lit))
	}
}

// sourceEnd returns where a declaration ends in its source. The value of a variable with a
// go:embed directive stands behind it, and is in no source.
func sourceEnd(node ast.Node) token.Pos {
	s, ok := node.(*ast.ValueSpec)
	if !ok || len(s.Values) == 0 {
		return node.End()
	}
	if last := s.Values[len(s.Values)-1]; s.Type == nil || last.Pos() > s.Type.End() {
		return last.End()
	}
	return s.Type.End()
}
