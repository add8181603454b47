package guided

import (
	"context"
	"slices"

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

// search implements strategy.Strategy. It consists of parts that take turns: one for each suspect
// or, if places are to be reached, one for each trial.
type search struct {
	config  strategy.Config
	guide   strategy.Guide
	parts   []*part // not done, the next one first
	lent    int     // that are not among them, since they have their turns
	current *part   // that has its turn here
	begun   solve.Stats
	taken   bool // the turn has begun elsewhere, and ends there

	minimal     int // number of the first trials whose sets have the fewest call sites
	trials      int // so far, of places
	expressions int // of the parts, as far as they were given back
	runs        int
	reached     *trial
	last        *trial
	far         farthest
	met         []bool // by suspect
	stats       solve.Stats
}

// Bounds of the search.
const (
	maxTrials       = 256
	maxRefinements  = 1000    // of a trial
	maxAlternatives = 8       // of a refinement, that are tried later
	maxSpawning     = 2       // number of refinements of a trial of which others are tried later
	firstTurn       = 8       // runs of the first turn of a part, or of a trial of a suspect
	maxExpressions  = 1 << 21 // in the arenas of the search
	solverBudget    = 5_000_000
)

// New returns a search for the places of c.Guide, or for what comes of its suspects.
func New(c strategy.Config) (strategy.Strategy, error) {
	s := &search{config: c, guide: c.Guide}
	if s.config.Solver.Budget == 0 {
		s.config.Solver.Budget = solverBudget
	}
	if s.guide != nil {
		if suspects := s.guide.Suspects(); len(suspects) > 0 {
			s.met = make([]bool, len(suspects))
			for i := range suspects {
				s.parts = append(s.parts, &part{number: i, suspect: &suspects[i], turn: firstTurn})
			}
			return s, nil
		}
		if len(s.guide.Places()) == 0 {
			s.guide = nil
		}
	}
	if s.guide == nil {
		s.parts = []*part{{trials: []*trial{{}}}} // one run, which nothing guides
		return s, nil
	}
	var list []*trial
	list, s.minimal = s.begin(s.guide.Places())
	for _, tr := range list {
		s.parts = append(s.parts, s.alone(tr))
	}
	return s, nil
}

// begin returns the trials for some places. The first ones, minimal of them, have as few call sites as there can be.
func (s *search) begin(places [][]strategy.Location) (trials []*trial, minimal int) {
	of := newSystem(s.guide, slices.Concat(places...))
	list, minimal := of.sets(places)
	inputs := append([]run.Input{{}}, s.config.Seeds...)
	for _, set := range list {
		tr := &trial{next: attempt{set: set, input: inputs[0]}, length: set.length(), turn: firstTurn, system: of}
		for _, in := range slices.Backward(inputs[1:]) {
			tr.back = append(tr.back, option{of: &record{set: set, input: in}, seed: true})
		}
		trials = append(trials, tr)
	}
	return trials, minimal
}

// alone returns a part that is a trial of places.
func (s *search) alone(tr *trial) *part {
	tr.number = s.trials
	s.trials++
	return &part{trials: []*trial{tr}}
}

// Turns implements strategy.Shared.
func (s *search) Turns(n int) []strategy.Turn {
	var list []strategy.Turn
	for len(list) < n && len(s.parts) > 0 && s.reached == nil {
		p := s.parts[0]
		s.parts = s.parts[1:]
		if s.isDecided(p) {
			continue
		}
		s.lent++
		list = append(list, p)
	}
	return list
}

// isDecided reports whether a part has nothing to find any more.
func (s *search) isDecided(p *part) bool { return p.suspect != nil && s.guide.Decided(p.number) }

// IsVain implements strategy.Shared.
func (s *search) IsVain(t strategy.Turn) bool { return s.isDecided(t.(*part)) }

// Drop implements strategy.Shared.
func (s *search) Drop(strategy.Turn) { s.lent-- }

// Take implements strategy.Shared.
func (s *search) Take(t strategy.Turn) {
	s.leave()
	s.enter(t.(*part))
	s.taken = true
}

// enter begins the turn of a part here, or goes on with it.
func (s *search) enter(p *part) {
	s.current = p
	s.begun = p.solved()
	if p.suspect != nil && p.trials == nil && !p.began {
		p.trials, _ = s.begin(p.suspect.Places)
		for _, tr := range p.trials {
			tr.number = p.numbered
			p.numbered++
		}
	}
	p.began = true
}

// leave ends what is done of a turn here.
func (s *search) leave() {
	if s.current != nil {
		s.stats.Add(s.current.solved().Since(s.begun))
		s.current = nil
	}
}

// Return implements strategy.Shared.
func (s *search) Return(t strategy.Turn) {
	p := t.(*part)
	if p == s.current {
		s.leave()
	}
	s.lent--
	if p.far.known {
		s.far.noteRun(p.far)
		p.far = farthest{}
	}
	if p.suspect != nil {
		s.met[p.number] = s.met[p.number] || p.met
	}
	if p.reached != nil && s.reached == nil {
		s.reached = p.reached
	}
	spawned := p.spawned
	p.spawned, p.over = nil, false
	for _, tr := range spawned {
		if len(s.parts)+s.lent+1 < maxTrials {
			s.parts = append(s.parts, s.alone(tr))
		}
	}
	s.expressions -= p.expressions
	p.expressions = p.size()
	if s.expressions+p.expressions > maxExpressions {
		p.forget()
		p.expressions = 0
	}
	s.expressions += p.expressions
	if len(p.trials) > 0 && !s.isDecided(p) {
		s.parts = append(s.parts, p)
	}
}

// Next implements strategy.Strategy.
func (s *search) Next(context.Context) (*strategy.Job, error) {
	for s.current == nil || s.current.over {
		if s.taken {
			return nil, nil
		}
		if s.current != nil {
			s.Return(s.current)
		}
		turns := s.Turns(1)
		if len(turns) == 0 {
			return nil, nil
		}
		s.enter(turns[0].(*part))
		s.current.over = len(s.current.trials) == 0
	}
	if s.taken && len(s.current.trials) == 0 {
		s.current.over = true
		return nil, nil
	}
	s.runs++
	return s.current.job(s), nil
}

// Learn implements strategy.Strategy.
func (s *search) Learn(ctx context.Context, _ *strategy.Job, trace *run.Trace, from *expr.Arena) error {
	p := s.current
	s.last = p.trials[0]
	err := p.learn(ctx, trace, from)
	if p.reached != nil && !s.taken {
		s.reached = p.reached
	}
	return err
}

// Status implements strategy.Strategy.
func (s *search) Status() strategy.Status {
	st := strategy.Status{
		Finished: s.finished(), Counts: run.Counts{Candidates: s.runs}, Degree: -1, Solver: s.stats, Met: slices.Clone(s.met),
	}
	far := s.far
	if p := s.current; p != nil {
		st.Solver.Add(p.solved().Since(s.begun))
		far.noteRun(p.far)
		if p.suspect != nil {
			st.Met[p.number] = st.Met[p.number] || p.met
		}
	}
	if s.met == nil {
		st.Farthest = far.text(s.guide)
	}
	return st
}

func (s *search) finished() bool {
	return s.reached != nil || len(s.parts) == 0 && s.lent == 0 && (s.current == nil || len(s.current.trials) == 0)
}

// Report returns what the search has done so far.
func (s *search) Report() Report {
	r := Report{Sets: s.minimal, Runs: s.runs, Reached: s.reached != nil}
	tr := s.reached
	if tr == nil {
		tr = s.last
	}
	if tr != nil {
		r.States, r.Length, r.Refinements = tr.states, tr.length, tr.refined
	}
	return r
}
