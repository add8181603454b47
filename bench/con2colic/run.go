package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/con2colic"
	"github.com/everyway-go/everyway/internal/vm"
)

// A figure is what a search of a program came to.
type figure struct {
	goroutines int // the most that were alive in a run, the main one included
	inputs     int
	branches   int   // of the program, in functions that were reached
	covered    int   // of these
	byDegree   []int // branches first covered at each degree
	bug        int   // degree of the first failure, -1 for none
	bugAfter   time.Duration
	message    string // of the failure
	reason     string // why the search ended
	degree     int    // the highest degree that was looked at
	candidates int
	runs       int
	time       time.Duration // compiling included
	open       []string
}

// The reasons, in the words of the paper's Table 1.
const (
	fullCov = "Full Cov."
	maxCov  = "Max Cov."
	timeout = "Timeout"
)

// search searches the program of package pkg until all of its branches are
// covered, nothing is left to explore, or ctx ends.
func search(ctx context.Context, p *program.Program, pkg *load.Package, o con2colic.Options) (*figure, error) {
	start := time.Now()
	prog := p.NewCode(benchmarked)
	m := vm.New(prog, expr.NewArena(), run.NewNames(), run.Settings{Limits: worker.DefaultLimits})
	if _, err := m.Boot(ctx, vm.Entry{Inits: []*ssa.Package{pkg.SSA}, Func: pkg.SSA.Func("main")}); err != nil {
		return nil, fmt.Errorf("starting: %w", err)
	}
	f := &figure{bug: -1, reason: timeout}
	c := con2colic.New(o)
	var covered bitset.Set
	for ctx.Err() == nil {
		job, err := c.Next(ctx)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return nil, err
		}
		if job == nil {
			f.reason = maxCov
			break
		}
		t, err := m.Run(ctx, job.Plan, job.Scheduler)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return nil, err
		}
		if t.Outcome == run.Unsupported || t.Outcome == run.Bounded {
			return nil, fmt.Errorf("running: %s", t.Message)
		}
		f.runs++
		f.inputs = max(f.inputs, len(t.Inputs))
		for i := range t.Events {
			f.goroutines = max(f.goroutines, int(t.Events[i].Goroutine)+1)
		}
		if err := c.Learn(ctx, job, t, m.Arena); err != nil && ctx.Err() == nil {
			return nil, err
		}
		degree := c.Degree()
		if degree < 0 {
			continue // a run that only looks for what is shared
		}
		f.degree = max(f.degree, degree)
		covered.AddAll(t.Covered)
		f.covered = covered.Count()
		if b := failure(t); b != nil && f.bug < 0 {
			f.bug, f.bugAfter, f.message = degree, time.Since(start), b.Message
		}
		if f.covered == len(prog.Branches) {
			f.reason = fullCov
			break
		}
	}
	s := c.Status()
	f.byDegree, f.candidates, f.open = s.ByDegree, s.Candidates, s.Open
	f.branches = len(prog.Branches)
	f.time = time.Since(start)
	return f, nil
}

// benchmarked reports whether branches of p count: those of the program and of
// the packages that it has for itself.
func benchmarked(p *ssa.Package) bool {
	return strings.HasPrefix(p.Pkg.Path(), programs)
}

// failure returns the panic or fatal error of a run, nil if there is none. What
// is still waiting when the main goroutine returns is no failure.
func failure(t *run.Trace) *run.Failure { return cmp.Or(t.Panic, t.FatalError) }
