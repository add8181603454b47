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
	Seeds  []run.Input   // the first inputs, besides the empty one
	MaxLen int           // length of the longest string or slice
	Solver solve.Options // how queries are answered; Stats is not used, the default of Budget is moderate

	Subjects strategy.Subjects // of the queries
}

// maxValues bounds the values that are tried at a condition in the place of a value that was
// concretized, such as a length or an index.
const maxValues = 16

// maxFlips bounds the flips of a run: those of the first conditions.
const maxFlips = 2000

// defaultBudget is the default of Options.Solver.Budget, some tenths of a second: there are
// other flips, and other strategies have larger budgets. Only queries for outcomes that no
// run has yet have all of it, until maxUnanswered of an outcome were not answered; the
// others have one part in quickShare.
const (
	defaultBudget = 1_000_000
	quickShare    = 20
	maxUnanswered = 4
)

// Limits of memory: expressions in the arena, and features.
const (
	maxExpressions = 1 << 21
	maxFeatures    = 1 << 20
)

// New returns a generational search.
func New(o Options) strategy.Strategy {
	o.Solver.Budget = cmp.Or(o.Solver.Budget, defaultBudget)
	s := &search{
		options:    o,
		mutator:    mutate.New(o.MaxLen),
		seen:       map[uint64]bool{},
		features:   map[feature]bool{},
		reached:    map[outcome]int{},
		unanswered: map[outcome]int{},
		relaxed:    map[outcome]int{},
		replaced:   map[correspondence]int{},
		open:       map[string]bool{},
		arenaLimit: maxExpressions,
	}
	s.options.Solver.Stats = &s.stats
	s.setArena(expr.NewArena())
	for _, input := range append([]run.Input{{}}, o.Seeds...) {
		s.add(&item{input: maps.Clone(input)})
	}
	return s
}

// search implements strategy.Strategy.
type search struct {
	options Options
	queue   queue
	strict  bool  // in tests: nothing is tried that may take a path twice (relax.go)
	pending *item // taken from the queue; its query may have been interrupted
	current *item // of the last job
	mutator *mutate.Mutator
	runs    int

	seen       map[uint64]bool        // hashes of the inputs of all items
	features   map[feature]bool       // of runs and of flips
	reached    map[outcome]int        // number of runs
	unanswered map[outcome]int        // number of queries that slow did not answer
	relaxed    map[outcome]int        // number of queries that were relaxed
	replaced   map[correspondence]int // number of inputs that were made
	open       map[string]bool        // what was given up

	arena      *expr.Arena // of the items and the solvers
	arenaLimit int         // number of expressions at which the arena is compacted
	copier     expr.Copier // from the machine's arena to that one
	quick      *solve.Solver
	slow       *solve.Solver // with the whole budget
	stats      solve.Stats   // of both
}

// A feature is a condition at a site.
type feature struct {
	site run.SiteID
	cond uint64 // expr.Arena.Hash
}

// An outcome is a side of a branch.
type outcome struct {
	site    run.SiteID
	negated bool
}

func (o outcome) opposite() outcome { return outcome{o.site, !o.negated} }

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
			input, begins, err := s.flip(ctx, it)
			if err != nil {
				return nil, err
			}
			if input == nil || s.known(input) {
				s.pending = nil
				continue
			}
			it = &item{input: input, begins: begins}
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
	s.compact()
	s.copier.From = from
	s.copier.Restart()
	o := newOrigin(trace, &s.copier)
	for i := range trace.Path {
		s.note(trace.Path[i].Site, o.path[i])
	}
	s.mutator.Learn(trace.Inputs)
	if n := s.rarity(trace); n <= rare {
		for _, input := range s.mutator.Neighbours(o.input(s.arena)) {
			s.add(&item{input: input, rarity: n})
		}
	}
	s.addReplacements(trace, o)
	s.addFlips(trace, o, s.common(o))
	return nil
}

// common returns how many of the conditions with which the current run was to begin it does
// begin with. Those after them have to be flipped.
func (s *search) common(o *origin) int {
	for i, hash := range s.current.begins {
		if i == len(o.path) || hash != unknown && s.arena.Hash(o.path[i]) != hash {
			s.open[strategy.Elsewhere] = true
			return i
		}
	}
	return len(s.current.begins)
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
		it := &item{origin: o, index: i, site: c.Site, negated: c.Negated, kind: c.Kind, subject: s.options.Subjects.Of(i)}
		it.share = o.weight() / (end - bound)
		s.push(it, s.note(c.Site, s.arena.Not(o.path[i])))
	}
}

// note adds a condition to the features, and reports whether it is new.
func (s *search) note(site run.SiteID, cond expr.ID) bool {
	if len(s.features) >= maxFeatures {
		clear(s.features)
	}
	f := feature{site, s.arena.Hash(cond)}
	fresh := !s.features[f]
	s.features[f] = true
	return fresh
}

// add adds an item with an input to the queue unless the input was there before.
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

// flip returns an input that satisfies the conditions before that of the flip it and negates
// that one, or else, if there is none, an input that may have the same outcome nevertheless.
// It is nil if there is nothing to run. begins are the hashes of the conditions with which the
// run must begin.
func (s *search) flip(ctx context.Context, it *item) (input run.Input, begins []uint64, err error) {
	o := it.origin
	cond := o.path[it.index]
	query := append(slices.Clone(o.path[:it.index]), s.arena.Not(cond))
	for _, v := range it.tried {
		x := o.concretizedAt(it.index)
		query = append(query, s.arena.Ne(x, s.arena.Const(v, s.arena.Width(x))))
	}
	solver, target := s.quick, outcome{it.site, !it.negated}
	isNew := it.kind != run.Concretized && s.reached[target] == 0
	if isNew && s.unanswered[target] < maxUnanswered {
		solver = s.slow
	}
	solver.About(it.subject)
	result, model, err := solver.CheckNear(ctx, query, o.hint())
	if err != nil {
		return nil, nil, err
	}
	known := it.index + 1
	switch result {
	case solve.Unknown:
		if solver == s.slow {
			s.unanswered[target]++
		}
		s.open["the solver gave up on a condition"] = true
		return nil, nil, nil
	case solve.Unsat:
		if s.strict || !isNew || s.relaxed[target] >= maxRelaxed {
			return nil, nil, nil
		}
		s.relaxed[target]++
		if model, known, err = s.relax(ctx, solver, o, query); model == nil {
			return nil, nil, err
		}
	default:
		// The condition says that a value is the one to which it was concretized: there may
		// be more than one other value.
		if it.kind == run.Concretized && len(it.tried) < maxValues {
			again := *it
			again.tried = append(slices.Clone(it.tried), model.Eval(o.concretizedAt(it.index)))
			s.push(&again, false)
		}
	}
	input = o.input(s.arena)
	for _, v := range model.Vars() {
		input[s.arena.VarName(v)] = model.Value(v)
	}
	begins = make([]uint64, known)
	for i := range begins {
		switch {
		case i < it.index:
			begins[i] = s.arena.Hash(o.path[i])
		case it.kind == run.Concretized:
			begins[i] = unknown
		default:
			begins[i] = s.arena.Hash(s.arena.Not(cond))
		}
	}
	return input, begins, nil
}

// setArena makes a the arena of the search.
func (s *search) setArena(a *expr.Arena) {
	quick := s.options.Solver
	quick.Budget = max(1, quick.Budget/quickShare)
	s.arena = a
	s.copier = expr.Copier{To: a}
	s.quick, s.slow = solve.New(a, quick), solve.New(a, s.options.Solver)
}

// compact moves what is still needed to a new arena if the present one is full.
func (s *search) compact() {
	if s.arena.Len() < s.arenaLimit {
		return
	}
	c := expr.Copier{To: expr.NewArena(), From: s.arena}
	for o := range s.queue.origins() {
		o.moveTo(&c)
	}
	s.setArena(c.To)
	s.arenaLimit = max(maxExpressions, 2*s.arena.Len())
}

// known adds an input to those seen, and reports whether it was there before. A variable that is
// 0 may be absent.
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
