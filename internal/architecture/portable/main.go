// Portable reports whether the project compiles for another platform, as far as a type checker can tell:
//
//	go run ./internal/architecture/portable -os windows -arch amd64
//
// It checks the packages of the main module with their tests, and lists them as the go command does there.
// Nothing is compiled, as go vet would have all that is imported compiled: of packages that are not in the
// module, only declarations are checked.
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	goos := flag.String("os", "", "operating `system`")
	goarch := flag.String("arch", "", "`architecture`")
	flag.Parse()
	wrong, err := check(".", *goos, *goarch)
	for _, w := range wrong {
		fmt.Fprintln(os.Stderr, w)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "portable:", err)
	}
	if err != nil || len(wrong) > 0 {
		os.Exit(1)
	}
}

// check returns what is wrong with the packages of the module in dir on a platform.
func check(dir, goos, goarch string) (wrong []string, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule |
			packages.NeedSyntax | packages.NeedTypes,
		Dir:   dir,
		Tests: true,
		Env:   append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
		ParseFile: func(fset *token.FileSet, name string, text []byte) (*ast.File, error) {
			f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
			if f != nil && !strings.HasPrefix(name, dir+string(filepath.Separator)) {
				dropBodies(f)
			}
			return f, err
		},
	}, "./...")
	if err != nil {
		return nil, err
	}
	packages.Visit(loaded, nil, func(p *packages.Package) {
		if p.Module == nil || !p.Module.Main || strings.HasSuffix(p.ID, ".test") {
			return // without bodies, which may be what an import is for, or generated
		}
		for _, e := range p.Errors {
			wrong = append(wrong, e.Error())
		}
	})
	return wrong, nil
}

// dropBodies removes the bodies of the functions of a file.
func dropBodies(f *ast.File) {
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			d.Body = nil
		}
	}
}
