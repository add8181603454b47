package guided

import (
	"context"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
)

// suspectsSearch leads runs to the places of suspects, one after another, and lets the runs go on there. What comes of that
// others judge: it asks its guide which suspects are decided.
type suspectsSearch struct {
	config  strategy.Config
	guide   strategy.Guide
	left    []*turns // not decided, the next one first
	current *turns
	runs    int
	met     []bool      // by suspect
	solver  solve.Stats // of the searches that are done
}

// turns are those of the search for one suspect.
type turns struct {
	number  int // of the suspect
	suspect strategy.Suspect
	search  *search // nil before its first turn
	spent   int     // runs of its present turn
	turn    int     // how many it has
}

// A view of a guide has the places of one suspect.
type view struct {
	strategy.Guide
	places [][]strategy.Location
}

// Places implements strategy.Guide.
func (v view) Places() [][]strategy.Location { return v.places }

func newSuspectsSearch(c strategy.Config, suspects []strategy.Suspect) *suspectsSearch {
	search := &suspectsSearch{config: c, guide: c.Guide, met: make([]bool, len(suspects))}
	for i, s := range suspects {
		search.left = append(search.left, &turns{number: i, suspect: s, turn: firstTurn})
	}
	return search
}

// Next implements strategy.Strategy.
func (s *suspectsSearch) Next(ctx context.Context) (*strategy.Job, error) {
	for len(s.left) > 0 {
		t := s.left[0]
		if !s.guide.Decided(t.number) {
			if t.search == nil {
				c := s.config
				c.Guide = view{s.guide, t.suspect.Places}
				t.search = newSearch(c, &t.suspect)
			}
			job, err := t.search.Next(ctx)
			if job != nil || err != nil {
				s.current = t
				s.runs++
				return job, err
			}
		}
		s.drop(t)
		s.left = s.left[1:]
	}
	return nil, nil
}

// drop forgets the search of a suspect that has none to make any more.
func (s *suspectsSearch) drop(t *turns) {
	if t.search != nil {
		s.solver.Add(t.search.stats)
		t.search = nil
	}
}

// Learn implements strategy.Strategy. The turns of a suspect are each twice as long as the one before.
func (s *suspectsSearch) Learn(ctx context.Context, job *strategy.Job, trace *run.Trace, from *expr.Arena) error {
	t := s.current
	if err := t.search.Learn(ctx, job, trace, from); err != nil {
		return err
	}
	s.met[t.number] = s.met[t.number] || t.search.met
	if t.spent++; t.spent == t.turn {
		t.spent, t.turn = 0, 2*t.turn
		s.left = append(s.left[1:], t)
	}
	return nil
}

// Status implements strategy.Strategy.
func (s *suspectsSearch) Status() strategy.Status {
	st := strategy.Status{Finished: len(s.left) == 0, Counts: run.Counts{Candidates: s.runs}, Degree: -1, Met: s.met, Solver: s.solver}
	for _, t := range s.left {
		if t.search != nil {
			st.Solver.Add(t.search.stats)
		}
	}
	return st
}
