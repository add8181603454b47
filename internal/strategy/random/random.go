package random

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
)

// Options are the settings of a search.
type Options struct {
	Seed  uint64
	Runs  int        // how many to make, 0 for no bound
	Seeds []vm.Input // inputs to begin with
}

// New returns a random search. It ends after Options.Runs runs.
func New(o Options) strategy.Strategy {
	s := &search{options: o, rand: rand.New(rand.NewPCG(o.Seed, 0x65766572)), steps: 1}
	s.inputs = append(s.inputs, vm.Input{})
	for _, in := range o.Seeds {
		s.inputs = append(s.inputs, maps.Clone(in))
	}
	return s
}

// search implements strategy.Strategy.
type search struct {
	options Options
	rand    *rand.Rand
	runs    int

	inputs    []vm.Input // worth mutating: the given ones, and those that covered something new
	variables []vm.InputVar
	covered   []uint64
	steps     int // of the longest run
	counter   *counter
}

func (s *search) Name() string { return "random" }

// Next implements strategy.Strategy. The first runs take the given inputs as
// they are.
func (s *search) Next(context.Context) (*strategy.Job, error) {
	if s.options.Runs > 0 && s.runs == s.options.Runs {
		return nil, nil
	}
	n := s.runs
	s.runs++
	var in vm.Input
	if n <= len(s.options.Seeds) {
		in = maps.Clone(s.inputs[n])
	} else {
		in = s.mutate(s.inputs[s.rand.IntN(len(s.inputs))])
	}
	choice := rand.New(rand.NewPCG(s.rand.Uint64(), s.rand.Uint64()))
	s.counter = &counter{Scheduler: Walk(choice)}
	if n%2 == 1 {
		s.counter.Scheduler = PCT(choice, 1+s.rand.IntN(maxDepth), s.steps)
	}
	return &strategy.Job{Plan: &vm.Plan{Input: in}, Scheduler: s.counter}, nil
}

// Learn implements strategy.Strategy.
func (s *search) Learn(_ context.Context, job *strategy.Job, t *vm.Trace, _ *expr.Arena) error {
	s.steps = max(s.steps, s.counter.steps)
	for _, v := range t.Inputs {
		known := slices.ContainsFunc(s.variables, func(w vm.InputVar) bool { return w.Name == v.Name })
		if !known {
			s.variables = append(s.variables, vm.InputVar{Name: v.Name, Width: v.Width})
		}
	}
	fresh := false
	for i, word := range t.Covered {
		if i == len(s.covered) {
			s.covered = append(s.covered, 0)
		}
		fresh = fresh || word&^s.covered[i] != 0
		s.covered[i] |= word
	}
	if fresh {
		s.inputs = append(s.inputs, job.Plan.Input)
	}
	return nil
}

// Status implements strategy.Strategy.
func (s *search) Status() strategy.Status {
	return strategy.Status{
		Finished:   s.options.Runs > 0 && s.runs == s.options.Runs,
		Candidates: s.runs,
		Degree:     -1,
	}
}

// mutate returns a changed copy of an input: some of the variables that runs
// have drawn get other values.
func (s *search) mutate(in vm.Input) vm.Input {
	out := maps.Clone(in)
	if len(s.variables) == 0 {
		return out
	}
	for range 1 + s.rand.IntN(3) {
		v := s.variables[s.rand.IntN(len(s.variables))]
		out[v.Name] = s.value(out[v.Name], v.Width, out)
	}
	return out
}

// value draws a value for a variable of some width from the one it had.
func (s *search) value(was uint64, width uint8, in vm.Input) uint64 {
	mask := uint64(1)<<width - 1 // also for width 64
	r := s.rand
	switch r.IntN(6) {
	case 0: // a boundary
		top := uint64(1) << (width - 1)
		return []uint64{0, 1, mask, mask - 1, top, top - 1}[r.IntN(6)] & mask
	case 1: // small
		return r.Uint64N(16) & mask
	case 2: // near
		return (was + r.Uint64N(9) - 4) & mask
	case 3: // a bit
		return was ^ 1<<r.IntN(int(width))
	case 4: // equal to another, or next to it
		v := s.variables[r.IntN(len(s.variables))]
		return (in[v.Name] + r.Uint64N(3) - 1) & mask
	default:
		return r.Uint64() & mask
	}
}

// A counter counts the steps of a run.
type counter struct {
	vm.Scheduler
	steps int
}

// Stepping implements vm.Watcher.
func (c *counter) Stepping(o *vm.Option, t *vm.Trace) bool {
	c.steps++
	if w, ok := c.Scheduler.(vm.Watcher); ok {
		return w.Stepping(o, t)
	}
	return true
}
