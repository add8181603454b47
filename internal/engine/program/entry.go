package program

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/vm"
)

// entryFuncs are the functions of the model of package testing that start a
// target, by its kind.
var entryFuncs = map[load.TargetKind]string{
	load.TargetTest:      "everywayTest",
	load.TargetFuzz:      "everywayFuzz",
	load.TargetExample:   "everywayExample",
	load.TargetBenchmark: "everywayBench",
	load.TargetFunc:      "everywayCall",
}

// Entry says how the machine starts a target.
func (p *Program) Entry(t *load.Target) (vm.Entry, error) {
	e := vm.Entry{Inits: []*ssa.Package{t.Package.SSA}}
	if t.Kind == load.TargetMain {
		e.Func = t.Func
		return e, nil
	}
	testing := p.Package("testing")
	if testing == nil {
		return e, fmt.Errorf("package testing is not loaded for %s", t.Name)
	}
	e.Inits = append([]*ssa.Package{testing.SSA}, e.Inits...)
	want, order := "", "ordered"
	if t.Example != nil {
		want = t.Example.Output
		if t.Example.Unordered {
			order = "unordered"
		}
	}
	if main := p.TestMain(t.Package); main != nil && t.Kind != load.TargetFunc {
		e.Func = testing.SSA.Func("everywayTestMain")
		e.Args = []any{main, t.Kind.String(), t.Name, t.Func, want, order}
		return e, nil
	}
	e.Func = testing.SSA.Func(entryFuncs[t.Kind])
	e.Args = []any{t.Name, t.Func}
	if t.Kind == load.TargetExample {
		e.Args = append(e.Args, want, order)
	}
	return e, nil
}
