package vm_test

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// The targets of testdata/testing go as go test has them go. The expected file
// holds for each target what it logs, the findings with the line they are
// attributed to, and the outcome.
func TestTargets(t *testing.T) {
	if testing.Short() {
		t.Skip("boots a machine for each target")
	}
	overlay, err := golib.Overlay(runtime.GOROOT())
	if err != nil {
		t.Fatal(err)
	}
	r, err := load.Load(t.Context(), load.Config{Patterns: []string{"./testdata/testing"}, Tests: true, Overlay: overlay})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	prog := code.NewProgram(r.Prog, r.Sizes, nil, standard)
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

// runTarget runs a target once and writes what came of it. It returns the machine.
func runTarget(t *testing.T, out *strings.Builder, prog *code.Program, r *load.Result, target *load.Target) *vm.Machine {
	t.Helper()
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
	var log bytes.Buffer
	m := vm.New(prog, expr.NewArena(), vm.NewNames(), vm.Limits{Instructions: 1 << 24})
	m.Output = &log
	if _, err := m.Boot(t.Context(), vm.Entry{
		Inits: []*ssa.Package{target.Package.SSA},
		Func:  r.Prog.ImportedPackage("testing").Func(entries[target.Kind]),
		Args:  args,
	}); err != nil {
		t.Fatal(err)
	}
	trace, err := m.Run(t.Context(), &vm.Plan{}, vm.RunOn{})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(log.String()) {
		fmt.Fprintf(out, "\tlog %s\n", strings.TrimSpace(line))
	}
	for _, f := range trace.Findings {
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
	return m
}

// standard reports whether a package has no module's import path.
func standard(p *ssa.Package) bool { return !strings.Contains(p.Pkg.Path(), ".") }
