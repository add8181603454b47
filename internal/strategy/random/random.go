package random

import (
	"context"
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
)

// Options are the settings of a search.
type Options struct {
	Sampling Sampling
	Seed     uint64
	Runs     int        // how many to make, 0 for no bound
	Seeds    []vm.Input // inputs to begin with
	MaxLen   int        // length of the longest string or slice to try, 0 for DefaultMaxLen
}

// DefaultMaxLen is the default of Options.MaxLen.
const DefaultMaxLen = 32

// A Sampling is a way to draw schedules.
type Sampling uint8

// The ways to draw schedules.
const (
	Walks         Sampling = iota // Walk
	Priorities                    // PCT, for bugs of depth 1, 2 and 3 in turns
	PartialOrders                 // POS
)

// String returns the name that the -strategy flag takes.
func (s Sampling) String() string {
	return [...]string{"random", "pct", "pos"}[s]
}

// New returns a random search. It ends after Options.Runs runs.
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
	current run
}

// A run is what the search knows of a run that it has asked for.
type run struct {
	of    *entry // whose input it takes unchanged, nil for none
	draw  draw   // of its schedule
	fresh bool   // the schedule was drawn for this run
	watch *watcher
}

// A draw is what a schedule follows from, but for the input.
type draw struct {
	seed1, seed2 uint64
	depth        int // of a PCT scheduler, else 0
	steps        int // that it expects
}

// Name implements strategy.Strategy.
func (s *search) Name() string { return s.options.Sampling.String() }

// Next implements strategy.Strategy. The first runs take the given inputs as
// they are.
func (s *search) Next(context.Context) (*strategy.Job, error) {
	if s.finished() {
		return nil, nil
	}
	n := s.runs
	s.runs++
	plan := &vm.Plan{}
	s.current = run{draw: s.draw(), fresh: true}
	switch from, ok := s.corpus.given(n); {
	case ok:
		s.current.of = from
	case s.corpus.mutator.Empty():
		s.current.of = s.corpus.entries[0]
	default:
		from = s.corpus.pick(s.rand)
		if s.promise.goroutines > 1 && s.rand.IntN(4) == 0 {
			s.current.of = from
			break
		}
		plan.Input = s.corpus.mutator.Mutate(s.rand, from.input, s.corpus.pick(s.rand).input)
		if from.ran && s.rand.IntN(2) == 0 {
			s.current.draw, s.current.fresh = from.draw, false
		}
	}
	if s.current.of != nil {
		plan.Input = s.current.of.copy()
	}
	s.current.watch = &watcher{Scheduler: s.scheduler(s.current.draw), meter: newMeter()}
	return &strategy.Job{Plan: plan, Scheduler: s.current.watch}, nil
}

// draw draws a schedule. That of the first run is a walk, which tells how many
// steps there are.
func (s *search) draw() draw {
	d := draw{seed1: s.rand.Uint64(), seed2: s.rand.Uint64()}
	if s.options.Sampling == Priorities && s.promise.steps > 0 {
		d.depth, d.steps = 1+s.runs%maxDepth, s.promise.steps
	}
	return d
}

func (s *search) scheduler(d draw) vm.Scheduler {
	r := rand.New(rand.NewPCG(d.seed1, d.seed2))
	switch {
	case d.depth > 0:
		return PCT(r, d.depth, d.steps)
	case s.options.Sampling == PartialOrders:
		return POS(r)
	}
	return Walk(r)
}

// Learn implements strategy.Strategy.
func (s *search) Learn(_ context.Context, job *strategy.Job, t *vm.Trace, from *expr.Arena) error {
	c := &s.current
	w := c.watch
	if c.draw.depth == 0 || w.steps <= patience(c.draw.steps) {
		s.promise.size(w.goroutines(), w.steps)
	}
	if c.of != nil && c.fresh {
		s.promise.count(c.of, c.draw)
	}
	s.corpus.learn(t, from, c)
	return nil
}

// Status implements strategy.Strategy.
func (s *search) Status() strategy.Status {
	return strategy.Status{
		Finished:   s.finished(),
		Candidates: s.runs,
		Degree:     -1,
		Promise:    s.promise.text(s.corpus),
	}
}

func (s *search) finished() bool { return s.options.Runs > 0 && s.runs == s.options.Runs }

// A watcher measures a run.
type watcher struct {
	vm.Scheduler
	meter
}

// Stepping implements vm.Watcher.
func (w *watcher) Stepping(o *vm.Option, t *vm.Trace) bool {
	w.arrive(t.Pending, nil)
	w.step(o)
	if inner, ok := w.Scheduler.(vm.Watcher); ok {
		return inner.Stepping(o, t)
	}
	return true
}
