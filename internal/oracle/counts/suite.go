package counts

import (
	"context"
	"fmt"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
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
	r, err := golib.Load(ctx, load.Config{Dir: dir})
	if err != nil {
		return nil, fmt.Errorf("loading the programs: %w", err)
	}
	s := &Suite{pkg: r.Packages[0].SSA}
	s.code = compile.NewProgram(r.Prog, r.Sizes, func(p *ssa.Package) bool { return p == s.pkg }, r.Standard)
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
	m := vm.New(s.code, expr.NewArena(), run.NewNames(), run.Settings{Limits: run.Limits{Instructions: 1e6, Depth: 1000}})
	entry := vm.Entry{Inits: []*ssa.Package{s.pkg}, Func: s.pkg.Func("run"), Args: []any{strconv.Itoa(n), program}}
	if _, err := m.Boot(ctx, entry); err != nil {
		return nil, fmt.Errorf("booting %s(%d): %w", name, n, err)
	}
	return m, nil
}

// A Count is what a search did since a race last made it begin anew.
type Count struct {
	Executions int    // that came to their end
	Failing    int    // of these, with a finding
	Finding    string // the first
	Discarded  int    // ended by the search
	Status     strategy.Status
}

// Search lets st search the program of m, for limit runs at most: the search has
// not been completed when Status.Finished is not set. When ctx ends first, the
// count is what was done until then, and the error is that of ctx.
func Search(ctx context.Context, m *vm.Machine, st strategy.Strategy, limit int) (Count, error) {
	var c Count
	err := c.search(ctx, m, st, limit)
	c.Status = st.Status()
	return c, err
}

func (c *Count) search(ctx context.Context, m *vm.Machine, st strategy.Strategy, limit int) error {
	sites := 0
	for range limit {
		if err := ctx.Err(); err != nil { // short runs do not look at it
			return err
		}
		job, err := st.Next(ctx)
		if job == nil || err != nil {
			return err
		}
		if n := len(job.Plan.Visible.Sites); n != sites { // a race was seen
			*c, sites = Count{}, n
		}
		trace, err := m.Run(ctx, job.Plan, job.Scheduler)
		if err != nil {
			return err
		}
		switch trace.Outcome {
		case run.Finished, run.Failed:
			c.Executions++
			if found := check.Judge(trace); len(found) > 0 {
				if c.Failing++; c.Failing == 1 {
					c.Finding = found[0].Message
				}
			}
		case run.Stopped:
			c.Discarded++
		default:
			return fmt.Errorf("a run was %v: %s", trace.Outcome, trace.Message)
		}
		if err := st.Learn(ctx, job, trace, m.Arena); err != nil {
			return err
		}
	}
	return nil
}
