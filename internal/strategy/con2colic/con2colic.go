package con2colic

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/constraint"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/follower"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/frontier"
)

// Options are the settings of a search.
type Options struct {
	// K is the highest number of interferences to consider.
	K int
	// Seed is that of the schedules of the first runs, which look for shared objects.
	Seed uint64
	// Input is the input of the first run of the search.
	Input run.Input

	// The three optimisations of section 7.5 of the paper.
	UnsatCore  bool // extend candidates only where an unsatisfiable core says that it may help
	Duplicates bool // drop candidates that have been seen or that others subsume
	Priority   bool // first those that may cover something new

	// Solver says how queries are answered. Its Stats are not used.
	Solver solve.Options
	// Subjects are those of the queries.
	Subjects strategy.Subjects
}

// Default returns the options with all optimisations on and interferences up to k.
func Default(k int) Options {
	return Options{K: k, UnsatCore: true, Duplicates: true, Priority: true}
}

// maxBlockings bounds how often a candidate is run again because an operation was blocked
// that its constraints allowed.
const maxBlockings = 8

// A Strategy is the search; it implements [strategy.Strategy].
type Strategy struct {
	options    Options
	discovered int // runs that looked for shared objects
	discovery  discovery

	// The search proper. It begins again when a run shows that further objects are shared.
	forest   *forest.Forest
	frontier *frontier.Frontier
	recorder *forest.Recorder
	solver   *solve.Solver // of checker
	checker  *constraint.Checker
	subjects map[run.SiteID]solve.Subject // of conditions, as the last run had them there
	retries  map[*frontier.Candidate]*retry

	// The last job, until Learn.
	job       *strategy.Job
	candidate *frontier.Candidate // nil in a discovery
	verdict   constraint.Verdict  // on the candidate
	follower  *follower.Follower

	covered    map[forest.Outcome]bool
	branches   bitset.Set // run.Trace.Covered of all runs except those that look for shared objects
	candidates int
	redundant  int
	byDegree   []int
	degree     int // see Degree
	open       []string
	stats      solve.Stats
}

// A retry is what is known of a candidate that is to be run again, since its run did not
// follow the scenario.
type retry struct {
	blockings  []constraint.Blocking // that were observed
	incomplete bool                  // its verdict was incomplete
}

var _ strategy.Strategy = (*Strategy)(nil)

// New returns a search.
func New(o Options) *Strategy {
	return &Strategy{
		options:   o,
		discovery: discovery{usages: map[run.ObjectID]usage{}, shared: map[run.ObjectID]bool{}},
		covered:   map[forest.Outcome]bool{},
		byDegree:  make([]int, o.K+1),
	}
}

// begin starts the search proper: the only candidate is the start of the main goroutine.
func (c *Strategy) begin() {
	f := forest.New()
	c.forest = f
	options := c.options.Solver
	options.Stats = &c.stats
	c.solver = solve.New(f.Arena, options)
	c.checker = constraint.NewChecker(f, c.solver, c.options.UnsatCore)
	c.subjects = map[run.SiteID]solve.Subject{}
	c.recorder = forest.NewRecorder(f, c.covered)
	c.retries = map[*frontier.Candidate]*retry{}
	c.frontier = frontier.New(f, c.covered, frontier.Options{
		MaxDegree: c.options.K, UnsatCore: c.options.UnsatCore, Duplicates: c.options.Duplicates, Priority: c.options.Priority,
	})
	var m forest.Merge
	m.Start(f, forest.Root)
	c.frontier.Push(m.Finish(c.options.Input))
}

// Next implements strategy.Strategy. It checks candidates until one is realizable.
func (c *Strategy) Next(ctx context.Context) (*strategy.Job, error) {
	c.job = nil
	if c.discovered < discoveries {
		c.job = &strategy.Job{
			Plan:      &run.Plan{Input: c.options.Input, Record: true},
			Scheduler: discoveryScheduler(c.discovered, c.options.Seed),
		}
		return c.job, nil
	}
	if c.forest == nil {
		c.begin()
	}
	for {
		s := c.frontier.Pop()
		if s == nil {
			return nil, nil
		}
		c.candidates++
		err := ctx.Err()
		if err == nil {
			if c.job, err = c.realize(ctx, s); c.job != nil {
				return c.job, nil
			}
		}
		if err == nil {
			err = ctx.Err() // perhaps before all extensions were added
		}
		if err != nil {
			// The extensions that were added will be found to have been seen.
			c.candidates--
			c.frontier.Requeue(s)
			return nil, err
		}
	}
}

// realize returns a job that realizes s. If there is none, it extends s.
func (c *Strategy) realize(ctx context.Context, s *frontier.Candidate) (*strategy.Job, error) {
	var blockings []constraint.Blocking
	if r := c.retries[s]; r != nil {
		blockings = r.blockings
	}
	c.solver.About(c.subjects[c.forest.At(s.Sink).Site])
	v, err := c.checker.Check(ctx, s.Scenario, blockings)
	if err != nil {
		return nil, err
	}
	if v.Open != "" {
		c.giveUp(v.Open)
	}
	if v.Order == nil {
		c.frontier.Explore(ctx, s, v.Causes)
		return nil, nil
	}
	c.candidate, c.verdict = s, v
	c.follower = follower.New(c.forest, s.Scenario, v.Order)
	return &strategy.Job{
		Plan: &run.Plan{
			Input:       v.Input,
			Visible:     run.Visible{Objects: c.discovery.shared},
			ReadSymbols: true,
			Record:      true,
		},
		Scheduler: c.follower,
	}, nil
}

// Learn implements strategy.Strategy.
func (c *Strategy) Learn(ctx context.Context, job *strategy.Job, trace *run.Trace, from *expr.Arena) error {
	if job == nil || job != c.job {
		return errors.New("con2colic: Learn of a job that Next did not return last")
	}
	c.job = nil
	found := c.discovery.learn(trace.Accesses)
	s := c.candidate
	c.candidate = nil
	if s == nil {
		c.discovered++
		c.degree = -1
		return nil
	}
	result := c.follower.End(trace)
	c.degree = s.Degree
	if result.Concurrent >= 0 {
		c.degree = min(interferences(trace.Events[:result.Events]), c.options.K)
	}
	c.cover(trace, c.degree)
	if found {
		c.forest = nil // begin again, with the new objects visible
		return nil
	}
	if c.options.Subjects != nil {
		for i := range trace.Path {
			c.subjects[trace.Path[i].Site] = c.options.Subjects.Of(i)
		}
	}
	c.recorder.Start(trace, from)
	x := &extraction{
		f: c.forest, frontier: c.frontier, checker: c.checker, recorder: c.recorder,
		visible: c.discovery.shared, maxDegree: c.options.K,
		s: s.Scenario, w: c.follower, result: result, t: trace,
	}
	followed := x.extract(ctx)
	if x.open != "" {
		c.giveUp(x.open)
	}
	if !followed {
		c.diverged(s, result, trace.Outcome == run.Failed)
	}
	if err := ctx.Err(); err != nil {
		c.frontier.Requeue(s) // unexplored
		return err
	}
	return nil
}

// cover counts the branches that trace is the first to cover.
func (c *Strategy) cover(trace *run.Trace, degree int) {
	for range bitset.Set(trace.Covered).Without(c.branches) {
		c.byDegree[degree]++
	}
	c.branches.AddAll(trace.Covered)
}

// Degree returns the number of interferences that the last run given to Learn had before it
// went beyond its scenario, -1 if it only looked for shared objects.
func (c *Strategy) Degree() int { return c.degree }

// diverged deals with a run of s that did not follow s, perhaps because it failed before.
func (c *Strategy) diverged(s *frontier.Candidate, result *follower.Result, failed bool) {
	c.redundant++
	r := c.retries[s]
	if r == nil {
		r = &retry{}
		c.retries[s] = r
	}
	if result.Infeasible && len(r.blockings) < maxBlockings {
		if b, ok := c.follower.Blocking(); ok {
			r.blockings = append(r.blockings, b)
			c.frontier.Requeue(s)
			return
		}
	}
	if c.verdict.Incomplete && !r.incomplete {
		// The run may have shown what was missing.
		r.incomplete = true
		c.frontier.Requeue(s)
		return
	}
	switch {
	case result.Infeasible && len(result.Pending) > 0 && !result.Blocked.Enabled:
		c.giveUp(fmt.Sprintf("a run did not follow its scenario: blocked at %s", result.Blocked.Op))
	case c.verdict.Incomplete:
		c.giveUp("a run did not follow its scenario: a value that a branch depends on is not tracked")
	case !failed:
		c.giveUp("a run did not follow its scenario: it depends on something that is not tracked")
	}
}

// giveUp notes something that the search does not cover.
func (c *Strategy) giveUp(what string) {
	if !slices.Contains(c.open, what) {
		c.open = append(c.open, what)
	}
}

// Status implements strategy.Strategy.
func (c *Strategy) Status() strategy.Status {
	st := strategy.Status{
		Finished: c.forest != nil,
		Counts:   run.Counts{Candidates: c.candidates, Redundant: c.redundant},
		Degree:   c.options.K,
		Open:     slices.Clone(c.open),
		ByDegree: slices.Clone(c.byDegree),
		Solver:   c.stats,
	}
	if c.forest == nil {
		st.Degree = -1
		return st
	}
	if k, ok := c.frontier.LowestDegree(); ok {
		st.Finished = false
		st.Degree = k - 1
	}
	if c.job != nil {
		st.Finished = false
		running := 0
		if c.candidate != nil {
			running = c.candidate.Degree
		}
		st.Degree = min(st.Degree, running-1)
	}
	return st
}
