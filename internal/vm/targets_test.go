package vm_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/golib"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// loadTargets loads packages with their tests and the models.
func loadTargets(t *testing.T, cfg load.Config) (*load.Result, *code.Program) {
	t.Helper()
	cfg.Tests = true
	r := vmtest.Load(t, cfg)
	return r, compile.NewProgram(r.Prog, r.Sizes, nil, r.Standard)
}

// ownTargets has the targets of testdata/testing, loaded once for all tests.
var ownTargets = sync.OnceValues(func() (*load.Result, error) {
	return golib.Load(context.Background(), load.Config{Dir: "testdata/testing", Tests: true})
})

func loadOwnTargets(t *testing.T) (*load.Result, *code.Program) {
	t.Helper()
	r, err := ownTargets()
	if err != nil {
		t.Fatal(err)
	}
	return r, compile.NewProgram(r.Prog, r.Sizes, nil, r.Standard)
}

// The targets of testdata/testing go as go test has them go. The expected file
// holds for each target what it logs, the findings with the line and the subtest that they
// are attributed to, and the outcome.
func TestTargets(t *testing.T) {
	if testing.Short() {
		t.Skip("boots a machine for each target")
	}
	r, prog := loadOwnTargets(t)
	var out strings.Builder
	for _, target := range r.Targets() {
		fmt.Fprintf(&out, "%s\n", target.Name)
		targetRunner(t, prog, r, &target).runTarget(t, &out, r)
	}
	const golden = "testdata/testing/expected.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, out.String(), string(want))
}

// The tests of testdata/process, about what a program can see of its process, pass in the
// machine as they do natively.
func TestProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("boots a machine for each target")
	}
	t.Run("native", func(t *testing.T) {
		if out, err := exec.Command("go", "test", "./testdata/process").CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	r, prog := loadTargets(t, load.Config{Dir: "testdata/process"})
	for _, target := range r.Targets() {
		t.Run(target.Name, func(t *testing.T) {
			trace, _ := targetRunner(t, prog, r, &target).run(t, &run.Plan{}, run.NonPreemptive{})
			for _, f := range check.Judge(trace) {
				if f.Kind != check.Leak || target.Name != "TestStackForEver" {
					t.Errorf("%v: %s", f.Kind, f.Message)
				}
			}
			if trace.Outcome != run.Finished {
				t.Errorf("%v: %s", trace.Outcome, trace.Message)
			}
		})
	}
}

// A machine that has been booted for one target can be sent to others, where it goes
// as one that was booted for them.
func TestRetarget(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all targets")
	}
	r, prog := loadOwnTargets(t)
	targets := r.Targets()
	m := targetRunner(t, prog, r, &targets[0])
	for _, i := range []int{len(targets) - 1, 0, len(targets) / 2, 1, 1} {
		m.retarget(t, r, &targets[i])
		var got, want strings.Builder
		m.runTarget(t, &got, r)
		targetRunner(t, prog, r, &targets[i]).runTarget(t, &want, r)
		compareLines(t, got.String(), want.String())
	}
}

// targetRunner returns a machine at the start of a target.
func targetRunner(t *testing.T, prog *code.Program, r *load.Result, target *load.Target) *runner {
	t.Helper()
	return newRunner(t, prog, vmtest.Target(r, target), run.Settings{Limits: run.Limits{Instructions: 1 << 24}})
}

// retarget sends the machine to the start of another target.
func (m *runner) retarget(t *testing.T, r *load.Result, target *load.Target) {
	t.Helper()
	if err := m.Retarget(vmtest.Target(r, target)); err != nil {
		t.Fatal(err)
	}
}

// runTarget runs the machine's target once and writes what came of it.
func (m *runner) runTarget(t *testing.T, out *strings.Builder, r *load.Result) {
	t.Helper()
	trace, _ := m.run(t, &run.Plan{}, run.NonPreemptive{})
	subtests := make(map[run.SiteID]string) // of test failures
	for _, f := range trace.TestFailures {
		if strings.Contains(f.Test, "/") && !strings.HasPrefix(f.Message, f.Test) {
			subtests[f.Site] = f.Test + ": "
		}
	}
	for line := range strings.Lines(m.out.String()) {
		fmt.Fprintf(out, "\tlog %s\n", strings.TrimSpace(line))
	}
	show := func(kind check.Kind, site run.SiteID, message string) {
		_, pos := m.Site(site)
		if kind == check.TestFailure {
			message = subtests[site] + message
		}
		fmt.Fprintf(out, "\t%v at line %d: %q\n", kind, r.Fset.Position(pos).Line, message)
	}
	for _, f := range check.Judge(trace) {
		if f.Again {
			continue // natively there is no line for it
		}
		show(f.Kind, f.Site, f.Message)
		if f.Kind != check.TestFailure {
			continue
		}
		// Failures at the same place are one finding.
		for _, other := range trace.TestFailures {
			if !other.Again && other.Site == f.Site && other.Message != f.Message {
				show(f.Kind, other.Site, other.Message)
			}
		}
	}
	for _, seed := range trace.Seeds {
		var names []string
		for name, value := range seed {
			names = append(names, fmt.Sprintf("%s=%d", name, int64(value)))
		}
		slices.Sort(names)
		fmt.Fprintf(out, "\tseed %s\n", strings.Join(names, " "))
	}
	fmt.Fprintf(out, "\t%v", trace.Outcome)
	if trace.Skipped {
		out.WriteString(", skipped")
	}
	if trace.Message != "" {
		fmt.Fprintf(out, ": %s", trace.Message)
	}
	out.WriteString("\n")
}
