package guided

import (
	"cmp"
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
)

// A Report says what a search has done, for the comparison with the paper.
type Report struct {
	Sets        int // abstract trace sets with the fewest call sites
	States      int // choices made by the trial that has reached the goal
	Length      int // of its abstract traces at first
	Refinements int // of them
	Runs        int
	Reached     bool
}

// search implements strategy.Strategy.
type search struct {
	config   strategy.Config
	guide    strategy.Guide
	system   *system
	rng      *rand.Rand
	minimal  int      // number of the first trials whose sets have the fewest call sites
	trials   []*trial // not done, the next one first
	current  *trial
	schedule *scheduler
	runs     int
	reached  *trial
	far      farthest
	suspect  *strategy.Suspect // what is looked for at the places; nil if they are to be reached only
	met      bool              // a run has come there

	arena  *expr.Arena // of the paths of records
	copier expr.Copier
	solver *solve.Solver
	stats  solve.Stats
}

// Bounds of the search.
const (
	maxTrials       = 256
	maxRefinements  = 1000    // of a trial
	maxAlternatives = 8       // of a refinement, that are tried later
	maxSpawning     = 2       // number of refinements of a trial of which others are tried later
	firstTurn       = 8       // runs of the first turn of a trial
	maxExpressions  = 1 << 21 // in the arena of the search
	solverBudget    = 5_000_000
)

// New returns a search for the places of c.Guide, or for what comes of its suspects.
func New(c strategy.Config) (strategy.Strategy, error) {
	if c.Guide != nil {
		if suspects := c.Guide.Suspects(); len(suspects) > 0 {
			return newSuspectsSearch(c, suspects), nil
		}
		if len(c.Guide.Places()) == 0 {
			c.Guide = nil
		}
	}
	return newSearch(c, nil), nil
}

// newSearch returns a search for the places of c.Guide, which are those of the suspect if there is one.
func newSearch(c strategy.Config, suspect *strategy.Suspect) *search {
	s := &search{config: c, guide: c.Guide, suspect: suspect, rng: rand.New(rand.NewPCG(c.Seed, 0x67756964))}
	s.config.Solver.Stats = &s.stats
	if s.config.Solver.Budget == 0 {
		s.config.Solver.Budget = solverBudget
	}
	s.setArena()
	if s.guide == nil {
		s.trials = []*trial{{}} // one run, which nothing guides
		return s
	}
	places := s.guide.Places()
	s.system = newSystem(s.guide, slices.Concat(places...))
	list, minimal := s.system.sets(places)
	s.minimal = minimal
	inputs := append([]run.Input{{}}, c.Seeds...)
	for _, set := range list {
		tr := &trial{next: attempt{set: set, input: inputs[0]}, length: set.length(), turn: firstTurn}
		for _, in := range slices.Backward(inputs[1:]) {
			tr.back = append(tr.back, option{of: &record{input: in}, set: set, seed: true})
		}
		s.trials = append(s.trials, tr)
	}
	return s
}

// setArena makes a new arena for the paths of records.
func (s *search) setArena() {
	s.arena = expr.NewArena()
	s.copier = expr.Copier{To: s.arena}
	s.solver = solve.New(s.arena, s.config.Solver)
}

// Next implements strategy.Strategy.
func (s *search) Next(context.Context) (*strategy.Job, error) {
	if s.finished() {
		return nil, nil
	}
	tr := s.trials[0]
	s.current = tr
	s.runs++
	plan := &run.Plan{Input: tr.next.input, Prefix: tr.next.prefix, Visible: s.config.Visible}
	if s.guide == nil {
		return &strategy.Job{Plan: plan, Scheduler: run.NonPreemptive{}}, nil
	}
	plan.Visible.Stops = s.stops(tr.next.set)
	s.schedule = newScheduler(s.guide, tr.next, s.suspect)
	return &strategy.Job{Plan: plan, Scheduler: s.schedule}, nil
}

// stops returns the sites at which goroutines stop in a run that is led along a set: the locations of the set, where goroutines
// start, the definitions of the system, before and after, and before what the branches of the set read, so that others can go
// on in between. At the other locations of the system there is nothing to decide.
func (s *search) stops(of set) map[run.SiteID]bool {
	stops := make(map[run.SiteID]bool)
	add := func(l strategy.Location) { stops[s.guide.Site(l)] = true }
	for _, l := range s.guide.Starts() {
		add(l)
	}
	for _, l := range s.system.order {
		if next := s.guide.AfterWrite(l); next != strategy.NoLocation {
			add(l)
			add(next)
		}
	}
	for _, t := range of {
		for _, st := range t {
			add(st.at)
			if st.side != strategy.AnySide || s.suspect != nil && s.suspect.Checks && st == t[len(t)-1] {
				for _, l := range s.guide.Reads(st.at) {
					add(l)
				}
			}
		}
	}
	delete(stops, run.NoSite)
	return stops
}

func (s *search) finished() bool { return s.reached != nil || len(s.trials) == 0 }

// Learn implements strategy.Strategy.
func (s *search) Learn(ctx context.Context, job *strategy.Job, trace *run.Trace, from *expr.Arena) error {
	tr := s.current
	if s.guide == nil {
		s.trials = nil
		return nil
	}
	sc := s.schedule
	sc.settle(trace)
	tr.states += sc.states
	if trace.Reached != nil {
		s.reached = tr
		return nil
	}
	s.met = s.met || sc.met
	s.far.note(sc)
	rec := s.record(trace, from)
	tr.addOptions(s.options(sc, trace, rec))
	next, err := s.after(ctx, tr, sc, trace, rec)
	if next == nil && err == nil {
		next, err = s.backtrack(ctx, tr)
	}
	if err != nil {
		return err
	}
	if next == nil {
		s.trials = slices.Delete(s.trials, 0, 1)
		return nil
	}
	tr.next = *next
	if !tr.nears(&sc.outcome) {
		s.endTurn(tr)
	}
	return nil
}

// endTurn lets another trial have its turn, if it is time: each turn is twice as long as the one before.
func (s *search) endTurn(tr *trial) {
	if tr.spent++; tr.spent >= tr.turn {
		tr.spent, tr.turn = 0, 2*tr.turn
		s.trials = append(s.trials[1:], tr)
	}
}

// after returns the run to make because of how a run has ended; nil if its options come next.
func (s *search) after(ctx context.Context, tr *trial, sc *scheduler, t *run.Trace, rec *record) (*attempt, error) {
	if sc.outcome.kind == ended {
		return nil, nil
	}
	if sc.outcome.kind == flip {
		p := sc.outcome.path
		input, err := s.flip(ctx, rec, p, s.arena.Not(rec.path[p]))
		if err != nil {
			return nil, err
		}
		if input != nil {
			tr.states++
			return &attempt{set: sc.set, prefix: rec.decisions[:t.Path[p].Decision], input: input, known: p + 1}, nil
		}
	}
	if tr.refined >= maxRefinements {
		return nil, nil
	}
	list := s.system.refine(sc.set, sc.outcome.trace, sc.outcome.left, sc.gone, s.rng)
	if len(list) == 0 {
		return nil, nil
	}
	restart := func(r refinement) attempt { return attempt{set: r.set, input: rec.input} }
	for _, r := range list[1:min(len(list), maxAlternatives)] { // they are tried later
		if tr.refined < maxSpawning && len(s.trials) < maxTrials {
			s.trials = append(s.trials, &trial{length: tr.length, refined: tr.refined + 1, next: restart(r), turn: firstTurn})
		}
	}
	tr.refined++
	next := restart(list[0])
	return &next, nil
}

// record returns what is kept of a run.
func (s *search) record(t *run.Trace, from *expr.Arena) *record {
	if s.arena.Len() > maxExpressions {
		for _, tr := range s.trials {
			for _, o := range tr.back {
				o.of.path = nil
			}
		}
		s.setArena()
	}
	s.copier.From = from
	s.copier.Restart()
	r := &record{decisions: slices.Clone(t.Decisions), input: run.Input{}, path: make([]expr.ID, len(t.Path))}
	for _, v := range t.Inputs {
		r.input[v.Name] = v.Value
	}
	for i := range t.Path {
		r.path[i] = s.copier.Copy(t.Path[i].Cond)
	}
	return r
}

// maxFlips bounds the conditions of a run of which the other outcome is an option.
const maxFlips = 256

// options returns the options of a run, the first one of the run first.
func (s *search) options(sc *scheduler, t *run.Trace, rec *record) []option {
	var flips, preferred []option
	for i := range t.Path {
		c := &t.Path[i]
		if c.Kind == run.Concretized && i >= sc.from.known && int(c.Decision) >= len(sc.from.prefix) {
			others, led := s.typesOf(sc.set, t, i)
			flips, preferred = append(flips, others...), append(preferred, led...)
		}
		if i < sc.from.known || int(c.Decision) < len(sc.from.prefix) || c.Kind != run.Jump && c.Kind != run.Check || len(flips) == maxFlips {
			continue
		}
		if sc.outcome.kind == flip && i == sc.outcome.path {
			continue // it is what comes next
		}
		flips = append(flips, option{set: sc.set, decisions: int(c.Decision), condition: i})
	}
	list := append(flips, sc.options...)
	slices.SortStableFunc(list, func(a, b option) int { return cmp.Compare(a.decisions, b.decisions) })
	list = append(list, preferred...)
	for i := range list {
		list[i].of = rec
	}
	return list
}

// typesOf returns the options for the dynamic type of an interface that condition i of a run has chosen: those that have a method in which a location
// of the set is, which lead there (h₃ of the paper's section 5), and the others.
func (s *search) typesOf(of set, t *run.Trace, i int) (others, led []option) {
	c := &t.Path[i]
	k := slices.IndexFunc(t.Inputs, func(v run.InputVar) bool { return v.Sym == c.Value && v.Sym != expr.None })
	if k < 0 {
		return nil, nil
	}
	list, ok := t.Inputs[k].DynamicTypes()
	if !ok {
		return nil, nil
	}
	classes := make(map[string]bool)
	for _, tr := range of {
		for _, st := range tr {
			classes[s.guide.Class(st.at)] = true
		}
	}
	delete(classes, "")
	choice := s.copier.Copy(c.Value)
	for n, name := range list {
		o := option{set: of, decisions: int(c.Decision), condition: i, choice: choice, value: uint64(n + 1)}
		switch {
		case o.value == t.Inputs[k].Value:
		case classes[strings.TrimPrefix(name, "*")]:
			led = append(led, o)
		default:
			others = append(others, o)
		}
	}
	return others, led
}

// backtrack takes the last option of a trial of which there is a run, nil if there is none.
func (s *search) backtrack(ctx context.Context, tr *trial) (*attempt, error) {
	for len(tr.back) > 0 {
		o := tr.back[len(tr.back)-1]
		tr.back = tr.back[:len(tr.back)-1]
		a := &attempt{set: o.set, input: o.of.input}
		switch {
		case o.seed:
		case o.condition < 0:
			a.prefix = append(slices.Clone(o.of.decisions[:o.decisions]), o.decision)
		case o.of.path == nil:
			continue
		default:
			input, err := s.flip(ctx, o.of, o.condition, o.not(s.arena))
			if err != nil {
				tr.back = append(tr.back, o)
				return nil, err
			}
			if input == nil {
				continue
			}
			a.prefix, a.input, a.known = o.of.decisions[:o.decisions], input, o.condition+1
		}
		tr.states++
		return a, nil
	}
	return nil, nil
}

// not returns what holds of the input with which an option is taken, instead of its condition.
func (o *option) not(a *expr.Arena) expr.ID {
	if o.choice != expr.None {
		return a.Eq(o.choice, a.Const(o.value, a.Width(o.choice)))
	}
	return a.Not(o.of.path[o.condition])
}

// flip returns an input with which a run takes a path as the one that is recorded up to a condition, instead of which another one holds.
// It is nil if there is none, or none is found.
func (s *search) flip(ctx context.Context, rec *record, condition int, instead expr.ID) (run.Input, error) {
	query := append(slices.Clone(rec.path[:condition]), instead)
	s.solver.About(s.config.Subjects.Of(condition))
	result, model, err := s.solver.CheckNear(ctx, query, func(v expr.ID) uint64 { return rec.input[s.arena.VarName(v)] })
	if err != nil || result != solve.Sat {
		return nil, err
	}
	input := maps.Clone(rec.input)
	for _, v := range model.Vars() {
		input[s.arena.VarName(v)] = model.Value(v)
	}
	return input, nil
}

// Status implements strategy.Strategy.
func (s *search) Status() strategy.Status {
	return strategy.Status{
		Finished: s.finished(), Counts: run.Counts{Candidates: s.runs}, Degree: -1, Solver: s.stats,
		Farthest: s.far.text(s.guide),
	}
}

// Report returns what the search has done so far.
func (s *search) Report() Report {
	r := Report{Sets: s.minimal, Runs: s.runs, Reached: s.reached != nil}
	tr := s.reached
	if tr == nil {
		tr = s.current
	}
	if tr != nil {
		r.States, r.Length, r.Refinements = tr.states, tr.length, tr.refined
	}
	return r
}
