package vm_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

var update = flag.Bool("update", false, "rewrite the expected output of testdata/run with what native runs print")

// loadProgram loads a program of one file.
func loadProgram(tb testing.TB, file string) *load.Result {
	tb.Helper()
	r, err := golib.Load(tb.Context(), load.Config{Patterns: []string{file}})
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// boot returns a machine at the start of the main function of a program.
func boot(tb testing.TB, r *load.Result, out *bytes.Buffer, limits run.Limits) *vm.Machine {
	tb.Helper()
	return bootPackage(tb, r, r.Packages[0], out, limits)
}

// bootPackage is boot for one of several programs that were loaded together.
func bootPackage(tb testing.TB, r *load.Result, p *load.Package, out *bytes.Buffer, limits run.Limits) *vm.Machine {
	tb.Helper()
	m := vm.New(compile.NewProgram(r.Prog, r.Sizes, nil, nil), expr.NewArena(), run.NewNames(), run.Settings{Limits: limits})
	if out != nil {
		m.Output = out
	}
	p.SSA.Build()
	trace, err := m.Boot(context.Background(), vm.Entry{Inits: []*ssa.Package{p.SSA}, Func: p.SSA.Func("main")})
	if err != nil {
		tb.Fatalf("%v\n%+v", err, trace)
	}
	return m
}

// loadTogether loads programs of one file each, as packages in directories of
// their own that exist in the overlay only, so that what they import is loaded
// once. The packages are in the order of the files.
func loadTogether(t *testing.T, files []string) (*load.Result, []*load.Package) {
	t.Helper()
	overlay := make(map[string][]byte)
	var patterns []string
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		dir, err := filepath.Abs(filepath.Join("testdata", "together", strings.ReplaceAll(strings.TrimSuffix(file, ".go"), string(filepath.Separator), "_")))
		if err != nil {
			t.Fatal(err)
		}
		overlay[filepath.Join(dir, filepath.Base(file))] = src
		patterns = append(patterns, dir)
	}
	r, err := golib.Load(t.Context(), load.Config{Patterns: patterns, Overlay: overlay})
	if err != nil {
		t.Fatal(err)
	}
	byDir := make(map[string]*load.Package)
	for _, p := range r.Packages {
		byDir[p.Dir] = p
	}
	var pkgs []*load.Package
	for _, dir := range patterns {
		pkgs = append(pkgs, byDir[dir])
	}
	return r, pkgs
}

// The programs in testdata/run print the same, and end the same way, in the
// machine as natively.
func TestRun(t *testing.T) {
	files, err := filepath.Glob("testdata/run/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	r, pkgs := loadTogether(t, files)
	for i, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		t.Run(name, func(t *testing.T) {
			golden := strings.TrimSuffix(file, ".go") + ".out"
			if *update {
				if err := os.WriteFile(golden, []byte(native(t, file)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			m := bootPackage(t, r, pkgs[i], &out, run.Limits{Instructions: 1 << 28, Depth: 10000})
			for range 2 { // the second run starts from the rewound state
				out.Reset()
				trace, err := m.Run(t.Context(), &run.Plan{}, run.NonPreemptive{})
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range check.Judge(trace) {
					out.WriteString(f.Message + "\n")
				}
				if trace.Outcome != run.Finished && trace.Outcome != run.Failed {
					t.Errorf("outcome %v: %s", trace.Outcome, trace.Message)
				}
				compareLines(t, out.String(), string(want))
			}
		})
	}
}

// native returns what a program prints when it is run by the go command: the
// output and the lines with which it crashes.
func native(t *testing.T, file string) string {
	bin := filepath.Join(t.TempDir(), "prog")
	if out, err := exec.Command("go", "build", "-o", bin, file).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	// The exit code says no more than the output does.
	out, _ := exec.Command(bin).CombinedOutput()
	text := string(out)
	if i := strings.Index(text, "\ngoroutine "); i >= 0 {
		text = text[:i]
	}
	if i := strings.Index(text, "[signal "); i >= 0 {
		text = text[:i]
	}
	return strings.TrimRight(text, "\n") + "\n"
}

func compareLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(strings.TrimRight(got, "\n"), "\n"), strings.Split(strings.TrimRight(want, "\n"), "\n")
	wrong := 0
	for i := range max(len(g), len(w)) {
		var gl, wl string
		if i < len(g) {
			gl = g[i]
		}
		if i < len(w) {
			wl = w[i]
		}
		if gl != wl {
			t.Errorf("line %d: %s\n  natively: %s", i+1, gl, wl)
			if wrong++; wrong == 12 {
				return
			}
		}
	}
}
