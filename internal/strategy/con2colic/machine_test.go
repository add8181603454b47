package con2colic

import (
	"context"
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// TestMachine checks, on the machine, that the search finds the panics "degree k" of the functions
// in testdata/machine at degree k. In Timeout, timers may fire at any time; elsewhere time
// passes only when nothing else can happen.
func TestMachine(t *testing.T) {
	r := vmtest.Load(t, load.Config{Patterns: []string{"./testdata/machine"}})
	pkg := r.Packages[0].SSA
	prog := compile.NewProgram(r.Prog, r.Sizes, nil, nil)
	for _, name := range slices.Sorted(maps.Keys(pkg.Members)) {
		if pkg.Func(name) == nil || !ast.IsExported(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			settings := run.Settings{Limits: run.Limits{Instructions: 1 << 24, Depth: 1000}}
			if name == "Timeout" {
				settings.Stall = run.AnyStall
			}
			found := searchMachine(t, vmtest.Boot(t, prog, vmtest.Function(pkg, name), settings, nil))
			for k := 1; k <= 2; k++ {
				message := fmt.Sprintf("panic: degree %d", k)
				if d, ok := found[message]; !ok || d != k {
					t.Errorf("%q: found %v, at degree %d; all: %v", message, ok, d, found)
				}
			}
		})
	}
}

// searchMachine runs a search to its end. It returns the degree at which each message of a
// finding first occurred.
func searchMachine(t *testing.T, m *vm.Machine) map[string]int {
	found := map[string]int{}
	c := New(Default(2))
	for runs := 0; ; runs++ {
		job, err := c.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			t.Logf("%d runs, %d candidates, open: %v", runs, c.Status().Candidates, c.Status().Open)
			return found
		}
		if runs == 500 {
			t.Fatalf("no end after %d runs", runs)
		}
		searching := c.candidate != nil
		trace, err := m.Run(t.Context(), job.Plan, job.Scheduler)
		if err != nil {
			t.Fatal(err)
		}
		if trace.Outcome == run.Unsupported {
			t.Fatal(trace.Message)
		}
		if err := c.Learn(context.Background(), job, trace, m.Arena); err != nil {
			t.Fatal(err)
		}
		for _, f := range check.Judge(trace) {
			if _, ok := found[f.Message]; !ok && searching && f.Kind != check.Leak {
				found[f.Message] = c.Degree()
			}
		}
	}
}
