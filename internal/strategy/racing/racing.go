package racing

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/schedule"
)

// search implements strategy.Strategy.
type search struct {
	config     strategy.Config
	frontier   *frontier
	sides      []int32 // the goroutines that are tried alone
	entries    map[uint64]bool
	index      index
	potentials []*potential // in the order in which they were found
	byPair     map[pair]*potential
	attempts   []attempt        // to be made next
	summaries  map[int32]int    // number of paths of a goroutine that differ in what they want of the inputs
	uses       map[string][]use // accesses of these, by the types of the objects
	kinds      map[kind]int     // number of uses
	jumps      []*jump
	runs       int
	attempted  int // of these, to confirm a race
	single     int // in which no goroutine was started
	paths      int
	lastJump   int // number of runs at the last integration
	integrated int // shapes
	adjusted   int // relations in them
	arrivals   int // jumps that have led to a structure that the test accepts
	// withGoroutines says that only targets that start goroutines are of interest.
	withGoroutines bool

	// Of the last job.
	jump    *jump
	attempt *attempt
	alone   *alone
	meet    *meet

	shapes       map[uint64]map[int32]int // number of paths of a goroutine in a shape
	combinations int
	finished     bool

	over   string // why the search has ended before its end
	arena  *expr.Arena
	copier expr.Copier
	solver *solve.Solver
	stats  solve.Stats
}

// An attempt is a run to be made to confirm a potential race.
type attempt struct {
	potential *potential
	candidate candidate
	input     run.Input
	legs      []leg
	last      bool // of the candidate
}

// Bounds of the search.
const (
	maxSides        = 8
	maxWithoutSides = 512     // runs in which no goroutine is started, of a part of a mix
	maxSingle       = 16      // of these, that are not skipped
	maxValues       = 16      // that are tried at a condition on a value that was made concrete
	maxExpressions  = 1 << 22 // in the arena of the search
	solverBudget    = 5_000_000
	firstAttempts   = 8 // candidates of a potential race that are tried at once; the runs of others
	attemptsShare   = 8 // are such a part of all, and there are so many if nothing else is left
	lastAttempts    = 64
	maxAlone        = 100_000 // runs of goroutines that are alone
)

// New returns a search.
func New(c strategy.Config) (strategy.Strategy, error) { return newSearch(c), nil }

func newSearch(c strategy.Config) *search {
	s := &search{
		config: c, frontier: newFrontier(), entries: make(map[uint64]bool), byPair: make(map[pair]*potential),
		shapes: make(map[uint64]map[int32]int), summaries: make(map[int32]int), uses: make(map[string][]use), kinds: make(map[kind]int),
		index: index{make(map[place][]use), make(map[likeness]int), c.Names}, arena: expr.NewArena(),
	}
	s.config.Solver.Stats = &s.stats
	s.config.Solver.Budget = cmp.Or(s.config.Solver.Budget, solverBudget)
	s.copier.To = s.arena
	s.solver = solve.New(s.arena, s.config.Solver)
	for _, input := range append([]run.Input{{}}, c.Seeds...) {
		s.frontier.push(novel, item{focus: nobody, of: &origin{input: maps.Clone(input)}, index: -1})
	}
	return s
}

// Next implements strategy.Strategy.
func (s *search) Next(ctx context.Context) (*strategy.Job, error) {
	s.attempt, s.jump, s.alone, s.meet = nil, nil, nil, nil
	for s.over == "" {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(s.attempts) > 0 {
			s.attempt = &s.attempts[0]
			s.attempts = s.attempts[1:]
			return s.confirm(s.attempt), nil
		}
		if p := s.due(); p != nil {
			if err := s.try(ctx, p); err != nil {
				return nil, err
			}
			continue
		}
		if len(s.jumps) > 0 {
			s.jump = s.jumps[0]
			s.jumps = s.jumps[1:]
			return s.start(s.jump.candidate.of[0].path.goroutine, s.jump.input), nil
		}
		if s.runs >= s.lastJump+jumpsEvery || s.frontier.empty() {
			s.lastJump = s.runs
			if made, err := s.integrate(ctx); made || err != nil {
				if err != nil {
					return nil, err
				}
				continue
			}
		}
		it, ok := s.frontier.pop()
		if !ok {
			s.finished = true
			break
		}
		input, err := s.inputOf(ctx, &it)
		if err != nil {
			return nil, err
		}
		if input == nil {
			continue
		}
		return s.start(it.focus, input), nil
	}
	return nil, nil
}

// start returns the job of a run in which a goroutine is alone first.
func (s *search) start(focus int32, input run.Input) *strategy.Job {
	s.runs++
	s.alone = &alone{names: s.config.Names, focus: focus}
	return &strategy.Job{Plan: &run.Plan{Input: input, Record: true, RecordPlain: true}, Scheduler: s.alone}
}

// inputOf returns the input to which an item leads, nil if there is none.
func (s *search) inputOf(ctx context.Context, it *item) (run.Input, error) {
	if it.index < 0 {
		return it.of.input, nil
	}
	query := make([]expr.ID, 0, it.index+len(it.tried)+1)
	for i := range it.of.conditions[:it.index] {
		query = append(query, it.of.conditions[i].holds)
	}
	c := &it.of.conditions[it.index]
	query = append(query, s.arena.Not(c.holds))
	for _, v := range it.tried {
		query = append(query, s.arena.Ne(c.value, s.arena.Const(v, s.arena.Width(c.value))))
	}
	input, model, _, err := s.solve(ctx, query, it.of.input)
	if input == nil {
		return nil, err
	}
	if c.kind == run.Concretized && len(it.tried) < maxValues {
		again := *it
		again.tried = append(slices.Clone(it.tried), model.Eval(c.value))
		r := entry
		if c.goroutine == it.focus {
			r = single
		}
		s.frontier.push(r, again)
	}
	return input, nil
}

// solve returns an input for which conditions hold, near another one; nil if there is none, or none is found.
func (s *search) solve(ctx context.Context, query []expr.ID, near run.Input) (run.Input, *solve.Model, solve.Result, error) {
	result, model, err := s.solver.CheckNear(ctx, query, func(v expr.ID) uint64 { return near[s.arena.VarName(v)] })
	if err != nil || result != solve.Sat {
		return nil, nil, result, err
	}
	input := maps.Clone(near)
	for _, v := range model.Vars() {
		input[s.arena.VarName(v)] = model.Value(v)
	}
	return input, model, result, nil
}

// due returns a potential race of which a candidate is to be tried now.
func (s *search) due() *potential {
	var next *potential
	for _, p := range s.potentials {
		share := s.attempted < s.runs/attemptsShare || p.tried < lastAttempts && s.frontier.empty()
		if !p.confirmed && len(p.candidates) > 0 && (p.tried < firstAttempts || share) && (next == nil || p.tried < next.tried) {
			next = p
		}
	}
	return next
}

// try adds the attempts for the next candidate of a potential race.
func (s *search) try(ctx context.Context, p *potential) error {
	c := p.candidates[0]
	p.candidates = p.candidates[1:]
	p.tried++
	input := c.of[1].path.of.input
	if c.of[1].path.after == nil && c.of[0].path.of != c.of[1].path.of {
		var query []expr.ID
		add := func(u use, first, last int) {
			for i := first; i < last; i++ {
				if o := &u.path.of.conditions[i]; i < u.path.first || o.goroutine == u.path.goroutine {
					query = append(query, o.holds)
				}
			}
		}
		add(c.of[1], 0, c.of[1].access.conditions)
		add(c.of[0], c.of[0].path.first, c.of[0].access.conditions)
		var result solve.Result
		var err error
		if input, _, result, err = s.solve(ctx, query, input); err != nil {
			return err
		}
		if input == nil {
			if result == solve.Unknown {
				p.unknown++
			} else {
				p.excluded++
			}
			return nil
		}
	}
	list := orders([2][]step{c.of[0].path.steps[:c.of[0].access.steps], c.of[1].path.steps[:c.of[1].access.steps]})
	if len(list) == 0 {
		p.excluded++
	}
	for i, legs := range list {
		s.attempts = append(s.attempts, attempt{p, c, input, legs, i == len(list)-1})
	}
	return nil
}

// confirm returns the job of an attempt.
func (s *search) confirm(a *attempt) *strategy.Job {
	s.runs++
	s.attempted++
	u, v := a.candidate.of[0], a.candidate.of[1]
	s.meet = &meet{
		names: s.config.Names, of: [2]int32{u.path.goroutine, v.path.goroutine},
		to: [2]*access{u.access, v.access}, legs: a.legs,
	}
	visible := run.Visible{Sites: map[run.SiteID]bool{u.access.site: true, v.access.site: true}}
	return &strategy.Job{Plan: &run.Plan{Input: a.input, Visible: visible, Record: true}, Scheduler: s.meet}
}

// Learn implements strategy.Strategy.
func (s *search) Learn(ctx context.Context, _ *strategy.Job, t *run.Trace, from *expr.Arena) error {
	for i := range t.Unordered {
		u := &t.Unordered[i]
		s.potential(pairOf(u.Earlier.Innermost(), u.Later.Innermost())).confirm()
	}
	if a := s.attempt; a != nil {
		p := a.potential
		switch {
		case p.confirmed:
			s.attempts = slices.DeleteFunc(s.attempts, func(b attempt) bool { return b.potential == p })
		case a.last:
			p.missed++
		}
		return nil
	}
	if s.arena.Len() > maxExpressions || s.runs-s.attempted > maxAlone {
		s.over = "the paths of goroutines that run alone need too much memory"
		return nil
	}
	s.copier.From = from
	s.copier.Restart()
	o := newOrigin(t, &s.copier)
	s.alone.end(t)
	s.addSides(t)
	if len(s.sides) == 0 && !t.Skipped {
		s.single++
	}
	if s.withGoroutines && len(s.sides) == 0 && (s.runs >= maxWithoutSides || s.single >= maxSingle) {
		s.over = "the target does not start goroutines"
		return nil
	}
	var p *path
	if s.alone.begun {
		p = s.learnPath(o, t)
	}
	begin, begun := s.beginning(t, p, len(o.conditions))
	s.frontier.addFlips(s.arena, o, p, s.alone.focus, begin)
	if begun || !t.Skipped { // no goroutine begins where a predicate has refused the input
		s.addEntry(o, p, begin)
	}
	if s.jump != nil {
		return s.arrived(ctx, s.jump, o, p)
	}
	return nil
}

// learnPath learns the path of the focus, and those of the goroutines that came after it.
func (s *search) learnPath(o *origin, t *run.Trace) *path {
	p := newPath(o, s.alone.focus, t, s.alone.first, s.alone.last)
	s.count(p)
	s.index.add(p, s.found)
	s.summarise(p)
	for _, g := range s.sides {
		if g == p.goroutine || s.isAncestor(g, p.goroutine) {
			continue
		}
		if q := newPath(o, g, t, s.alone.last, markOf(t)); len(q.accesses) > 0 {
			q.after = p
			sequential(s.config.Names, p, q, s.found)
		}
	}
	return p
}

// count counts a path, if it is a new one.
func (s *search) count(p *path) {
	all := newChain(uint64(p.goroutine))
	own := newChain(uint64(p.goroutine), p.of.shape)
	for i := range p.of.conditions[:p.last] {
		c := &p.of.conditions[i]
		sum := s.arena.Hash(c.holds)
		switch {
		case i < p.first:
			all = all.and(sum)
		case c.goroutine == p.goroutine:
			all, own = all.and(sum), own.and(sum)
		}
	}
	if s.frontier.first(all.with(1)) {
		s.paths++
	}
	if !s.frontier.first(own.with(2)) {
		return
	}
	in := s.shapes[p.of.shape]
	if in == nil {
		in = make(map[int32]int)
		s.shapes[p.of.shape] = in
	}
	for g, n := range in {
		if g != p.goroutine {
			s.combinations += n
		}
	}
	in[p.goroutine]++
}

// isAncestor reports whether one goroutine has started another one, or one that has.
func (s *search) isAncestor(of, g int32) bool {
	for ; g != nobody; g = s.config.Names.Parent(g) {
		if g == of {
			return true
		}
	}
	return false
}

// found notes that two accesses may race.
func (s *search) found(u, v use) {
	p := s.potential(pairOf(u.access.site, v.access.site))
	p.found = true
	switch {
	case p.confirmed:
	case len(p.candidates) == maxCandidates:
		p.dropped++
	default:
		p.candidates = append(p.candidates, candidate{[2]use{u, v}})
	}
}

// potential returns the potential race of two places.
func (s *search) potential(at pair) *potential {
	p := s.byPair[at]
	if p == nil {
		p = &potential{at: at}
		s.byPair[at] = p
		s.potentials = append(s.potentials, p)
	}
	return p
}

// confirm notes that the race has been seen.
func (p *potential) confirm() { p.found, p.confirmed, p.candidates, p.apart = true, true, nil, nil }

// addSides adds the goroutines of a run.
func (s *search) addSides(t *run.Trace) {
	add := func(g int32) {
		if !slices.Contains(s.sides, g) && len(s.sides) < maxSides {
			s.sides = append(s.sides, g)
		}
	}
	initialisers, spawner := t.Initialisers, int32(nobody)
	for i := range t.Events {
		if e := &t.Events[i]; e.Op == schedule.Spawn {
			if e.Goroutine == 0 && initialisers > 0 {
				initialisers--
				continue
			}
			add(e.Other)
			spawner = e.Goroutine
			continue
		}
		if e := &t.Events[i]; e.Goroutine == spawner && spawner != nobody {
			// Who has started others is one, too, if it goes on beside them.
			if _, _, ok := accessOf(e.Op); ok && (e.Object.Goroutine == run.InputObjects || e.Object.Goroutine == run.GlobalObjects) {
				add(spawner)
			}
			continue
		}
		spawner = nobody
	}
}

// beginning returns how many of the conditions of a run come before goroutines run concurrently,
// which are all if none does, and whether one does. The path p is that of the focus, nil if that
// did not run.
func (s *search) beginning(t *run.Trace, p *path, all int) (conditions int, begun bool) {
	if p != nil {
		return p.first, true
	}
	for _, g := range s.sides {
		if m := start(t, g); m.events >= 0 {
			all, begun = min(all, m.conditions), true
		}
	}
	return all, begun
}

// addEntry adds items that let the other goroutines begin where the focus has begun in a run, after so many conditions.
func (s *search) addEntry(o *origin, p *path, begin int) {
	sum := newChain()
	for i := range o.conditions[:begin] {
		sum = sum.and(s.arena.Hash(o.conditions[i].holds))
	}
	if s.entries[uint64(sum)] || len(s.sides) == 0 {
		return
	}
	s.entries[uint64(sum)] = true
	for _, g := range s.sides {
		if p == nil || g != p.goroutine {
			s.frontier.push(single, item{focus: g, of: o, index: -1})
		}
	}
}

// Status implements strategy.Strategy.
func (s *search) Status() strategy.Status {
	alone := &strategy.Alone{
		Paths: s.paths, Shapes: len(s.shapes), Combinations: s.combinations, Integrated: s.integrated, Adjusted: s.adjusted, Accepted: s.arrivals,
	}
	for _, p := range s.potentials {
		if p.found {
			alone.Races = append(alone.Races, strategy.PotentialRace{Sites: p.at, Confirmed: p.confirmed, Why: p.known()})
		}
	}
	return strategy.Status{
		Finished: s.finished, Counts: run.Counts{Candidates: s.runs}, Degree: -1, Solver: s.stats, Alone: alone,
	}
}
