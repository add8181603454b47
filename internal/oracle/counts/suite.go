package counts

import (
	"context"
	"fmt"
	"runtime"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// A Suite is a loaded package of programs: functions of an int, and a function
// run that calls one of them.
type Suite struct {
	code *code.Program
	pkg  *ssa.Package
}

// Load loads the package of programs in dir.
func Load(ctx context.Context, dir string) (*Suite, error) {
	models, err := golib.Overlay(runtime.GOROOT())
	if err != nil {
		return nil, fmt.Errorf("preparing the models of the standard library: %w", err)
	}
	r, err := load.Load(ctx, load.Config{Dir: dir, Overlay: models})
	if err != nil {
		return nil, fmt.Errorf("loading the programs: %w", err)
	}
	standard := map[*ssa.Package]bool{}
	for _, p := range r.All {
		standard[p.SSA] = p.Standard
	}
	s := &Suite{pkg: r.Packages[0].SSA}
	s.code = code.NewProgram(r.Prog, r.Sizes,
		func(p *ssa.Package) bool { return p == s.pkg },
		func(p *ssa.Package) bool { return standard[p] })
	s.pkg.Build()
	return s, nil
}

// Machine returns a machine at the start of the program of that name, with
// parameter n.
func (s *Suite) Machine(ctx context.Context, name string, n int) (*vm.Machine, error) {
	program := s.pkg.Func(name)
	if program == nil {
		return nil, fmt.Errorf("no program %s", name)
	}
	m := vm.New(s.code, expr.NewArena(), vm.NewNames(), vm.Limits{Instructions: 1e6, Depth: 1000})
	entry := vm.Entry{Inits: []*ssa.Package{s.pkg}, Func: s.pkg.Func("run"), Args: []any{strconv.Itoa(n), program}}
	if _, err := m.Boot(ctx, entry); err != nil {
		return nil, fmt.Errorf("booting %s(%d): %w", name, n, err)
	}
	return m, nil
}

// A Count is what a search did since it last began anew.
type Count struct {
	Executions int // that came to their end
	Failing    int // of these, with a finding
	Discarded  int // ended by the search
	Status     strategy.Status
}

// Search lets st search the program of m, for limit runs at most: the search has
// not been completed when Status.Finished is not set.
func Search(ctx context.Context, m *vm.Machine, st strategy.Strategy, limit int) (Count, error) {
	var c Count
	for range limit {
		job, err := st.Next(ctx)
		if err != nil {
			return c, err
		}
		if job == nil {
			break
		}
		if len(job.Plan.Prefix) == 0 && len(job.Plan.Input) == 0 {
			c = Count{}
		}
		trace, err := m.Run(ctx, job.Plan, job.Scheduler)
		if err != nil {
			return c, err
		}
		switch trace.Outcome {
		case vm.Finished, vm.Failed:
			c.Executions++
			if len(trace.Findings) > 0 {
				c.Failing++
			}
		case vm.Stopped:
			c.Discarded++
		default:
			return c, fmt.Errorf("a run was %v: %s", trace.Outcome, trace.Message)
		}
		if err := st.Learn(ctx, job, trace, m.Arena); err != nil {
			return c, err
		}
	}
	c.Status = st.Status()
	return c, nil
}
