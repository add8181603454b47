package static_test

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/meter"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// The programs of the machine's own tests, loaded once.
var programs = sync.OnceValues(func() (*vmtest.Programs, error) {
	files, err := filepath.Glob("../vm/testdata/run/*.go")
	if err != nil {
		return nil, err
	}
	return vmtest.LoadPrograms(files)
})

// TestRuns compares what the machine does with what the analysis says that it may do.
func TestRuns(t *testing.T) {
	p, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../vm/testdata/run/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range sample.From(files, len(files)/2, 6) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) { compare(t, p, file) })
	}
}

func compare(t *testing.T, p *vmtest.Programs, file string) {
	entry := vmtest.Function(p.Packages[file].SSA, "main")
	primitives := vm.PrimitiveNames()
	a, err := static.New(t.Context(), static.Config{
		Code:      p.Code,
		Roots:     []*ssa.Function{p.Code.SSA.ImportedPackage("runtime").Func("init"), entry.Inits[0].Func("init"), entry.Func},
		Primitive: func(name string) bool { return primitives[name] },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Calls().Sanity(); err != nil {
		t.Fatal(err)
	}
	m := vm.New(p.Code, expr.NewArena(), run.NewNames(), run.Settings{Limits: run.Limits{Instructions: 1 << 22, Depth: 10000}})
	counter := meter.New(1, func() time.Duration { return 0 })
	counter.Start()
	m.SetMeter(counter)
	if _, err := m.Boot(t.Context(), entry); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := m.Run(t.Context(), &run.Plan{}, run.NonPreemptive{}); err != nil {
			t.Fatal(err)
		}
	}
	calls := 0
	m.Meter.Collect(func(at meter.Stack, _ meter.Cost) {
		frames := m.Meter.Frames(at)
		for i, site := range frames {
			callee := m.Funcs[site.Func].Func
			if i+1 < len(frames) {
				calls++
				if !deferred(a, m, frames[i+1:], callee) {
					checkCall(t, a, m.Funcs[frames[i+1].Func].Func, int(frames[i+1].Instr), callee)
				}
			} else if a.Calls().OfCode(callee) == nil {
				t.Errorf("%s runs, and is not in the graph", callee.Name)
			}
		}
	})
	if calls == 0 {
		t.Error("no calls were seen")
	}
	t.Logf("%d calls", calls)
}

// deferred reports whether one of the frames may have deferred a call of callee: if the innermost one panics, it is what calls it.
func deferred(a *static.Analysis, m *vm.Machine, frames []run.SiteID, callee *code.Func) bool {
	to := a.Calls().OfCode(callee)
	for _, f := range frames {
		n := a.Calls().OfCode(m.Funcs[f.Func].Func)
		if n == nil {
			continue
		}
		if slices.Contains(m.Funcs[f.Func].Builtins, callee) {
			return true
		}
		for _, s := range a.Calls().Deferred(n) {
			if slices.Contains(s.Callees(), to) {
				return true
			}
		}
	}
	return false
}

// checkCall checks that a call that a run has made is in the graph.
func checkCall(t *testing.T, a *static.Analysis, caller *code.Func, pc int, callee *code.Func) {
	t.Helper()
	if slices.Contains(caller.Builtins, callee) || callee.SSA == nil || caller.Body == nil && caller.SSA == callee.SSA {
		return // a builtin function, nil, or a method that a wrapper of the machine's has given its receiver
	}
	from, to := a.Calls().OfCode(caller), a.Calls().OfCode(callee)
	if from == nil || to == nil {
		t.Errorf("%s calls %s: not both are in the graph", caller.Name, callee.Name)
		return
	}
	sites := from.Sites
	instr := caller.Instr(pc)
	switch instr := instr.(type) {
	case ssa.CallInstruction:
		if sites = nil; from.SiteOf(instr) != nil {
			sites = []*callgraph.Site{from.SiteOf(instr)}
		}
	default:
		sites = append(sites[:len(sites):len(sites)], a.Calls().Machine.Sites...) // what prints the value of a panic
	}
	for _, s := range sites {
		if slices.Contains(s.Callees(), to) {
			return
		}
	}
	t.Errorf("%s calls %s at %v: no such call", caller.Name, callee.Name, instr)
}
