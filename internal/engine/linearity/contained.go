package linearity

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/linear"
	"github.com/everyway-go/everyway/internal/load"
)

// A containment is the search for what calls may do besides changing the value that they are made
// on: so that the same calls, made on other values of the type before, could make a difference. It
// looks at the functions that can be reached in packages outside of the standard library, and in
// the package of the type, by the names of methods where interfaces are called. What the standard
// library keeps in variables of its own is taken for what makes no difference, such as pools.
type containment struct {
	packages []*load.Package
	declared map[*types.Func]declaration
	methods  map[string][]*types.Func      // by name
	vars     map[*types.Var]*ast.ValueSpec // variables of packages, with their declarations
	assigned map[*types.Var]bool
	seen     map[types.Object]bool
	queue    []declaration
	why      string
	hidden   bool // what they do may be hidden from reflection: they use package unsafe
}

// A declaration is a function, or the initialisation of a variable, in a package.
type declaration struct {
	node ast.Node
	info *types.Info
}

// contain finds out whether functions of a package, and those that they reach, do nothing but to
// the values that they are called with, and in which packages these consist of nothing but what
// reflection shows, nil if that is not so.
func contain(r *load.Result, pkg *load.Package, roots []*types.Func) (contained bool, seen []string) {
	c := &containment{}
	c.look(r, pkg, roots)
	if !c.hidden {
		for _, p := range c.packages {
			seen = append(seen, p.Types.Path())
		}
	}
	return c.why == "", seen
}

// look looks at functions, until it finds out why their calls are not contained.
func (c *containment) look(r *load.Result, pkg *load.Package, roots []*types.Func) {
	c.declared, c.methods = map[*types.Func]declaration{}, map[string][]*types.Func{}
	c.vars, c.assigned, c.seen = map[*types.Var]*ast.ValueSpec{}, map[*types.Var]bool{}, map[types.Object]bool{}
	for _, p := range r.All {
		if p == pkg || !p.Standard {
			c.packages = append(c.packages, p)
			c.declare(p)
		}
	}
	for _, fn := range roots {
		c.reach(fn)
	}
	for name := range standardMethods(r) { // the standard library may call them
		for _, fn := range c.methods[name] {
			c.reach(fn)
		}
	}
	for len(c.queue) > 0 && c.why == "" {
		d := c.queue[0]
		c.queue = c.queue[1:]
		ast.Inspect(d.node, func(n ast.Node) bool {
			c.visit(n, d.info)
			return c.why == ""
		})
	}
}

// standardMethods are the names of methods of interfaces that the standard library declares, by
// which it calls those of others.
func standardMethods(r *load.Result) map[string]bool {
	names := map[string]bool{"Is": true, "As": true, "Unwrap": true, "Timeout": true, "Temporary": true} // of interfaces without a name
	for _, p := range r.All {
		if !p.Standard {
			continue
		}
		for _, name := range p.Types.Scope().Names() {
			if t, ok := p.Types.Scope().Lookup(name).(*types.TypeName); ok {
				if i, ok := t.Type().Underlying().(*types.Interface); ok {
					for m := range i.Methods() {
						names[m.Name()] = true
					}
				}
			}
		}
	}
	return names
}

// declare notes what a package declares, and which of its variables and those of others it changes.
func (c *containment) declare(p *load.Package) {
	for _, file := range p.Files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				fn, ok := p.Info.Defs[d.Name].(*types.Func)
				if !ok {
					continue
				}
				c.declared[fn] = declaration{d, p.Info}
				if d.Recv != nil {
					c.methods[d.Name.Name] = append(c.methods[d.Name.Name], fn)
				}
			case *ast.GenDecl:
				c.declareVars(d, p.Info)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			c.noteAssigned(n, p.Info)
			return true
		})
	}
}

// declareVars notes the variables of a declaration, if it is one of variables.
func (c *containment) declareVars(d *ast.GenDecl, info *types.Info) {
	for _, spec := range d.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for _, name := range spec.Names {
			if v, ok := info.Defs[name].(*types.Var); ok {
				c.vars[v] = spec
			}
		}
	}
}

// noteAssigned notes the variable that a statement or expression assigns to, or takes the address of.
func (c *containment) noteAssigned(n ast.Node, info *types.Info) {
	note := func(x ast.Expr) {
		var id *ast.Ident
		switch x := ast.Unparen(x).(type) {
		case *ast.Ident:
			id = x
		case *ast.SelectorExpr:
			id = x.Sel
		default:
			return
		}
		if v, ok := info.Uses[id].(*types.Var); ok {
			c.assigned[v] = true
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, x := range n.Lhs {
			note(x)
		}
	case *ast.IncDecStmt:
		note(n.X)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			note(n.X)
		}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if x != nil {
					note(x)
				}
			}
		}
	case *ast.SelectorExpr:
		if s := info.Selections[n]; s != nil && s.Kind() == types.MethodVal {
			if _, ok := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer); ok {
				note(n.X)
			}
		}
	}
}

// reach notes that a function can be called.
func (c *containment) reach(fn *types.Func) {
	fn = fn.Origin()
	if c.seen[fn] {
		return
	}
	c.seen[fn] = true
	if d, ok := c.declared[fn]; ok {
		c.queue = append(c.queue, d)
	}
}

// visit finds out what a part of a function does.
func (c *containment) visit(n ast.Node, info *types.Info) {
	switch n := n.(type) {
	case *ast.GoStmt:
		c.why = "a call starts goroutines"
	case *ast.FuncDecl:
		if n.Body == nil {
			c.why = n.Name.Name + " has no body"
		}
	case *ast.Ident:
		switch obj := info.Uses[n].(type) {
		case *types.PkgName:
			c.hidden = c.hidden || obj.Imported() == types.Unsafe
		case *types.Func:
			c.visitFunc(obj)
		case *types.Var:
			c.visitVar(obj.Origin())
		}
	}
}

// laterOrOutside are the functions of the standard library that do something later, or to what is
// not memory: by package, or by name.
var laterOrOutside = []string{
	"context.AfterFunc", "context.With", "net", "os", "runtime.AddCleanup", "runtime.SetFinalizer", "sync.Go", "syscall",
	"time.After", "time.NewTicker", "time.NewTimer", "time.Tick", "unique", "weak",
}

// visitFunc is visit for the name of a function.
func (c *containment) visitFunc(fn *types.Func) {
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		for _, m := range c.methods[fn.Name()] {
			c.reach(m)
		}
		return
	}
	if fn.Pkg() != nil && !slices.ContainsFunc(c.packages, func(p *load.Package) bool { return p.Types == fn.Pkg() }) {
		for _, name := range laterOrOutside {
			of, prefix, ofName := strings.Cut(name, ".")
			path := fn.Pkg().Path()
			if path == of && (!ofName || strings.HasPrefix(fn.Name(), prefix) && fn.Name() != "WithValue") ||
				!ofName && strings.HasPrefix(path, of+"/") {
				c.why = fmt.Sprintf("a call uses %s.%s", fn.Pkg().Path(), fn.Name())
			}
		}
		return
	}
	c.reach(fn)
}

// visitVar is visit for the name of a variable.
func (c *containment) visitVar(v *types.Var) {
	spec, ok := c.vars[v]
	if !ok || v.Name() == "_" || c.seen[v] || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return
	}
	c.seen[v] = true
	if c.assigned[v] || !constant(v.Type(), spec) {
		c.why = fmt.Sprintf("a call uses the variable %s.%s", v.Pkg().Name(), v.Name())
		return
	}
	for _, p := range c.packages {
		if p.Types == v.Pkg() {
			c.queue = append(c.queue, declaration{spec, p.Info})
		}
	}
}

// constant reports whether what a variable of a type has that is never assigned to stays the same:
// numbers, strings, errors, and functions that are not made by a call, which may have variables of
// their own.
func constant(t types.Type, spec *ast.ValueSpec) bool {
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Signature:
		for _, x := range spec.Values {
			switch ast.Unparen(x).(type) {
			case *ast.FuncLit, *ast.Ident, *ast.SelectorExpr:
			default:
				return false
			}
		}
		return true
	}
	return false
}

// constantValues reports whether the expressions of the user are constants, and literals of such,
// which have nothing to do with each other: no variables, functions, calls or addresses.
func constantValues(pkg *types.Package, values linear.Values) bool {
	for _, v := range values {
		for _, text := range v.Exprs {
			if x, err := parser.ParseExpr(text); err != nil || !constantExpr(pkg, x) {
				return false
			}
		}
	}
	return true
}

// constantExpr is constantValues for an expression.
func constantExpr(pkg *types.Package, x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		switch pkg.Scope().Lookup(x.Name).(type) {
		case *types.Var, *types.Func: // what a function does is not looked at
			return false
		}
		return true
	case *ast.UnaryExpr:
		return x.Op != token.AND && x.Op != token.ARROW && constantExpr(pkg, x.X)
	case *ast.BinaryExpr:
		return constantExpr(pkg, x.X) && constantExpr(pkg, x.Y)
	case *ast.CompositeLit: // of any type
		for _, elem := range x.Elts {
			if pair, ok := elem.(*ast.KeyValueExpr); ok {
				elem = pair.Value // the key is a field, or a constant
			}
			if !constantExpr(pkg, elem) {
				return false
			}
		}
		return true
	}
	return false
}
