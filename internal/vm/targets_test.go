package vm_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// loadTargets loads packages with their tests and the models.
func loadTargets(t *testing.T, cfg load.Config) (*load.Result, *code.Program) {
	t.Helper()
	cfg.Tests = true
	r, err := golib.Load(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r, compile.NewProgram(r.Prog, r.Sizes, nil, r.Standard)
}

// The targets of testdata/testing go as go test has them go. The expected file
// holds for each target what it logs, the findings with the line they are
// attributed to, and the outcome.
func TestTargets(t *testing.T) {
	if testing.Short() {
		t.Skip("boots a machine for each target")
	}
	r, prog := loadTargets(t, load.Config{Dir: "testdata/testing"})
	var out strings.Builder
	for _, target := range r.Targets() {
		fmt.Fprintf(&out, "%s\n", target.Name)
		runTarget(t, &out, prog, r, &target)
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

// A machine that has been booted for one target can be sent to others, where it goes
// as one that was booted for them.
func TestRetarget(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all targets")
	}
	r, prog := loadTargets(t, load.Config{Dir: "testdata/testing"})
	targets := r.Targets()
	m := targetRunner(t, prog, r, &targets[0])
	for _, i := range []int{len(targets) - 1, 0, len(targets) / 2, 1, 1} {
		if err := m.Retarget(targetEntry(r, &targets[i])); err != nil {
			t.Fatal(err)
		}
		var got, want strings.Builder
		m.runTarget(t, &got, r)
		runTarget(t, &want, prog, r, &targets[i])
		compareLines(t, got.String(), want.String())
	}
}

// targetRunner returns a machine at the start of a target.
func targetRunner(t *testing.T, prog *code.Program, r *load.Result, target *load.Target) *runner {
	t.Helper()
	m := &runner{Machine: vm.New(prog, expr.NewArena(), run.NewNames(), run.Settings{Limits: run.Limits{Instructions: 1 << 24}})}
	m.Output = &m.out
	if _, err := m.Boot(t.Context(), targetEntry(r, target)); err != nil {
		t.Fatal(err)
	}
	return m
}

// targetEntry says where a machine starts a target.
func targetEntry(r *load.Result, target *load.Target) vm.Entry {
	entries := map[load.TargetKind]string{
		load.TargetTest: "everywayTest", load.TargetFuzz: "everywayFuzz",
		load.TargetExample: "everywayExample", load.TargetBenchmark: "everywayBench",
	}
	args := []any{target.Name, target.Func}
	if target.Kind == load.TargetExample {
		order := "ordered"
		if target.Example.Unordered {
			order = "unordered"
		}
		args = append(args, target.Example.Output, order)
	}
	return vm.Entry{
		Inits: []*ssa.Package{target.Package.SSA},
		Func:  r.Prog.ImportedPackage("testing").Func(entries[target.Kind]),
		Args:  args,
	}
}

// runTarget runs a target once and writes what came of it. It returns the machine.
func runTarget(t *testing.T, out *strings.Builder, prog *code.Program, r *load.Result, target *load.Target) *runner {
	t.Helper()
	m := targetRunner(t, prog, r, target)
	m.runTarget(t, out, r)
	return m
}

// runTarget runs the machine's target once and writes what came of it.
func (m *runner) runTarget(t *testing.T, out *strings.Builder, r *load.Result) {
	t.Helper()
	trace, _ := m.run(t, &run.Plan{}, run.NonPreemptive{})
	for line := range strings.Lines(m.out.String()) {
		fmt.Fprintf(out, "\tlog %s\n", strings.TrimSpace(line))
	}
	for _, f := range check.Judge(trace) {
		_, pos := m.Site(f.Site)
		fmt.Fprintf(out, "\t%v at line %d: %q\n", f.Kind, r.Fset.Position(pos).Line, f.Message)
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
