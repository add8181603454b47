package golib

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/load"
)

// functions returns the functions and methods that the model files of dir
// declare, named as load.FunctionName does.
func functions(dir string, names []string) (map[string]bool, error) {
	declared := make(map[string]bool)
	for _, name := range names {
		text, err := models.ReadFile(path.Join(dir, name))
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path.Join(dir, name), text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name != "init" && fn.Name.Name != "_" {
				declared[load.FunctionName(fn)] = true
			}
		}
	}
	return declared, nil
}

// cutFunctions returns the text of an original file without the functions named in drop,
// or nil if the file declares none of them. Line numbers do not change. Imports that only
// those functions used become blank imports.
func cutFunctions(file string, drop map[string]bool) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	erase := func(from, to token.Pos) {
		for i := fset.Position(from).Offset; i < fset.Position(to).Offset; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	used := make(map[string]bool) // package names used in the remaining declarations
	cut := false
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && drop[load.FunctionName(fn)] {
			cut = true
			from := fn.Pos()
			if fn.Doc != nil {
				from = fn.Doc.Pos() // a linkname directive goes with its function
			}
			erase(from, fn.End())
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok {
					used[x.Name] = true
				}
			}
			return true
		})
	}
	if !cut {
		return nil, nil
	}
	for i := len(f.Imports) - 1; i >= 0; i-- {
		spec := f.Imports[i]
		if name := importName(spec); name == "_" || name == "." || used[name] {
			continue
		}
		path := fset.Position(spec.Path.Pos()).Offset
		if spec.Name != nil {
			erase(spec.Name.Pos(), spec.Name.End())
		}
		text = append(text[:path], append([]byte("_ "), text[path:]...)...)
	}
	return text, nil
}

// importName returns the name by which a file of the standard library refers to an
// import.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	name := path.Base(p)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(path.Dir(p)) // math/rand/v2
	}
	return name
}
