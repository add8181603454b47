package program

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/schedule"
)

// ParallelTests returns, for each test binary of which targets has several tests, a target
// that is all of them together, unless no code that they could call mentions T.Parallel.
func (p *Program) ParallelTests(targets []load.Target) []load.Target {
	var binaries []string
	tests := make(map[string][]load.Target)
	for _, t := range targets {
		if t.Kind != load.TargetTest {
			continue
		}
		b := t.Package.Binary()
		if tests[b] == nil {
			binaries = append(binaries, b)
		}
		tests[b] = append(tests[b], t)
	}
	mentions := p.mentionsParallel()
	var list []load.Target
	for _, b := range binaries {
		if slices.ContainsFunc(tests[b], func(t load.Target) bool { return mentions(t.Package.Types) }) && len(tests[b]) > 1 {
			list = append(list, Together(tests[b]))
		}
	}
	return list
}

// Together returns the target that is tests of one test binary together.
func Together(tests []load.Target) load.Target {
	return load.Target{Kind: load.TargetParallel, Name: togetherName(tests), Package: tests[0].Package, Tests: tests}
}

// maxNamed is the number of tests in the name of a target that is several: the name is also
// that of files.
const maxNamed = 3

// togetherName returns TestA+TestB+TestC, or TestA+TestB+TestC+7 if there are seven more.
func togetherName(tests []load.Target) string {
	names := testNames(tests)
	if more := len(names) - maxNamed; more > 0 {
		names = append(names[:maxNamed], fmt.Sprint(more))
	}
	return strings.Join(names, "+")
}

// testNames returns the names of tests.
func testNames(tests []load.Target) []string {
	var names []string
	for i := range tests {
		names = append(names, tests[i].Name)
	}
	return names
}

// mentionsParallel returns a function that reports whether a package, or one outside the
// standard library that it imports, uses a function called Parallel.
func (p *Program) mentionsParallel() func(*types.Package) bool {
	packages := make(map[*types.Package]*load.Package)
	for _, pkg := range p.All {
		packages[pkg.Types] = pkg
	}
	known := make(map[*types.Package]bool)
	var mentions func(t *types.Package) bool
	mentions = func(t *types.Package) bool {
		found, ok := known[t]
		pkg := packages[t]
		if ok || pkg == nil || pkg.Standard {
			return found
		}
		known[t] = false // until it is known; imports have no cycles
		for _, obj := range pkg.Info.Uses {
			if _, isFunc := obj.(*types.Func); isFunc && obj.Name() == "Parallel" {
				found = true
				break
			}
		}
		known[t] = found || slices.ContainsFunc(t.Imports(), mentions)
		return known[t]
	}
	return mentions
}

// recordedParallel returns the target of a recorded run of several tests.
func (p *Program) recordedParallel(targets []load.Target, r *schedule.Run) (*load.Target, error) {
	var tests []load.Target
	for _, want := range r.Tests {
		i := slices.IndexFunc(targets, func(t load.Target) bool {
			return t.Kind == load.TargetTest && t.Package.Path == want.Package && t.Name == want.Name
		})
		if i < 0 {
			return nil, fmt.Errorf("no test %s in package %s", want.Name, want.Package)
		}
		tests = append(tests, targets[i])
	}
	if len(tests) == 0 {
		return nil, fmt.Errorf("the run of %s names no tests", r.Target)
	}
	t := Together(tests)
	return &t, nil
}

// seenPackages are the packages of the standard library whose own variables tests can notice
// that others change: by setting the default logger or registering a flag, for example. Those
// of the other packages are caches, pools, tables made when they are first needed, open files
// and what is like them.
var seenPackages = map[string]bool{
	"database/sql": true, "encoding/gob": true, "expvar": true, "flag": true, "image": true,
	"log": true, "log/slog": true, "mime": true, "net/http": true,
}

// Private reports whether g is a variable of the standard library such that tests do not
// notice that others change what it refers to nor, unless it is Settable, the variable. That
// does not hold for the environment.
func (p *Program) Private(g *ssa.Global) bool {
	path := g.Pkg.Pkg.Path()
	tested := slices.ContainsFunc(p.Packages, func(pkg *load.Package) bool { return pkg.SSA == g.Pkg })
	return p.Standard(g.Pkg) && !tested && !seenPackages[path] && !(path == "syscall" && strings.HasPrefix(g.Name(), "env"))
}

// Settable reports whether any package can set g, such as os.Stdout.
func (p *Program) Settable(g *ssa.Global) bool { return token.IsExported(g.Name()) }
