package vm_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

var updateReflect = flag.Bool("update-reflect", false, "rewrite the expected output of testdata/reflect with what native runs print")

// The programs in testdata/reflect print the same in the machine as natively.
func TestReflect(t *testing.T) {
	files, err := filepath.Glob("testdata/reflect/*.go")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no programs")
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		t.Run(name, func(t *testing.T) {
			golden := strings.TrimSuffix(file, ".go") + ".out"
			if *updateReflect {
				out, err := exec.Command("go", "run", file).CombinedOutput()
				if err != nil {
					t.Fatalf("go run: %v\n%s", err, out)
				}
				if err := os.WriteFile(golden, out, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			got := runMain(t, file)
			w, g := strings.Split(string(want), "\n"), strings.Split(got, "\n")
			wrong := 0
			for i := range max(len(w), len(g)) {
				var wl, gl string
				if i < len(w) {
					wl = w[i]
				}
				if i < len(g) {
					gl = g[i]
				}
				if wl != gl {
					t.Errorf("line %d:\n%s\nnatively:\n%s", i+1, gl, wl)
					if wrong++; wrong == 20 {
						break
					}
				}
			}
		})
	}
}

// runMain runs the main function of a program of one file in the machine and
// returns what it prints.
func runMain(t *testing.T, file string) string {
	t.Helper()
	models, err := golib.Overlay(runtime.GOROOT())
	if err != nil {
		t.Fatal(err)
	}
	r, err := load.Load(t.Context(), load.Config{Patterns: []string{file}, Overlay: models})
	if err != nil {
		t.Fatal(err)
	}
	prog := code.NewProgram(r.Prog, r.Sizes, nil, nil)
	m := vm.New(prog, expr.NewArena(), vm.NewNames(), vm.Limits{Instructions: 1 << 30})
	var out bytes.Buffer
	m.Output = &out
	pkg := r.Packages[0].SSA
	pkg.Build()
	if trace, err := m.Boot(context.Background(), vm.Entry{Inits: []*ssa.Package{pkg}, Func: pkg.Func("main")}); err != nil {
		t.Fatalf("%v %+v", err, trace)
	}
	trace, err := m.Run(t.Context(), &vm.Plan{}, vm.RunOn{})
	if err != nil {
		t.Fatal(err)
	}
	if trace.Outcome != vm.Finished || len(trace.Findings) > 0 {
		t.Errorf("outcome %v: %s %+v", trace.Outcome, trace.Message, trace.Findings)
	}
	return out.String()
}
