package vmtest

import (
	"io"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// Load loads packages with the models of the standard library.
func Load(tb testing.TB, cfg load.Config) *load.Result {
	tb.Helper()
	r, err := golib.Load(tb.Context(), cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// Boot returns a new machine at the start of a target. The program's output goes to
// output, if that is not nil.
func Boot(tb testing.TB, prog *code.Program, entry vm.Entry, settings run.Settings, output io.Writer) *vm.Machine {
	tb.Helper()
	m := vm.New(prog, expr.NewArena(), run.NewNames(), settings)
	if output != nil {
		m.Output = output
	}
	if _, err := m.Boot(tb.Context(), entry); err != nil {
		tb.Fatalf("booting: %v", err)
	}
	return m
}

// Function returns the entry of a function without parameters.
func Function(pkg *ssa.Package, name string) vm.Entry {
	return vm.Entry{Inits: []*ssa.Package{pkg}, Func: pkg.Func(name)}
}

// Target returns the entry of a target of package testing: the function in the model of
// that package that starts a target of its kind.
func Target(r *load.Result, target *load.Target) vm.Entry {
	starts := map[load.TargetKind]string{
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
		Func:  r.Prog.ImportedPackage("testing").Func(starts[target.Kind]),
		Args:  args,
	}
}
