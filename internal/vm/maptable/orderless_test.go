package maptable

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/vm/golib"
)

// The functions that are listed exist, so that none of them goes by another name in this
// version of the library, and they have loops.
func TestOrderlessExist(t *testing.T) {
	loops := make(map[string]map[string]bool) // by package, whether its functions have loops
	for name := range orderless {
		slash := strings.LastIndexByte(name, '/') + 1
		pkg := name[:slash+strings.IndexByte(name[slash:], '.')]
		if loops[pkg] == nil {
			loops[pkg] = loopsIn(t, pkg)
		}
		if has, exists := loops[pkg][name]; !exists {
			t.Errorf("there is no function %s", name)
		} else if !has && pkg != "maps" && pkg != "slices" {
			t.Errorf("%s has no loop", name)
		}
	}
}

// loopsIn returns the functions of a package of the standard library, as the machine runs
// it, and whether they have loops.
func loopsIn(t *testing.T, pkg string) map[string]bool {
	t.Helper()
	dir := filepath.Join(runtime.GOROOT(), "src", pkg)
	files, err := golib.Library{}.Package(runtime.GOROOT(), pkg)
	if err != nil {
		t.Fatal(err)
	}
	originals, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range originals {
		if _, replaced := files[name]; replaced || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if files[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	loops := make(map[string]bool)
	for name, text := range files {
		if text == nil {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				ast.Inspect(fn, func(n ast.Node) bool {
					switch n.(type) {
					case *ast.FuncDecl:
						loops[pkg+"."+receiver(fn)+fn.Name.Name] = false
					case *ast.RangeStmt, *ast.ForStmt:
						loops[pkg+"."+receiver(fn)+fn.Name.Name] = true
					}
					return true
				})
			}
		}
	}
	return loops
}

// receiver returns the receiver of a method as it is in the name of the function, with a dot
// at the end.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	typ := fn.Recv.List[0].Type
	star, pointer := typ.(*ast.StarExpr)
	if pointer {
		typ = star.X
	}
	switch x := typ.(type) {
	case *ast.IndexExpr:
		typ = x.X
	case *ast.IndexListExpr:
		typ = x.X
	}
	name := typ.(*ast.Ident).Name
	if pointer {
		return "(*" + name + ")."
	}
	return name + "."
}

func TestOrderless(t *testing.T) {
	for name, want := range map[string]bool{
		"slices.Sorted[...]":                true,
		"maps.Collect[...].func1":           true,
		"maps.Clone":                        true,
		"net/http.Header.Clone":             true,
		"net/http.(*mapping[...]).eachPair": true,
		"context.(*cancelCtx).cancel":       false,
		"slices.Collect[...]":               false,
	} {
		if got := Orderless(name); got != want {
			t.Errorf("Orderless(%q) = %v", name, got)
		}
	}
}
