package con2colic

import (
	"fmt"
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

// boot returns a machine at the start of the main function of a program of one
// file.
func boot(t *testing.T, file string) *vm.Machine {
	t.Helper()
	overlay, err := golib.Overlay(runtime.GOROOT())
	if err != nil {
		t.Fatal(err)
	}
	r, err := load.Load(t.Context(), load.Config{Patterns: []string{file}, Overlay: overlay})
	if err != nil {
		t.Fatal(err)
	}
	m := vm.New(code.NewProgram(r.Prog, r.Sizes, nil, nil), expr.NewArena(), vm.NewNames(),
		vm.Limits{Instructions: 1 << 24, Depth: 1000})
	pkg := r.Packages[0].SSA
	pkg.Build()
	if trace, err := m.Boot(t.Context(), vm.Entry{Inits: []*ssa.Package{pkg}, Func: pkg.Func("main")}); err != nil {
		t.Fatalf("%v: %s", err, trace.Message)
	}
	return m
}

// The programs in testdata/machine panic with "degree k" where k interferences
// lead: on the machine, the search finds each panic at that degree.
func TestMachine(t *testing.T) {
	files, err := filepath.Glob("testdata/machine/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			m := boot(t, file)
			found := map[string]int{}
			c := New(Default(2))
			runs := 0
			for ; ; runs++ {
				job, err := c.Next()
				if err != nil {
					t.Fatal(err)
				}
				if job == nil {
					break
				}
				if runs == 500 {
					t.Fatalf("no end after %d runs", runs)
				}
				s := c.scenario
				trace, err := m.Run(t.Context(), job.Plan, job.Scheduler)
				if err != nil {
					t.Fatal(err)
				}
				if trace.Outcome == vm.Unsupported {
					t.Fatal(trace.Message)
				}
				for _, f := range trace.Findings {
					if _, ok := found[f.Message]; !ok && s != nil && f.Kind != vm.Leak {
						found[f.Message] = s.degree
					}
				}
				if err := c.Learn(job, trace, m.Arena); err != nil {
					t.Fatal(err)
				}
			}
			for k := 1; k <= 2; k++ {
				message := fmt.Sprintf("panic: degree %d", k)
				if d, ok := found[message]; !ok || d != k {
					t.Errorf("%s: found %v at degree %d; all: %v", message, ok, d, found)
				}
			}
			t.Logf("%d runs, %d candidates, open %v, found %v", runs, c.Status().Candidates, c.Status().Open, found)
		})
	}
}
