package con2colic

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/schedule"
)

// Options are the settings of a search.
type Options struct {
	// K is the highest number of interferences to consider.
	K int
	// Seed is that of the schedules of the first runs, which only look for
	// shared objects.
	Seed uint64
	// Input is the input of the first run of the search.
	Input run.Input

	// The three optimisations of section 7.5 of the paper.
	UnsatCore  bool // extend candidates only where an unsatisfiable core says it may help
	Duplicates bool // drop candidates that have been seen, or that others stand for
	Priority   bool // first what may cover something new

	// Solver says how queries are answered. Its Stats are not used.
	Solver solve.Options
	// Finish makes each run go on to the end of the program when it has shown
	// what the search wants to know, for the sake of those who check it.
	Finish bool
}

// Default returns the options with all optimisations on and interferences up to k.
func Default(k int) Options {
	return Options{K: k, UnsatCore: true, Duplicates: true, Priority: true}
}

// discoveries is the number of runs that look for shared objects before the
// search begins.
const discoveries = 3

// maxPatterns bounds how often a candidate is run again because an operation was
// blocked that was thought to be possible.
const maxPatterns = 8

// A Strategy is the search; it implements [strategy.Strategy].
type Strategy struct {
	options Options
	solver  *solve.Solver
	stats   solve.Stats

	discovered int // runs that looked for shared objects
	usages     map[run.ObjectID]usage
	shared     map[run.ObjectID]bool // objects that usages show to be shared

	// The search proper. It begins anew when a run shows objects to be shared
	// that were not known to be.
	forest     *forest
	work       []worklist             // W, by degree
	seen       map[uint64][]*scenario // candidates that were pushed, by hash
	translator translator
	merge      merge
	view       view
	data       dataConstraint
	constants  constants
	conflicts  conflicts
	temporal   temporalConstraint

	job      *strategy.Job
	scenario *scenario // being run, nil in a discovery
	follower *follower

	done <-chan struct{} // that of the context of the last call of Next or Learn

	covered    map[outcome]bool
	bits       []uint64 // vm.Trace.Covered of all runs but those that look for shared objects
	candidates int
	redundant  int
	byDegree   []int
	ranAt      int // see Degree
	open       []string
}

var _ strategy.Strategy = (*Strategy)(nil)

// New returns a search.
func New(o Options) *Strategy {
	return &Strategy{
		options:  o,
		usages:   map[run.ObjectID]usage{},
		shared:   map[run.ObjectID]bool{},
		covered:  map[outcome]bool{},
		byDegree: make([]int, o.K+1),
	}
}

// begin starts the search proper: the only candidate is the start of the main
// goroutine.
func (c *Strategy) begin() {
	c.forest = newForest()
	options := c.options.Solver
	options.Stats = &c.stats
	c.solver = solve.New(c.forest.arena, options)
	c.work = make([]worklist, c.options.K+1)
	c.seen = map[uint64][]*scenario{}
	c.translator, c.merge, c.view = translator{}, merge{}, view{}
	c.data, c.temporal = dataConstraint{}, temporalConstraint{}
	c.constants, c.conflicts = constants{}, conflicts{}
	c.merge.start(c.forest, root)
	c.push(c.merge.finish(c.options.Input))
}

// Next implements strategy.Strategy. It processes candidates until one is
// realizable.
func (c *Strategy) Next(ctx context.Context) (*strategy.Job, error) {
	c.job, c.done = nil, ctx.Done()
	if c.discovered < discoveries {
		c.job = &strategy.Job{
			Plan:      &run.Plan{Input: c.options.Input},
			Scheduler: newWanderer(c.options.Seed, c.discovered),
		}
		return c.job, nil
	}
	if c.forest == nil {
		c.begin()
	}
	for {
		s := c.pop()
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
			err = ctx.Err() // perhaps before all was known
		}
		if err != nil {
			// Perhaps not all of its extensions are known. Those that are will be
			// found to have been seen.
			c.candidates--
			c.again(s)
			return nil, err
		}
	}
}

// interrupted reports whether the call of Next or Learn is to return without
// having done all that it had to.
func (c *Strategy) interrupted() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// pop takes the next candidate, one of the lowest degree that has any.
func (c *Strategy) pop() *scenario {
	uncovered := func(s *scenario) bool {
		return !c.options.Priority || !c.covered[c.forest.outcomeOf(s.sink)]
	}
	for k := range c.work {
		if s := c.work[k].pop(uncovered); s != nil {
			s.taken = true
			return s
		}
	}
	return nil
}

// realize is RealizabilityCheck: it returns a job that realizes s if there is
// one, and otherwise extends s.
func (c *Strategy) realize(ctx context.Context, s *scenario) (*strategy.Job, error) {
	c.view.show(c.forest, s)
	var linear []int
	ordered := false
	if c.view.ownReceipts() {
		// Which of its own elements a receive gets depends on the other
		// receivers: without an order the data constraint means nothing.
		if linear, ordered = c.orderEvents(s); !ordered {
			return nil, nil
		}
	}
	input, ok, err := c.findInput(ctx, s)
	if !ok {
		return nil, err
	}
	if !ordered {
		if linear, ordered = c.orderEvents(s); !ordered {
			return nil, nil
		}
	}
	c.scenario = s
	c.follower = c.follow(linear)
	return &strategy.Job{
		Plan: &run.Plan{
			Input:       input,
			Visible:     run.Visible{Objects: c.shared},
			ReadSymbols: true,
			Record:      true,
		},
		Scheduler: c.follower,
	}, nil
}

// findInput solves the data constraint of s, which is in view. If it has no
// solution s is extended.
func (c *Strategy) findInput(ctx context.Context, s *scenario) (input run.Input, ok bool, err error) {
	d := &c.data
	d.build(&c.view)
	if c.options.UnsatCore {
		if d.refuted != expr.None {
			c.explore(s, d.constants.localReads(nil, d.refuted))
			return nil, false, nil
		}
		if x := c.conflicts.find(d, &c.view); x != nil {
			c.explore(s, x.localReads())
			return nil, false, nil
		}
	}
	result := solve.Unsat
	if d.refuted == expr.None {
		if result, input, err = d.solve(ctx, c.forest, c.solver, s.input); err != nil {
			return nil, false, err
		}
	}
	switch {
	case result == solve.Sat:
		return input, true, nil
	case result == solve.Unknown:
		c.gaveUp("a query to the solver was not answered within its budget")
		c.explore(s, c.allCauses())
	case c.options.UnsatCore:
		core := c.solver.Core(ctx)
		c.conflicts.add(d, &c.view, core)
		c.explore(s, d.localReads(nil, &c.view, core))
	default:
		c.explore(s, c.allCauses())
	}
	return nil, false, nil
}

// orderEvents solves the temporal constraint of s, which is in view. If it has
// no solution s is extended.
func (c *Strategy) orderEvents(s *scenario) (linear []int, ok bool) {
	c.temporal.build(&c.view)
	linear, causes, gaveUp := c.temporal.solve(c.interrupted)
	if c.interrupted() {
		return nil, false
	}
	if gaveUp {
		c.gaveUp("no order of a scenario's events was found within the bound on attempts")
	}
	if linear != nil {
		return linear, true
	}
	if gaveUp || !c.options.UnsatCore {
		causes = c.allCauses()
	}
	c.explore(s, causes)
	return nil, false
}

// allCauses returns everything that an extension of the scenario in view may
// change: all local reads, and all operations that others can enable.
func (c *Strategy) allCauses() []cause {
	var causes []cause
	for i := range c.view.paths {
		for _, n := range c.view.paths[i].nodes {
			e := c.forest.at(n)
			for k := range e.cells {
				if reads(e.op) && c.view.s.source(n, k) == 0 {
					causes = append(causes, cause{n, k})
					if e.op == schedule.Recv {
						causes = append(causes, cause{n, ownSend})
					}
				}
			}
			if waits(e.op) {
				causes = append(causes, cause{node: n})
			}
		}
	}
	return causes
}

// waits reports whether operations of op, or others because of them, can be
// blocked, or misused, until another goroutine does something.
func waits(op schedule.Op) bool {
	switch op {
	case schedule.Lock, schedule.RLock, schedule.Send, schedule.WaitGroupWait, schedule.CondWake,
		schedule.SemAcquire, schedule.Sleep, schedule.SelectDefault, schedule.Unlock, schedule.RUnlock, schedule.WaitGroupAdd:
		return true
	}
	return false
}

// follow returns a scheduler for the scenario in view.
func (c *Strategy) follow(linear []int) *follower {
	f, s := c.forest, c.view.s
	w := newFollower(f)
	for i := range c.view.paths {
		p := &c.view.paths[i]
		for int(p.goroutine) >= len(w.paths) {
			w.paths = append(w.paths, nil)
		}
		w.paths[p.goroutine] = slices.Clone(p.nodes)
	}
	for _, id := range linear {
		e := c.temporal.events[id]
		n := f.at(e.node)
		st := step{n.goroutine, n.index, -1}
		if e.partner != 0 {
			// The receiver has to get to its operation first.
			r := f.at(e.partner)
			st.partner = r.goroutine
			w.steps = append(w.steps, step{r.goroutine, r.index - 1, -1})
		}
		w.steps = append(w.steps, st)
	}
	for _, t := range s.tips {
		if n := f.at(t); t != s.sink {
			w.steps = append(w.steps, step{n.goroutine, n.index, -1})
		}
	}
	n := f.at(s.sink)
	w.steps = append(w.steps, step{n.goroutine, n.index, -1})
	w.wakes = c.temporal.sim.wakes
	w.sink, w.from = n.goroutine, n.index
	w.finish = c.options.Finish
	return w
}

// Learn implements strategy.Strategy.
func (c *Strategy) Learn(ctx context.Context, job *strategy.Job, trace *run.Trace, from *expr.Arena) error {
	if job == nil || job != c.job {
		return errors.New("con2colic: Learn of a job that Next did not return last")
	}
	c.job = nil
	shared := c.findShared(trace)
	s := c.scenario
	c.scenario = nil
	if s == nil {
		c.discovered++
		c.ranAt = -1
		return nil
	}
	c.follower.end(trace)
	c.ranAt = s.degree
	if c.follower.wide >= 0 {
		c.ranAt = min(interferences(trace.Events[:c.follower.cut]), c.options.K)
	}
	c.cover(trace, c.ranAt)
	if shared {
		c.forest = nil // begin again, with the new objects visible
		return nil
	}
	c.done = ctx.Done()
	c.learn(s, c.follower, trace, from)
	if err := ctx.Err(); err != nil {
		c.again(s) // unexplored
		return err
	}
	return nil
}

// cover counts the branches that trace is the first to cover.
func (c *Strategy) cover(trace *run.Trace, degree int) {
	for i, w := range trace.Covered {
		for i >= len(c.bits) {
			c.bits = append(c.bits, 0)
		}
		c.byDegree[degree] += bits.OnesCount64(w &^ c.bits[i])
		c.bits[i] |= w
	}
}

// Degree returns how many interferences the last run that was learned from had
// before it went beyond its scenario, -1 if it only looked for shared objects.
func (c *Strategy) Degree() int { return c.ranAt }

// A usage sums up the accesses to an object in all runs.
type usage struct {
	goroutine      int32 // the first that was seen to use it
	several, wrote bool
}

// findShared adds the objects that turn out to be shared: used by more than one
// goroutine, and written by one, though perhaps in different runs, since most
// have one goroutine going on alone. It reports whether there was a new one.
func (c *Strategy) findShared(trace *run.Trace) bool {
	found := false
	for _, a := range trace.Accesses {
		u, ok := c.usages[a.Object]
		if !ok {
			u.goroutine = a.Goroutine
		}
		u.several = u.several || u.goroutine != a.Goroutine
		u.wrote = u.wrote || a.Wrote
		c.usages[a.Object] = u
		if u.several && u.wrote && !c.shared[a.Object] {
			if !found {
				// The plans of earlier jobs keep the set they were given.
				c.shared = maps.Clone(c.shared)
				found = true
			}
			c.shared[a.Object] = true
		}
	}
	return found
}

// diverged deals with a run of s that did not go as s has it. If it failed, it was
// over too early.
func (c *Strategy) diverged(s *scenario, w *follower, failed bool) {
	f := c.forest
	c.redundant++
	if w.ending == impossible && len(s.patterns) < maxPatterns {
		if p, ok := c.blockedPattern(s, w); ok {
			s.patterns = append(s.patterns, p)
			c.again(s)
			return
		}
	}
	if c.data.missing && !s.retried {
		// The run may have shown what was missing.
		s.retried = true
		c.view.show(f, s)
		c.data.build(&c.view)
		c.again(s)
		return
	}
	if w.ending == impossible && len(w.pending) > 0 && !w.blockedAt.Enabled {
		c.gaveUp(fmt.Sprintf("a run did not follow its scenario: blocked at %s", w.blockedAt.Op))
	} else if c.data.missing {
		c.gaveUp("a run did not follow its scenario: a value that a branch depends on is not tracked")
	} else if !failed {
		c.gaveUp("a run did not follow its scenario: it depends on something that is not tracked")
	}
}

// again puts s back on its worklist.
func (c *Strategy) again(s *scenario) {
	s.taken = false
	c.work[s.degree].push(s)
}

// blockedPattern returns the order of events that, in the machine's view, blocked
// the operation that a step asked for.
func (c *Strategy) blockedPattern(s *scenario, w *follower) (pattern, bool) {
	f := c.forest
	g := w.blockedAt.Goroutine
	n := w.expected(g, w.count(g))
	locs := f.locsOf(cause{node: n})
	if n == 0 || len(locs) == 0 || w.blockedAt.Enabled && f.at(n).op != schedule.SelectDefault && !f.at(n).selects {
		return pattern{}, false
	}
	p := pattern{blocked: n, causes: []cause{{node: n}}}
	for h, nodes := range w.paths {
		for i, m := range nodes {
			if int32(h) == g || !slices.Contains(locs, f.at(m).loc) {
				continue
			}
			if int32(i) < w.count(int32(h)) {
				p.before = append(p.before, m)
			} else {
				p.after = append(p.after, m)
			}
		}
	}
	return p, true
}

// gaveUp notes something that the search could not do.
func (c *Strategy) gaveUp(what string) {
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
	for k := range c.work {
		if len(c.work[k].first)+len(c.work[k].rest) > 0 {
			st.Finished = false
			st.Degree = k - 1
			break
		}
	}
	if c.job != nil {
		st.Finished = false
		st.Degree = min(st.Degree, c.scenarioDegree()-1)
	}
	return st
}

// scenarioDegree returns the degree of the scenario being run.
func (c *Strategy) scenarioDegree() int {
	if c.scenario == nil {
		return 0
	}
	return c.scenario.degree
}
