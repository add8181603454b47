// Package walk has the sources of a program walk file trees by loops of its own. The functions filepath.Walk and filepath.WalkDir call themselves, and what they are
// given from several places in loops, so that nothing can be said there of what that does.
//
// [Rewrite] has a file call functions in the place of these, which do the same, and [Declare] declares them. Positions in the file stay as they are.
package walk

import (
	"bytes"
	_ "embed"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// File returns the name of the file that declares the functions in a package.
func File(pkg string) string { return "zz_everyway_" + pkg + "_walk.go" }

// Package is the import path of the package whose functions walk file trees.
const Package = "path/filepath"

// tree is the source of what walks a file tree, and calls that of the functions, with "everyway" in the place of the name under which a file imports the package.
var (
	//go:embed tree.go
	tree string
	//go:embed calls.go
	calls string
)

// functions are those of the package that are replaced.
var functions = []string{"Walk", "WalkDir"}

// Rewrite returns the text of a file with other functions in the place of those that walk file trees, where it calls these by their names, and the names under which it
// imports the package. If it does not, the text is what it was, and there are no names.
func Rewrite(text []byte) ([]byte, []string) {
	if !bytes.Contains(text, []byte(strconv.Quote(Package))) || !bytes.Contains(text, []byte(".Walk")) {
		return text, nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, 0)
	if err != nil {
		return text, nil // which the caller will see
	}
	var imported []string
	for _, spec := range f.Imports {
		if spec.Path.Value != strconv.Quote(Package) {
			continue
		}
		name := "filepath"
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name != "_" && name != "." {
			imported = append(imported, name)
		}
	}
	var names []string
	result := slices.Clone(text)
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !slices.Contains(functions, sel.Sel.Name) || sel.Sel.Pos() != sel.X.End()+1 {
			return true
		}
		// What a file imports is declared in none of its scopes.
		if x, ok := sel.X.(*ast.Ident); ok && slices.Contains(imported, x.Name) && slices.Contains(f.Unresolved, x) {
			result[fset.Position(x.End()).Offset] = '_'
			if !slices.Contains(names, x.Name) {
				names = append(names, x.Name)
			}
		}
		return true
	})
	for _, name := range names {
		result = append(result, "\nvar _ = "+name+".Clean\n"...) // it may be used no more
	}
	return result, names
}

// Imports are the import paths of what the file imports that declares the functions, besides their own package, which imports these as well.
var Imports = []string{"io/fs", "os"}

// Declare returns the file that declares the functions which the files of a package call after Rewrite, by the names that it has returned.
func Declare(pkg string, names []string) []byte {
	var b strings.Builder
	b.WriteString(strings.Replace(tree, "package walk", "package "+pkg, 1))
	_, functions, _ := strings.Cut(calls, ")\n")
	for i, name := range names {
		if !slices.Contains(names[:i], name) {
			b.WriteString(strings.ReplaceAll(functions, "everyway_Walk", name+"_Walk"))
		}
	}
	return []byte(b.String())
}

// Function returns the function of the standard library that one of [Declare] is in the place of, as filepath.Walk for filepath_Walk; "" if it is none of these, nor what they call.
func Function(name string) string {
	for _, f := range functions {
		if pkg, ok := strings.CutSuffix(name, "_"+f); ok && pkg != "" {
			return pkg + "." + f
		}
	}
	return ""
}

// IsTree reports whether a function is of those that walk a tree for the functions of [Declare], by its name in package ssa.
func IsTree(name string) bool { return strings.Contains(name, ".everywayWalk") }

// IsFile reports whether a file is one of [Declare], by its path.
func IsFile(name string) bool {
	base := name[strings.LastIndexByte(name, '/')+1:]
	return strings.HasPrefix(base, "zz_everyway_") && strings.HasSuffix(base, "_walk.go")
}

// Calls returns where files that were rewritten call a function of [Declare], by its name.
func Calls(files []*ast.File, name string) (list []token.Pos) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if id, ok := call.Fun.(*ast.Ident); ok && id.Name == name {
					list = append(list, id.Pos())
				}
			}
			return true
		})
	}
	return list
}
