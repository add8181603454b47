package generational

import (
	"cmp"
	"context"
	"encoding/binary"
	"hash/fnv"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/random/mutate"
)

// Options are the settings of a search.
type Options struct {
	Seeds  []run.Input   // inputs to begin with, besides the empty one
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

// Limits of what is remembered: expressions in the arena, and the features met.
const (
	maxExpressions = 1 << 21
	maxFeatures    = 1 << 20
)

// New returns a generational search.
func New(o Options) strategy.Strategy {
	o.Solver.Budget = cmp.Or(o.Solver.Budget, patience)
	s := &search{
		options: o,
		mutator: mutate.New(o.MaxLen),
		seen:    map[uint64]bool{},
		met:     map[feature]bool{},
		went:    map[way]int{},
		tired:   map[way]int{},
		relaxed: map[way]int{},
		wished:  map[wish]int{},
		open:    map[string]bool{},
		room:    maxExpressions,
	}
	s.options.Solver.Stats = &s.stats
	s.use(expr.NewArena())
	for _, input := range append([]run.Input{{}}, o.Seeds...) {
		s.add(&item{input: maps.Clone(input)})
	}
	return s
}

// search implements strategy.Strategy.
type search struct {
	options Options
	queue   queue
	strict  bool  // in tests: nothing is tried that may take one path twice (leap.go)
	pending *item // taken from the queue; a question about it may have been interrupted
	current *item // whose run is being made
	mutator *mutate.Mutator
	runs    int

	seen    map[uint64]bool  // hashes of inputs that are run or wait
	met     map[feature]bool // in runs, or wanted by an item
	went    map[way]int      // runs
	tired   map[way]int      // questions that slow could not answer
	relaxed map[way]int      // questions that had no answer and were relaxed
	wished  map[wish]int     // inputs made of them
	open    map[string]bool  // what was given up

	arena  *expr.Arena // of the items, and what the solvers work on
	room   int         // expressions at which the arena is to be tidied up
	copier expr.Copier // from the machine's arena to that one
	quick  *solve.Solver
	slow   *solve.Solver // with more patience
	stats  solve.Stats   // of both
}

// A feature is a condition at a place: what it says and how it went.
type feature struct {
	site run.SiteID
	cond uint64 // expr.Arena.Hash
}

// A way is one that a run can go at a place.
type way struct {
	site    run.SiteID
	negated bool
}

func (w way) other() way { return way{w.site, !w.negated} }

// Next implements strategy.Strategy.
func (s *search) Next(ctx context.Context) (*strategy.Job, error) {
	s.current = nil
	for {
		if s.pending == nil {
			s.pending = s.queue.pop()
		}
		it := s.pending
		if it == nil {
			return nil, nil
		}
		if it.origin != nil {
			input, bound, err := s.flip(ctx, it)
			if err != nil {
				return nil, err
			}
			if input == nil || s.known(input) {
				s.pending = nil
				continue
			}
			it = &item{input: input, bound: bound}
		}
		s.pending, s.current = nil, it
		s.runs++
		return &strategy.Job{Plan: &run.Plan{Input: it.input, InputToState: !s.strict, Merge: run.MergeAll}, Scheduler: run.NonPreemptive{}}, nil
	}
}

// Status implements strategy.Strategy.
func (s *search) Status() strategy.Status {
	return strategy.Status{
		Finished: s.queue.size == 0 && s.pending == nil,
		Counts:   run.Counts{Candidates: s.runs},
		Degree:   -1,
		Solver:   s.stats,
		Open:     slices.Sorted(maps.Keys(s.open)),
	}
}

// Learn implements strategy.Strategy.
func (s *search) Learn(_ context.Context, _ *strategy.Job, trace *run.Trace, from *expr.Arena) error {
	s.tidy()
	s.copier.From = from
	s.copier.Restart()
	o := newOrigin(trace, &s.copier)
	for i := range trace.Path {
		s.meet(trace.Path[i].Site, o.path[i])
	}
	s.mutator.Learn(trace.Inputs)
	if n := s.rarity(trace); n <= rare {
		for _, input := range s.mutator.Neighbours(o.input(s.arena)) {
			s.add(&item{input: input, rarity: n})
		}
	}
	s.addWishes(trace, o)
	s.addFlips(trace, o, s.current.bound)
	return nil
}

// addFlips adds an item for each condition of a run from number bound on.
func (s *search) addFlips(trace *run.Trace, o *origin, bound int) {
	end := len(trace.Path)
	if end > bound+maxFlips {
		end = bound + maxFlips
		s.open["a run met more conditions than are flipped"] = true
	}
	o.path = o.path[:end]
	for i := bound; i < end; i++ {
		c := &trace.Path[i]
		if c.Kind == run.Assumed {
			continue
		}
		it := &item{origin: o, index: i, site: c.Site, negated: c.Negated, kind: c.Kind}
		it.share = o.weight() / (end - bound)
		s.push(it, s.meet(c.Site, s.arena.Not(o.path[i])))
	}
}

// meet notes a condition, and reports whether it is new.
func (s *search) meet(site run.SiteID, cond expr.ID) bool {
	if len(s.met) >= maxFeatures {
		clear(s.met)
	}
	f := feature{site, s.arena.Hash(cond)}
	fresh := !s.met[f]
	s.met[f] = true
	return fresh
}

// add puts an item with an input into the queue unless the input was there before.
func (s *search) add(it *item) {
	if !s.known(it.input) {
		s.push(it, true)
	}
}

func (s *search) push(it *item, novel bool) {
	if !s.queue.push(it, novel) {
		s.open["more inputs wait than are kept"] = true
	}
}

// flip returns an input that meets the conditions before the one that an item is about, and
// not that one; or, when there is none, one that may lead there all the same. It is nil when
// there is nothing to be run. bound is the number of conditions that the run shares with
// others that have been flipped or will be.
func (s *search) flip(ctx context.Context, it *item) (input run.Input, bound int, err error) {
	o := it.origin
	cond := o.path[it.index]
	query := append(slices.Clone(o.path[:it.index]), s.arena.Not(cond))
	for _, v := range it.tried {
		x := o.neededAt(it.index)
		query = append(query, s.arena.Ne(x, s.arena.Const(v, s.arena.Width(x))))
	}
	solver, there := s.quick, way{it.site, !it.negated}
	isNew := it.kind != run.Concretized && s.went[there] == 0
	if isNew && s.tired[there] < maxTired {
		solver = s.slow
	}
	result, model, err := solver.CheckNear(ctx, query, o.hint())
	if err != nil {
		return nil, 0, err
	}
	bound = it.index + 1
	switch result {
	case solve.Unknown:
		if solver == s.slow {
			s.tired[there]++
		}
		s.open["the solver gave up on a condition"] = true
		return nil, 0, nil
	case solve.Unsat:
		if s.strict || !isNew || s.relaxed[there] >= maxRelaxed {
			return nil, 0, nil
		}
		s.relaxed[there]++
		if model, bound, err = s.relax(ctx, solver, o, query); model == nil {
			return nil, 0, err
		}
	default:
		// The condition says that a value is the one that was needed. Then others.
		if it.kind == run.Concretized && len(it.tried) < maxValues {
			again := *it
			again.tried = append(slices.Clone(it.tried), model.Eval(o.neededAt(it.index)))
			s.push(&again, false)
		}
	}
	input = o.input(s.arena)
	for _, v := range model.Vars() {
		input[s.arena.VarName(v)] = model.Value(v)
	}
	return input, bound, nil
}

// use makes a the arena of the search.
func (s *search) use(a *expr.Arena) {
	quick := s.options.Solver
	quick.Budget = max(1, quick.Budget/quickness)
	s.arena = a
	s.copier = expr.Copier{To: a}
	s.quick, s.slow = solve.New(a, quick), solve.New(a, s.options.Solver)
}

// tidy moves what is still needed to a new arena when the present one is full.
func (s *search) tidy() {
	if s.arena.Len() < s.room {
		return
	}
	c := expr.Copier{To: expr.NewArena(), From: s.arena}
	for o := range s.queue.origins() {
		o.move(&c)
	}
	s.use(c.To)
	s.room = max(maxExpressions, 2*s.arena.Len())
}

// known notes an input and reports whether it was noted before. A variable that is 0
// may be absent.
func (s *search) known(input run.Input) bool {
	h := fnv.New64a()
	var b []byte
	for _, name := range slices.Sorted(maps.Keys(input)) {
		if v := input[name]; v != 0 {
			b = binary.AppendUvarint(append(append(b[:0], name...), 0), v)
			h.Write(b)
		}
	}
	key := h.Sum64()
	was := s.seen[key]
	s.seen[key] = true
	return was
}
