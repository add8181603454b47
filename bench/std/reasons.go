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
)

// reasonsText says why tests differ. A line that begins with '=' gives a reason, for the
// tests and files in the lines that follow: "strings.TestX" or "strings/x_test.go". A file
// is left out of what the machine loads, and the reason is that of every test in it.
// '#' begins a comment.
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
	r := &reasons{tests: make(map[string]string), files: make(map[string][]string)}
	reason := ""
	for text := range strings.Lines(reasonsText) {
		text, _, _ = strings.Cut(text, "#")
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		if after, ok := strings.CutPrefix(text, "="); ok {
			reason = strings.TrimSpace(after)
			continue
		}
		if reason == "" {
			return nil, fmt.Errorf("reasons.txt: %s has no reason", text)
		}
		if !strings.HasSuffix(text, ".go") {
			r.tests[text] = reason
			continue
		}
		pkg, file := filepath.Split(text)
		pkg = strings.TrimSuffix(pkg, "/")
		r.files[pkg] = append(r.files[pkg], file)
		names, err := testsIn(filepath.Join(runtime.GOROOT(), "src", text))
		if err != nil {
			return nil, fmt.Errorf("reasons.txt: %w", err)
		}
		for _, name := range names {
			r.tests[pkg+"."+name] = reason
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
