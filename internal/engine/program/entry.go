package program

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

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
	load.TargetContext:   "everywayContext",
}

// Entry says how the machine starts a target.
func (p *Program) Entry(t *load.Target) (vm.Entry, error) {
	if t.Kind == load.TargetParallel {
		return p.parallelEntry(t, -1)
	}
	if t.Kind == load.TargetMain {
		return vm.Entry{Inits: p.inits(t.Package), Func: t.Func}, nil
	}
	testing, err := p.testing(t)
	if err != nil {
		return vm.Entry{}, err
	}
	e := vm.Entry{Inits: p.testInits(testing, t), Globals: t.Globals}
	want, order := "", "ordered"
	if t.Example != nil {
		want = t.Example.Output
		if t.Example.Unordered {
			order = "unordered"
		}
	}
	if main := p.TestMain(t.Package); main != nil && t.Kind != load.TargetFunc && t.Kind != load.TargetContext {
		e.Func = testing.SSA.Func("everywayTestMain")
		e.Args = []any{main, t.Kind.String(), t.Name, t.Func, want, order}
		return e, nil
	}
	e.Func = testing.SSA.Func(entryFuncs[t.Kind])
	if t.Kind == load.TargetContext {
		e.Args, e.Context = []any{t.Name, len(t.Context.Stacks)}, t.Context.Context
		return e, nil
	}
	e.Args = []any{t.Name, t.Func}
	if t.Kind == load.TargetExample {
		e.Args = append(e.Args, want, order)
	}
	return e, nil
}

// testing returns package testing as the test binary of a target has it: one of a package that
// testing imports itself has a variant of its own.
func (p *Program) testing(t *load.Target) (*load.Package, error) {
	for _, imported := range load.InitOrder(t.Package.Types) {
		if imported.Path() != "testing" {
			continue
		}
		if i := slices.IndexFunc(p.All, func(pkg *load.Package) bool { return pkg.Types == imported }); i >= 0 {
			return p.All[i], nil
		}
	}
	if pkg := p.Package("testing"); pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("package testing is not loaded for %s", t.Name)
}

// testInits returns the packages whose initialisers run before a target that package testing
// starts: those of its test binary, so that they are the same for all targets of that.
func (p *Program) testInits(testing *load.Package, t *load.Target) []*ssa.Package {
	list := []*load.Package{testing}
	for _, pkg := range p.Packages {
		if pkg.Binary() == t.Package.Binary() {
			list = append(list, pkg)
		}
	}
	return p.inits(list...)
}

// inits returns packages and all that they import, in the order in which the initialisers
// run. The initialiser of a package that go/ssa makes calls those of its imports, but in the
// order in which they stand in the source.
func (p *Program) inits(of ...*load.Package) []*ssa.Package {
	var roots []*types.Package
	for _, pkg := range of {
		roots = append(roots, pkg.Types)
	}
	p.Bodies.Lock() // other machines run already
	defer p.Bodies.Unlock()
	var list []*ssa.Package
	for _, t := range load.InitOrder(roots...) {
		if pkg := p.Prog.Package(t); pkg != nil { // not unsafe
			list = append(list, pkg)
		}
	}
	return list
}

// EntryOfOne is Entry for a target that is several tests, of which only the one at
// an index is run.
func (p *Program) EntryOfOne(t *load.Target, index int) (vm.Entry, error) {
	return p.parallelEntry(t, index)
}

// parallelEntry says how the machine starts several tests or, if only is not negative,
// the one at that index.
func (p *Program) parallelEntry(t *load.Target, only int) (vm.Entry, error) {
	testing, err := p.testing(t)
	if err != nil {
		return vm.Entry{}, err
	}
	e := vm.Entry{Inits: p.testInits(testing, t), Func: testing.SSA.Func("everywayParallel")}
	var funcs []*ssa.Function
	for i := range t.Tests {
		funcs = append(funcs, t.Tests[i].Func)
	}
	e.Args = []any{strings.Join(testNames(t.Tests), ","), funcs, only}
	if main := p.TestMain(t.Package); main != nil {
		e.Func = testing.SSA.Func("everywayParallelTestMain")
		e.Args = append([]any{main}, e.Args...)
	}
	return e, nil
}
