// Package codetest helps to test the packages of compiled code.
//
// [Compile] loads a package from its text. [Golden] compares what is made of the
// functions of a test's files with golden files, and [CompareGolden] any text with one.
package codetest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/sample"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Compile returns a program with the package that has the given source text, in which
// branches are counted.
func Compile(t testing.TB, text string) (*code.Program, *load.Package) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.26\n", "p.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := load.Load(t.Context(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return compile.NewProgram(r.Prog, r.Sizes, func(pkg *ssa.Package) bool { return pkg == r.Packages[0].SSA }, nil), r.Packages[0]
}

// Functions returns all functions with source in pkg, sorted by name.
func Functions(r *load.Result, pkg *load.Package) []*ssa.Function {
	pkg.SSA.Build()
	var list []*ssa.Function
	for fn := range ssautil.AllFunctions(r.Prog) {
		if fn.Package() == pkg.SSA && fn.TypeParams().Len() == len(fn.TypeArgs()) {
			list = append(list, fn)
		}
	}
	slices.SortFunc(list, func(a, b *ssa.Function) int { return strings.Compare(a.String(), b.String()) })
	return list
}

// Golden compiles the functions of the Go files in dir and compares what text returns
// for each with the golden file beside the Go file. The flag -update rewrites those.
func Golden(t *testing.T, dir string, text func(*code.Program, *code.Func) string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range sample.From(files, len(files), 2) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			r, err := load.Load(t.Context(), load.Config{Patterns: []string{file}})
			if err != nil {
				t.Fatal(err)
			}
			p := compile.NewProgram(r.Prog, r.Sizes, nil, nil)
			var out strings.Builder
			for _, fn := range Functions(r, r.Packages[0]) {
				if fn.Synthetic != "" && fn.Syntax() == nil {
					continue
				}
				f := p.Func(fn)
				if err := code.Sanity(f); err != nil {
					t.Error(err)
				}
				fmt.Fprintln(&out, text(p, f))
			}
			CompareGolden(t, strings.TrimSuffix(file, ".go")+".golden", out.String())
		})
	}
}

// CompareGolden compares a text with a golden file, which the flag -update rewrites.
func CompareGolden(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("differs from %s (rewrite it with -update):\n%s", golden, got)
	}
}
