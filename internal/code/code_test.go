package code_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/load"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// loadStandard loads packages of GOROOT, once for all tests.
var loadStandard = sync.OnceValues(func() (*load.Result, error) {
	return load.Load(context.Background(), load.Config{Patterns: []string{"fmt", "strings", "sort", "encoding/json", "sync", "unicode/utf8"}})
})

func standard(t testing.TB) *load.Result {
	t.Helper()
	r, err := loadStandard()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// functions returns all functions with source in pkg, sorted by name.
func functions(r *load.Result, pkg *load.Package) []*ssa.Function {
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

func TestSanityOfStandardLibrary(t *testing.T) {
	r := standard(t)
	p := code.NewProgram(r.Prog, r.Sizes, func(*ssa.Package) bool { return true }, nil)
	for _, pkg := range r.Packages {
		n := 0
		for _, fn := range functions(r, pkg) {
			f := p.Func(fn)
			if err := code.Sanity(f); err != nil {
				t.Errorf("%v\n%v", err, f)
				return
			}
			n += len(f.Code)
		}
		t.Logf("%s: %d instructions", pkg.Path, n)
	}
}

// TestGolden compiles the functions of testdata/golden/*.go and compares
// what WriteTo prints.
func TestGolden(t *testing.T) {
	golden(t, "testdata/golden", func(_ *code.Program, f *code.Func) string { return f.String() })
}

// TestRegions compares the regions of the functions of testdata/regions/*.go.
func TestRegions(t *testing.T) {
	golden(t, "testdata/regions", func(p *code.Program, f *code.Func) string { return f.String() + p.Regions(f).String() })
}

// golden compiles the functions of the files in dir and compares what text gives for
// each with golden files.
func golden(t *testing.T, dir string, text func(*code.Program, *code.Func) string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			r, err := load.Load(t.Context(), load.Config{Patterns: []string{file}})
			if err != nil {
				t.Fatal(err)
			}
			p := code.NewProgram(r.Prog, r.Sizes, nil, nil)
			var out strings.Builder
			for _, fn := range functions(r, r.Packages[0]) {
				if fn.Synthetic != "" && fn.Syntax() == nil {
					continue
				}
				f := p.Func(fn)
				if err := code.Sanity(f); err != nil {
					t.Error(err)
				}
				fmt.Fprintln(&out, text(p, f))
			}
			golden := strings.TrimSuffix(file, ".go") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(out.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if out.String() != string(want) {
				t.Errorf("%s differs from %s (rewrite it with -update):\n%s", file, golden, out.String())
			}
		})
	}
}
