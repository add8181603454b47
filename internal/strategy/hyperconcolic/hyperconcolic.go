package hyperconcolic

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
)

// Options are the settings of a search.
type Options struct {
	// Names are those of the machine that carries the runs out.
	Names *run.Names
	// Solver says how queries are answered. Its Stats are not used.
	Solver solve.Options
	// Subjects are those of the queries.
	Subjects strategy.Subjects
	// Visible names plain accesses that are visible from the start.
	Visible run.Visible
	// Merge says of which small branches both sides are merged: then the inputs of one class
	// may take either side. Of merged branches, only the sides that runs take are covered.
	Merge run.Merging
	// Symmetry leaves out classes that differ from others only in which of several symmetric
	// goroutines does what; see the package documentation.
	Symmetry bool
	// AddsCommute leaves out classes that differ from others only in the order of Adds and Dones of
	// wait groups, until a run shows that it matters; see the package documentation.
	AddsCommute bool
	// Order is the order in which Next takes items, by default depth first.
	Order strategy.Order
	// Near returns how far it is from a site to what the search is to reach. It is used by the order of distances.
	Near func(run.SiteID) int
	// Length is how many steps a goroutine takes at most; 0 for no bound. Then the search covers the classes in which
	// none would take more.
	Length int
}

// New returns a search from the root.
func New(o Options) strategy.Ranked {
	s := &search{options: o, visible: o.Visible, open: map[string]bool{}, leftOut: map[string]bool{}}
	s.visible.HideAtomics, s.visible.HideAdds, s.visible.Atomics, s.visible.WatchAtomics = false, false, nil, false // one that is ordered with all that changes its variable is in no two classes
	s.options.Solver.Stats = &s.stats
	s.scheduler.names = o.Names
	s.scheduler.pool = &s.pool
	s.expansion.search, s.expansion.scheduler = s, &s.scheduler
	s.frontier.ranked = s.ranked()
	if o.Length > 0 {
		s.bound = &lengthBound{scheduler: &s.scheduler, most: o.Length, pending: []run.Transition{}}
	}
	s.restart()
	return s
}

// A search is the state of the search. It implements strategy.Ranked.
type search struct {
	options Options
	visible run.Visible

	frontier  frontier
	pool      pool
	plan      run.Plan     // of job
	job       strategy.Job // the last one
	scheduler scheduler    // of job
	bound     *lengthBound // which has the scheduler; nil if there is no bound
	expansion expansion    // of the last job
	learned   bool         // Learn has had the trace of the last job

	arena  *expr.Arena // of solver
	solver *solve.Solver
	stats  solve.Stats

	runs, redundantRuns, blockedRuns int

	incomplete bool // something was given up in a trace
	open       map[string]bool
	leftOut    map[string]bool
}

// restart begins the search at the root.
func (s *search) restart() {
	s.frontier.clear()
	s.frontier.push(s.pool.item())
	s.scheduler.trace = nil // new runs have other steps
	s.learned = true
	s.incomplete = false
	clear(s.open)
	clear(s.leftOut)
}

// Next implements strategy.Strategy.
func (s *search) Next(ctx context.Context) (*strategy.Job, error) {
	it := s.frontier.pop()
	if it == nil {
		return nil, nil
	}
	it.begin(&s.pool)
	s.scheduler.begin(ctx, it)
	s.learned = false
	s.runs++
	s.plan = run.Plan{
		Input: it.input, Visible: s.visible, Merge: s.options.Merge, Symmetry: s.options.Symmetry,
		AddsCommute: s.options.AddsCommute,
	}
	s.job = strategy.Job{Plan: &s.plan, Scheduler: &s.scheduler}
	if s.bound != nil {
		s.job.Scheduler = s.bound
	}
	return &s.job, nil
}

// Learn implements strategy.Strategy.
func (s *search) Learn(ctx context.Context, _ *strategy.Job, trace *run.Trace, from *expr.Arena) error {
	sc := &s.scheduler
	sc.trace, sc.ranDecisions = trace, nil
	if err := sc.ctx.Err(); err != nil {
		return err
	}
	if s.refine(trace) {
		s.restart()
		return nil
	}
	if s.arena != from {
		s.arena, s.solver = from, solve.New(from, s.options.Solver)
	}
	s.solver.Reset()
	b := &s.expansion
	b.begin(trace)
	if s.bound != nil {
		all := trace.Pending
		trace.Pending = s.bound.within(all)
		defer func() { trace.Pending = all }()
	}
	if err := b.expand(ctx); err != nil {
		return err
	}
	switch {
	case sc.blocked:
		s.blockedRuns++
	case sc.redundant:
		s.redundantRuns++
	}
	for why := range b.open {
		s.open[why] = true
	}
	if b.leftOut != "" {
		s.leftOut[b.leftOut] = true
	}
	s.incomplete = s.incomplete || len(trace.GivenUp) > 0
	slices.SortStableFunc(b.items, func(x, y child) int { return cmp.Compare(x.decisions, y.decisions) })
	for _, c := range b.items {
		if s.options.Order == strategy.Nearest {
			c.item.rank = s.distance(c.item)
		}
		s.frontier.push(c.item)
	}
	sc.ranDecisions = b.run
	s.learned = true
	return nil
}

// refine makes visible what trace shows, and distinguishes the orders of Adds if it shows that they
// matter. It reports whether any of that is new.
func (s *search) refine(trace *run.Trace) bool {
	again := strategy.Refine(&s.visible, trace)
	if s.plan.AddsCommute && trace.AddsMatter {
		s.options.AddsCommute = false
		again = true
	}
	return again
}

// Status implements strategy.Strategy.
func (s *search) Status() strategy.Status {
	finished := s.frontier.empty() && s.learned
	cut := s.bound != nil && s.bound.cut
	return strategy.Status{
		Exhausted: finished && len(s.open) == 0 && len(s.leftOut) == 0 && !s.incomplete && !cut,
		Finished:  finished,
		Counts:    run.Counts{Candidates: s.runs, Redundant: s.redundantRuns, Blocked: s.blockedRuns},
		Degree:    -1,
		Solver:    s.stats,
		Open:      slices.Sorted(maps.Keys(s.open)),
		LeftOut:   slices.Sorted(maps.Keys(s.leftOut)),
		CutLength: cut,
	}
}
