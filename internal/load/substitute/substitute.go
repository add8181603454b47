// Package substitute has the sources of a program use functions and types of its own in the place of some of the standard library, which do the same, and whose operations are the program's.
//
// The functions filepath.Walk and filepath.WalkDir call themselves, and what they are given from several places in loops, so that nothing can be said there of what that does; the program has loops
// of its own. What sync.OnceFunc, OnceValue and OnceValues return synchronises in package sync, whose operations are none of the program's; each place that mentions one has a copy, so that what is called there is
// not taken to be called elsewhere. The methods of sync.Map and sync.Pool synchronise in the same way: the types in their place are those of a [Library], so that all packages of the program have the same ones.
//
// [Package.Rewrite] has a file name functions in the place of these, and [Package.Files] declare them. Positions in the file stay as they are.
package substitute

import (
	"bytes"
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A group is a number of functions or types of one package that are replaced, and declared in one file.
type group struct {
	name      string   // in that of the file
	path      string   // the import path of the package
	functions []string // or types
	called    bool     // only where they are called
	copied    bool     // each place that mentions one has a copy
	used      string   // a declaration that mentions the package, with "everyway" in the place of the name under which a file imports it
	// source declares the functions, with "everyway_" before their names, and "everyway" in the place of the name of the package; shared is what they need, with the imports of both.
	source, shared string
	// imports are the import paths of what the file imports, besides the package itself, which imports these as well, or of libraries.
	imports []string
}

var (
	//go:embed tree.go
	tree string
	//go:embed calls.go
	calls string
	//go:embed once.go
	once string
	//go:embed types.go
	aliases string
	//go:embed sync/map.go sync/pool.go
	libraries embed.FS
)

// A Library is a package that the program has besides, for types that are replaced.
type Library struct {
	Path  string   // its import path
	Of    string   // that of the package whose types are replaced; its own imports are among those of this one, or it
	Files []string // their names
}

// Libraries are those that there are. The program has those that it uses.
var Libraries = []Library{{"everyway/sync", "sync", []string{"map.go", "pool.go"}}}

// Name returns the name of the package.
func (l *Library) Name() string { return path.Base(l.Path) }

// Text returns the text of one of its files.
func (l *Library) Text(file string) ([]byte, error) {
	return libraries.ReadFile(l.Name() + "/" + file)
}

var groups = []group{
	{name: "walk", path: "path/filepath", functions: []string{"Walk", "WalkDir"}, called: true, used: "var _ = everyway.Clean", source: calls, shared: tree, imports: []string{"io/fs", "os"}},
	{name: "once", path: "sync", functions: []string{"OnceFunc", "OnceValue", "OnceValues"}, copied: true, used: "var _ everyway.Mutex", source: once, shared: "package substitute\n\nimport \"sync\"\n"},
	{name: "types", path: "sync", functions: []string{"Map", "Pool"}, used: "var _ everyway.Mutex", source: aliases, shared: "package substitute\n\nimport everywaysync \"everyway/sync\"\n", imports: []string{"everyway/sync"}},
}

// prefix begins the names of the files that are added.
const prefix = "zz_everyway_"

// joints stand between the name of a package and that of a function in names of functions that are declared: each copy has another one, as long as there are any.
const joints = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// A Package is one whose files are rewritten.
type Package struct {
	declared [][]declaration // by groups
}

// A declaration is that of a function.
type declaration struct{ pkg, joint, function string }

func (d declaration) name() string { return d.pkg + d.joint + d.function }

// Rewrite returns the text of a file with other functions in the place of those that are replaced, where it mentions these by their names. If it does not, the text is what it was.
func (p *Package) Rewrite(text []byte) []byte {
	if p.declared == nil {
		p.declared = make([][]declaration, len(groups))
	}
	may := false
	for _, g := range groups {
		may = may || bytes.Contains(text, []byte(strconv.Quote(g.path))) && slices.ContainsFunc(g.functions, func(f string) bool { return bytes.Contains(text, []byte("."+f)) })
	}
	if !may {
		return text
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, 0)
	if err != nil {
		return text // which the caller will see
	}
	idents := make(map[string]bool)
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			idents[id.Name] = true
		}
		return true
	})
	result := slices.Clone(text)
	for i := range groups {
		g := &groups[i]
		imported := importedAs(f, g.path)
		var names []string // of those, whose functions are replaced
		for _, sel := range g.mentions(f) {
			// What a file imports is declared in none of its scopes.
			x, ok := sel.X.(*ast.Ident)
			if !ok || !slices.Contains(imported, x.Name) || !slices.Contains(f.Unresolved, x) || sel.Sel.Pos() != x.End()+1 {
				continue
			}
			d := p.next(i, x.Name, sel.Sel.Name)
			if idents[d.name()] {
				continue // it may be something else here
			}
			if !slices.Contains(p.declared[i], d) {
				p.declared[i] = append(p.declared[i], d)
			}
			result[fset.Position(x.End()).Offset] = d.joint[0]
			if !slices.Contains(names, x.Name) {
				names = append(names, x.Name)
			}
		}
		for _, name := range names {
			result = append(result, "\n"+strings.ReplaceAll(g.used, "everyway", name)+"\n"...) // it may be used no more
		}
	}
	return result
}

// importedAs returns the names under which a file imports a package.
func importedAs(f *ast.File, path string) (names []string) {
	for _, spec := range f.Imports {
		if spec.Path.Value != strconv.Quote(path) {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name != "_" && name != "." {
			names = append(names, name)
		}
	}
	return names
}

// mentions returns the selectors in a file that may be functions of the group.
func (g *group) mentions(f *ast.File) (list []*ast.SelectorExpr) {
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && g.called {
			n = call.Fun
		} else if g.called {
			return true
		}
		if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains(g.functions, sel.Sel.Name) {
			list = append(list, sel)
		}
		return true
	})
	return list
}

// next returns the declaration for one more place that mentions a function.
func (p *Package) next(group int, pkg, function string) declaration {
	copies := 0
	if groups[group].copied {
		for _, d := range p.declared[group] {
			if d.pkg == pkg && d.function == function {
				copies++
			}
		}
	}
	return declaration{pkg, joints[copies%len(joints):][:1], function}
}

// A File is one that is added to a package.
type File struct {
	Name    string
	Text    []byte
	Imports []string // of what it imports besides the package whose functions are replaced: import paths of what that package imports as well, and of libraries
}

// Files returns the files that declare what those of a package of the given name use after Rewrite.
func (p *Package) Files(pkg string) (list []File) {
	for i, declared := range p.declared {
		if len(declared) == 0 {
			continue
		}
		g := &groups[i]
		var b strings.Builder
		b.WriteString(strings.Replace(g.shared, "package substitute", "package "+pkg, 1))
		for _, d := range declared {
			b.WriteString("\n" + strings.Replace(g.function(d.function), "everyway_"+d.function, d.name(), 1))
		}
		list = append(list, File{prefix + pkg + "_" + g.name + ".go", []byte(b.String()), g.imports})
	}
	return list
}

// function returns the source of a function, or of a type.
func (g *group) function(name string) string {
	for source := range strings.SplitSeq(g.source, "\n\n") {
		if _, rest, ok := strings.Cut(source, " everyway_"+name); ok && strings.ContainsAny(rest[:1], "([ ") {
			return source + "\n"
		}
	}
	return ""
}

// Function returns the function of the standard library that one of those that are declared is in the place of, as filepath.Walk for filepath_Walk; "" if it is none of these, nor what they call.
func Function(name string) string {
	for _, g := range groups {
		for _, f := range g.functions {
			if pkg, ok := strings.CutSuffix(name, f); ok && len(pkg) > 1 && strings.Contains(joints, pkg[len(pkg)-1:]) {
				return pkg[:len(pkg)-1] + "." + f
			}
		}
	}
	return ""
}

// IsTree reports whether a function is of those that walk a tree, by its name in package ssa.
func IsTree(name string) bool { return strings.Contains(name, ".everywayWalk") }

// IsFile reports whether a file is one that is added, by its path.
func IsFile(name string) bool {
	base := name[strings.LastIndexByte(name, '/')+1:]
	return strings.HasPrefix(base, prefix) && slices.ContainsFunc(groups, func(g group) bool { return strings.HasSuffix(base, "_"+g.name+".go") })
}

// Mentions returns where files that were rewritten mention a function that is declared, by its name.
func Mentions(files []*ast.File, name string) (list []token.Pos) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == name {
					return false
				}
			case *ast.Ident:
				if n.Name == name {
					list = append(list, n.Pos())
				}
			}
			return true
		})
	}
	return list
}
