package main

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"strings"

	list "github.com/everyway-go/everyway/bench/internal/reasons"
)

// reasonsText says why tests and files differ: "strings.TestX" or "strings/x_test.go". A file
// is left out of what the machine loads, and the reason is that of every test in it.
//
//go:embed reasons.txt
var reasonsText string

// reasons say why tests are expected to differ.
type reasons struct {
	tests map[string]string   // by "package.Test"
	files map[string][]string // left out, by package
}

// readReasons reads reasons.txt.
func readReasons() (*reasons, error) {
	r, err := parseReasons(reasonsText)
	if err != nil {
		return nil, fmt.Errorf("reasons.txt: %w", err)
	}
	return r, nil
}

// parseReasons reads reasons.
func parseReasons(text string) (*reasons, error) {
	entries, err := list.Parse(text)
	if err != nil {
		return nil, err
	}
	r := &reasons{tests: make(map[string]string), files: make(map[string][]string)}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name, ".go") {
			r.tests[e.Name] = e.Reason
			continue
		}
		pkg, file := filepath.Split(e.Name)
		pkg = strings.TrimSuffix(pkg, "/")
		r.files[pkg] = append(r.files[pkg], file)
		names, err := testsIn(filepath.Join(runtime.GOROOT(), "src", e.Name))
		if err != nil {
			return nil, fmt.Errorf("reading a file that is left out: %w", err)
		}
		for _, name := range names {
			r.tests[pkg+"."+name] = e.Reason
		}
	}
	return r, nil
}

// testsIn returns the names of the tests, examples and fuzz tests in a file.
func testsIn(file string) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil {
			continue
		}
		for _, prefix := range []string{"Test", "Example", "Fuzz"} {
			if strings.HasPrefix(fn.Name.Name, prefix) {
				names = append(names, fn.Name.Name)
			}
		}
	}
	return names, nil
}
