package random

import (
	"context"
	"maps"
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// Options are the settings of a search.
type Options struct {
	Sampling Sampling
	Seed     uint64
	Runs     int         // number of runs, 0 for no bound
	Seeds    []run.Input // the first inputs, after the empty one
	MaxLen   int         // length of the longest string or slice to try, 0 for DefaultMaxLen
}

// DefaultMaxLen is the default of Options.MaxLen.
const DefaultMaxLen = 32

// New returns a random search.
func New(o Options) strategy.Strategy {
	if o.MaxLen == 0 {
		o.MaxLen = DefaultMaxLen
	}
	return &search{
		options: o,
		rand:    rand.New(rand.NewPCG(o.Seed, 0x65766572)),
		corpus:  newCorpus(o.Seeds, o.MaxLen),
	}
}

// search implements strategy.Strategy.
type search struct {
	options Options
	rand    *rand.Rand
	runs    int
	corpus  *corpus
	promise promise
	profile *Profile // of the last run that finished, for Uniform
	current attempt
	forced  bool // see Forced
}

// An attempt is what the search knows of the run of a job.
type attempt struct {
	of       *entry // whose input it has unchanged, nil if there is none
	depth    int    // of a PCT scheduler, else 0
	steps    int    // that a PCT scheduler expects
	observer *observer
}

// Next implements strategy.Strategy. The first runs have the empty input and the seeds. Of the
// others, some have an input of the corpus unchanged, with another schedule.
func (s *search) Next(context.Context) (*strategy.Job, error) {
	if s.finished() {
		return nil, nil
	}
	n := s.runs
	s.runs++
	s.current = attempt{of: s.corpus.given(n)}
	switch {
	case s.current.of != nil:
	case s.corpus.mutator.Empty():
		s.current.of = s.corpus.entries[0]
	case s.promise.goroutines > 1 && s.rand.IntN(8) == 0:
		s.current.of = s.corpus.pick(s.rand)
	}
	plan := &run.Plan{}
	if e := s.current.of; e != nil {
		plan.Input = maps.Clone(e.input)
	} else {
		plan.Input = s.corpus.mutator.Mutate(s.rand, s.corpus.pick(s.rand).input, s.corpus.pick(s.rand).input)
	}
	s.current.observer = &observer{Scheduler: s.scheduler(&s.current)}
	if s.options.Sampling == Uniform {
		s.current.observer.profile = newProfile()
	}
	return &strategy.Job{Plan: plan, Scheduler: s.current.observer}, nil
}

// scheduler draws the schedule of a run. If it depends on what earlier runs have shown, that of
// the first run is a random walk.
func (s *search) scheduler(c *attempt) run.Scheduler {
	r := rand.New(rand.NewPCG(s.rand.Uint64(), s.rand.Uint64()))
	switch {
	case s.options.Sampling == Priorities && s.promise.steps > 0:
		c.depth, c.steps = 1+s.runs%maxDepth, s.promise.steps
		return PCT(r, c.depth, c.steps)
	case s.options.Sampling == PartialOrders:
		return POS(r)
	case s.options.Sampling == Uniform && s.profile != nil:
		return SURW(r, s.profile)
	}
	return run.RandomWalk(r)
}

// Learn implements strategy.Strategy.
func (s *search) Learn(_ context.Context, job *strategy.Job, trace *run.Trace, from *expr.Arena) error {
	c := &s.current
	w := c.observer
	if c.depth == 0 || w.steps <= patience(c.steps) {
		s.promise.size(w.goroutines(), w.steps)
	}
	s.promise.count(c)
	if w.profile != nil && (trace.Outcome == run.Finished || s.profile == nil) {
		s.profile = w.profile
	}
	s.corpus.learn(trace, from, c.of != nil)
	s.forced = !w.chose && len(trace.Inputs) == 0
	return nil
}

// Forced implements strategy.Forced.
func (s *search) Forced() bool { return s.forced }

// Status implements strategy.Strategy.
func (s *search) Status() strategy.Status {
	return strategy.Status{
		Finished: s.finished(),
		Counts:   run.Counts{Candidates: s.runs},
		Degree:   -1,
		Promise:  s.promise.text(s.corpus),
	}
}

func (s *search) finished() bool { return s.options.Runs > 0 && s.runs == s.options.Runs }

// An observer counts the steps of a run.
type observer struct {
	run.Scheduler
	stepCounter
	profile *Profile // nil if it is not needed
	chose   bool     // there was more than one possibility somewhere
}

// Choose implements run.Scheduler.
func (w *observer) Choose(p *run.SchedulingPoint) int {
	w.chose = w.chose || p.Kind == run.Value && p.N > 1 || p.Kind == run.Step && len(p.Enabled) > 1
	return w.Scheduler.Choose(p)
}

// Stepping implements run.Watcher.
func (w *observer) Stepping(t *run.Transition, trace *run.Trace) bool {
	w.count(trace.Pending, nil)
	w.step(t)
	if w.profile != nil {
		w.profile.step(t, trace.Pending)
	}
	if inner, ok := w.Scheduler.(run.Watcher); ok {
		return inner.Stepping(t, trace)
	}
	return true
}
