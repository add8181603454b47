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
	// Names are those of the machine that runs are made on.
	Names *run.Names
	// Solver says how queries are answered. Its Stats are not used.
	Solver solve.Options
	// Visible names plain accesses to be scheduling points from the start.
	Visible run.Visible
	// EagerTimers says that the machine lets timers fire at any point.
	EagerTimers bool
	// Merge says of which small branches both sides are merged: then one class has inputs
	// that go either way. Those that are merged are covered as runs happen to go.
	Merge run.Merging
	// Order is that in which items are taken, depth first by default.
	Order strategy.Order
}

// New returns a search of everything from the root on.
func New(o Options) strategy.Ranked {
	s := &search{options: o, visible: o.Visible, open: map[string]bool{}}
	s.options.Solver.Stats = &s.stats
	s.watch.names, s.watch.eager = o.Names, o.EagerTimers
	s.watch.pool = &s.pool
	s.branching.search, s.branching.watcher = s, &s.watch
	s.frontier.ranked = s.ranked()
	s.restart()
	return s
}

// A search is the state of the search. It implements strategy.Ranked.
type search struct {
	options Options
	visible run.Visible

	frontier  frontier
	pool      pool
	plan      run.Plan     // of the job being run
	job       strategy.Job // the one being run
	watch     watcher      // of the job being run
	branching branching    // of the job that has been run
	learned   bool         // from the job being run

	arena  *expr.Arena // that solver works on
	solver *solve.Solver
	stats  solve.Stats

	started, duplicates, impossible int // runs

	lossy bool // a trace gave something up
	open  map[string]bool
}

// restart begins the search at the root of the tree.
func (s *search) restart() {
	s.frontier.clear()
	s.frontier.push(s.pool.item())
	s.watch.trace = nil // runs go other ways from now on
	s.learned = true
	s.lossy = false
	clear(s.open)
}

// Next implements strategy.Strategy.
func (s *search) Next(context.Context) (*strategy.Job, error) {
	it := s.frontier.pop()
	if it == nil {
		return nil, nil
	}
	s.watch.begin(it)
	s.learned = false
	s.started++
	s.plan = run.Plan{Input: it.input, Visible: s.visible, Merge: s.options.Merge}
	s.job = strategy.Job{Plan: &s.plan, Scheduler: &s.watch}
	return &s.job, nil
}

// Learn implements strategy.Strategy.
func (s *search) Learn(ctx context.Context, _ *strategy.Job, t *run.Trace, from *expr.Arena) error {
	w := &s.watch
	w.trace, w.led = t, nil
	if s.refine(t) {
		s.restart()
		return nil
	}
	if s.arena != from {
		s.arena, s.solver = from, solve.New(from, s.options.Solver)
	}
	s.solver.Reset()
	b := &s.branching
	b.begin(t)
	if err := b.branch(ctx); err != nil {
		return err
	}
	switch {
	case w.blocked:
		s.impossible++
	case w.redundant:
		s.duplicates++
	}
	for why := range b.open {
		s.open[why] = true
	}
	s.lossy = s.lossy || len(t.GivenUp) > 0
	slices.SortStableFunc(b.items, func(x, y child) int { return cmp.Compare(x.moves, y.moves) })
	for _, c := range b.items {
		s.frontier.push(c.item)
	}
	w.led = b.run
	s.learned = true
	return nil
}

// refine makes the sites of the races in t visible. It reports whether any was new.
func (s *search) refine(t *run.Trace) bool {
	var fresh []run.SiteID
	note := func(site run.SiteID) {
		if !s.visible.Sites[site] {
			fresh = append(fresh, site)
		}
	}
	for i := range t.Unordered {
		note(t.Unordered[i].Earlier.Site)
		note(t.Unordered[i].Later.Site)
	}
	if len(fresh) == 0 {
		return false
	}
	sites := maps.Clone(s.visible.Sites) // plans refer to the old map
	if sites == nil {
		sites = map[run.SiteID]bool{}
	}
	for _, site := range fresh {
		sites[site] = true
	}
	s.visible.Sites = sites
	return true
}

// Status implements strategy.Strategy.
func (s *search) Status() strategy.Status {
	finished := s.frontier.empty() && s.learned
	return strategy.Status{
		Exhausted: finished && len(s.open) == 0 && !s.lossy,
		Finished:  finished,
		Counts:    run.Counts{Candidates: s.started, Redundant: s.duplicates, Blocked: s.impossible},
		Degree:    -1,
		Solver:    s.stats,
		Open:      slices.Sorted(maps.Keys(s.open)),
	}
}
