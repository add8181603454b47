package load

import (
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/load/table"
)

// The linker drops variables that nothing uses, and with them the work of their
// initialisation. dropUnused does the same for variables of the standard library
// that are initialised to composite literals, or to another such variable: most of
// what initialising a program amounts to is making the tables of package unicode.

// A variable is one that need not be initialised if nothing mentions it.
type variable struct {
	spec    *ast.ValueSpec
	typ     ast.Expr // its type, as the initialiser tells it; nil when that is another variable
	mention []string // names in its initialiser, of things in its package
}

func (v *variable) name() string { return v.spec.Names[0].Name }

// mentions are the names in the files of a package, but for the declarations of
// variables that may be dropped.
type mentions struct {
	local    map[string]bool // by themselves
	selected map[string]bool // behind a dot: of another package, or a field or method
}

// dropUnused takes the initialisers of variables without a use from lazy units. The
// mentions of all units are known.
func (c *checker) dropUnused() {
	selected := make(map[string]bool)
	for _, u := range c.units {
		maps.Copy(selected, u.mentions.selected)
	}
	for _, u := range c.units {
		u.dropUnused(selected, c.fset)
	}
}

func (u *unit) dropUnused(selected map[string]bool, fset *token.FileSet) {
	variables := make(map[string]*variable)
	for _, v := range u.variables {
		variables[v.name()] = v
	}
	used := make(map[*variable]bool)
	var use func(name string)
	use = func(name string) {
		if v := variables[name]; v != nil && !used[v] {
			used[v] = true
			for _, m := range v.mention {
				use(m)
			}
		}
	}
	for name := range variables {
		if u.mentions.local[name] || selected[name] {
			use(name)
		}
	}
	tables := table.NewPacker(u.pkg.Files)
	for _, v := range u.variables {
		typ := v.typ
		if typ == nil {
			if other := variables[v.mention[0]]; other != nil {
				typ = other.typ
			}
		}
		if typ != nil && !used[v] {
			v.spec.Type, v.spec.Values = typ, nil
		} else {
			// Each element would be checked, built and stored by itself.
			v.spec.Values[0] = tables.Pack(v.spec.Values[0])
		}
	}
	declared, err := tables.Declare(fset, filepath.Join(u.pkg.Dir, "zz_everyway_tables.go"), u.listed.Name)
	u.fail(err)
	if declared != nil {
		u.pkg.Files = append(u.pkg.Files, declared)
	}
}

// findMentions sets mentions and, of a lazy unit, variables.
func (u *unit) findMentions() {
	local, selected := make(map[string]bool), make(map[string]bool)
	u.mentions = mentions{local, selected}
	var collect func(n ast.Node) bool
	collect = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel.Name] = true
			ast.Inspect(n.X, collect)
			return false
		case *ast.Ident:
			local[n.Name] = true
		}
		return true
	}
	for _, f := range u.pkg.Files {
		for _, spec := range f.Imports {
			if spec.Name != nil && spec.Name.Name == "." {
				u.mentions.local = selected
				local = selected
			}
		}
		for _, group := range f.Comments {
			for _, comment := range group.List {
				if strings.HasPrefix(comment.Text, "//go:linkname ") {
					for _, name := range strings.Fields(comment.Text)[1:] {
						selected[name[strings.LastIndexByte(name, '.')+1:]] = true
					}
				}
			}
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR || !u.lazy {
				ast.Inspect(d, collect)
				continue
			}
			for _, spec := range g.Specs {
				if v := droppable(spec.(*ast.ValueSpec)); v != nil {
					u.variables = append(u.variables, v)
				} else {
					ast.Inspect(spec, collect)
				}
			}
		}
	}
}

// droppable returns the variable that spec declares if its initialiser does
// nothing but give it a value; nil otherwise.
func droppable(spec *ast.ValueSpec) *variable {
	if len(spec.Names) != 1 || len(spec.Values) != 1 || spec.Names[0].Name == "_" {
		return nil
	}
	v := &variable{spec: spec, typ: spec.Type}
	value := spec.Values[0]
	if v.typ == nil {
		v.typ = literalType(value)
	}
	if _, other := value.(*ast.Ident); v.typ == nil && !other || !v.harmless(value) {
		return nil
	}
	return v
}

// literalType returns the type of a composite literal or of its address, nil for
// other expressions.
func literalType(x ast.Expr) ast.Expr {
	switch x := x.(type) {
	case *ast.UnaryExpr:
		if t := literalType(x.X); t != nil && x.Op == token.AND {
			return &ast.StarExpr{Star: x.OpPos, X: t}
		}
	case *ast.CompositeLit:
		if array, ok := x.Type.(*ast.ArrayType); ok {
			if _, counted := array.Len.(*ast.Ellipsis); counted {
				return countedType(x, array)
			}
		}
		return x.Type
	}
	return nil
}

// countedType returns the type of a literal of type [...]T, nil if elements have keys.
func countedType(x *ast.CompositeLit, array *ast.ArrayType) ast.Expr {
	for _, e := range x.Elts {
		if _, keyed := e.(*ast.KeyValueExpr); keyed {
			return nil
		}
	}
	length := &ast.BasicLit{ValuePos: array.Len.Pos(), Kind: token.INT, Value: strconv.Itoa(len(x.Elts))}
	return &ast.ArrayType{Lbrack: array.Lbrack, Len: length, Elt: array.Elt}
}

// harmless reports whether evaluating x does nothing else, and cannot fail. It
// notes the names in x.
func (v *variable) harmless(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		v.mention = append(v.mention, x.Name)
		return true
	case *ast.UnaryExpr:
		return (x.Op == token.AND || x.Op == token.SUB) && v.harmless(x.X)
	case *ast.CompositeLit:
		if x.Type != nil {
			ast.Inspect(x.Type, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					v.mention = append(v.mention, id.Name)
				}
				return true
			})
		}
		for _, e := range x.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				if !v.harmless(kv.Key) {
					return false
				}
				e = kv.Value
			}
			if !v.harmless(e) {
				return false
			}
		}
		return true
	}
	return false
}
