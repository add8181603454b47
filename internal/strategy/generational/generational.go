package generational

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/random/mutate"
	"github.com/everyway-go/everyway/internal/vm"
)

// Options are the settings of a search.
type Options struct {
	Seeds  []vm.Input    // inputs to begin with, besides the empty one
	MaxLen int           // length of the longest string or slice
	Solver solve.Options // how queries are answered, but for Stats; without a budget, with patience for easy ones
}

// maxValues bounds the values tried for one that had to be concrete, such as a
// length or an index, at one place in a run.
const maxValues = 16

// maxFlips bounds the conditions of a run that are made to go the other way, the first
// ones.
const maxFlips = 2000

// patience is the default of Options.Solver.Budget, some tenths of a second:
// other conditions will do, and other strategies wait longer. So long are waited
// for only the questions that lead where no run has been, maxTired for each place; the
// others have one part in quickness of that.
const (
	patience  = 1_000_000
	quickness = 20
	maxTired  = 4
)

// rare bounds the runs that come to a place and are still worth a close look.
const rare = 32

// New returns a generational search.
func New(o Options) strategy.Strategy {
	o.Solver.Budget = cmp.Or(o.Solver.Budget, patience)
	s := &search{options: o, seen: map[string]bool{}, met: map[feature]bool{}, open: map[string]bool{}, went: map[way]int{}, tired: map[way]int{}, mutator: mutate.New(o.MaxLen)}
	s.options.Solver.Stats = &s.stats
	for _, input := range append([]vm.Input{{}}, o.Seeds...) {
		s.add(&item{input: maps.Clone(input)}, true)
	}
	return s
}

// search implements strategy.Strategy.
type search struct {
	options Options
	queue   queue
	seen    map[string]bool  // inputs, by their text
	met     map[feature]bool // in runs, or wanted by an item
	went    map[way]int      // runs
	open    map[string]bool  // what was given up
	mutator *mutate.Mutator
	current *item
	runs    int

	arena *expr.Arena // that the solvers work on
	quick *solve.Solver
	slow  *solve.Solver // with more patience
	stats solve.Stats   // of both
	tired map[way]int   // questions that slow could not answer
}

// A feature is a condition at a place: what it says and how it went.
type feature struct {
	site vm.SiteID
	cond uint64 // expr.Arena.Hash
}

// A way is one that a run can go at a place.
type way struct {
	site    vm.SiteID
	negated bool
}

// Name implements strategy.Strategy.
func (s *search) Name() string { return "generational" }

// Next implements strategy.Strategy.
func (s *search) Next(context.Context) (*strategy.Job, error) {
	if s.current = s.queue.pop(); s.current == nil {
		return nil, nil
	}
	s.runs++
	return &strategy.Job{Plan: &vm.Plan{Input: s.current.input}, Scheduler: vm.RunOn{}}, nil
}

// Status implements strategy.Strategy.
func (s *search) Status() strategy.Status {
	return strategy.Status{
		Finished:   s.queue.size == 0,
		Candidates: s.runs,
		Degree:     -1,
		Solver:     s.stats,
		Open:       slices.Sorted(maps.Keys(s.open)),
	}
}

// Learn implements strategy.Strategy.
func (s *search) Learn(ctx context.Context, _ *strategy.Job, t *vm.Trace, from *expr.Arena) error {
	if s.arena != from {
		quick := s.options.Solver
		quick.Budget = max(1, quick.Budget/quickness)
		s.arena, s.quick, s.slow = from, solve.New(from, quick), solve.New(from, s.options.Solver)
	}
	s.quick.Reset()
	s.slow.Reset()
	for i := range t.Path {
		s.meet(&t.Path[i], t.Path[i].Cond)
	}
	f := flipper{search: s, trace: t, values: map[string]uint64{}}
	for _, v := range t.Inputs {
		f.values[v.Name] = v.Value
	}
	s.mutator.Learn(t.Inputs)
	if n := s.rarity(t); n <= rare {
		for _, input := range s.mutator.Neighbours(f.values) {
			s.add(&item{input: input, rarity: n}, true)
		}
	}
	for i := range t.Path {
		if i >= s.current.bound && t.Path[i].Kind != vm.Assumed {
			if i >= s.current.bound+maxFlips {
				s.open["a run met more conditions than are flipped"] = true
				break
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := f.flip(ctx, i); err != nil {
				return err
			}
		}
		f.conj = append(f.conj, t.Path[i].Cond)
	}
	return nil
}

// rarity counts the ways that a run went. It returns how many runs have come to the
// rarest place that it came to, of those from which no run has gone the other way.
func (s *search) rarity(t *vm.Trace) int {
	ways := map[way]bool{}
	for i := range t.Path {
		if c := &t.Path[i]; c.Kind == vm.Jump {
			ways[way{c.Site, c.Negated}] = true
		}
	}
	for w := range ways {
		s.went[w]++
	}
	least := math.MaxInt
	for w := range ways {
		if s.went[way{w.site, !w.negated}] == 0 {
			least = min(least, s.went[w])
		}
	}
	return least
}

// meet notes a condition, and reports whether it is new.
func (s *search) meet(c *vm.Condition, cond expr.ID) bool {
	f := feature{c.Site, s.arena.Hash(cond)}
	fresh := !s.met[f]
	s.met[f] = true
	return fresh
}

// add puts an item into the queue unless its input was there before.
func (s *search) add(it *item, novel bool) {
	key := inputKey(it.input)
	if s.seen[key] {
		return
	}
	s.seen[key] = true
	if !s.queue.push(it, novel) {
		s.open["more inputs wait than are kept"] = true
	}
}

// A flipper finds the children of a run.
type flipper struct {
	*search
	trace  *vm.Trace
	values map[string]uint64 // of the run's inputs
	conj   []expr.ID         // the conditions before the one that is flipped
}

// flip adds inputs that meet the conditions before index i and not that one.
func (f *flipper) flip(ctx context.Context, i int) error {
	c := &f.trace.Path[i]
	other := f.arena.Not(c.Cond)
	novel := f.meet(c, other)
	query := append(slices.Clone(f.conj), other)
	solver, there := f.quick, way{c.Site, !c.Negated}
	if f.went[there] == 0 && f.tired[there] < maxTired {
		solver = f.slow
	}
	values := 1
	if c.Kind == vm.Address {
		values = maxValues
	}
	for range values {
		result, model, err := solver.CheckNear(ctx, query, f.hint)
		if err != nil {
			return err
		}
		switch result {
		case solve.Unsat:
			return nil
		case solve.Unknown:
			if solver == f.slow {
				f.tired[there]++
			}
			f.open["the solver gave up on a condition"] = true
			return nil
		}
		input := maps.Clone(vm.Input(f.values))
		for _, v := range model.Vars() {
			input[f.arena.VarName(v)] = model.Value(v)
		}
		f.add(&item{input: input, bound: i + 1, site: c.Site}, novel)
		// The condition is x == v, for the value v that was needed. Not this one either.
		if f.arena.Op(c.Cond) != expr.Eq {
			return nil
		}
		x := f.arena.Arg(c.Cond, 0)
		query = append(query, f.arena.Ne(x, f.arena.Const(model.Eval(x), f.arena.Width(x))))
	}
	return nil
}

// hint returns the value of an input variable in the run.
func (f *flipper) hint(v expr.ID) uint64 { return f.values[f.arena.VarName(v)] }

// inputKey returns the same text for the same inputs. A variable that is 0 may
// be absent.
func inputKey(input vm.Input) string {
	var key []byte
	for _, name := range slices.Sorted(maps.Keys(input)) {
		if v := input[name]; v != 0 {
			key = binary.AppendUvarint(append(append(key, name...), 0), v)
		}
	}
	return string(key)
}
