package guided

import (
	"context"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
)

// A hunt leads runs to the places of suspects, one after another, and lets the runs go on there. What comes of that others judge:
// the hunt asks its guide which suspects are decided.
type hunt struct {
	config  strategy.Config
	guide   strategy.Guide
	left    []*quarry // not decided, the next one first
	current *quarry
	runs    int
	met     []bool      // by suspect
	solver  solve.Stats // of the searches that are done
}

// A quarry is the search for one suspect.
type quarry struct {
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

func newHunt(c strategy.Config, suspects []strategy.Suspect) *hunt {
	h := &hunt{config: c, guide: c.Guide, met: make([]bool, len(suspects))}
	for i, s := range suspects {
		h.left = append(h.left, &quarry{number: i, suspect: s, turn: firstTurn})
	}
	return h
}

// Next implements strategy.Strategy.
func (h *hunt) Next(ctx context.Context) (*strategy.Job, error) {
	for len(h.left) > 0 {
		q := h.left[0]
		if !h.guide.Decided(q.number) {
			if q.search == nil {
				c := h.config
				c.Guide = view{h.guide, q.suspect.Places}
				q.search = newSearch(c, &q.suspect)
			}
			job, err := q.search.Next(ctx)
			if job != nil || err != nil {
				h.current = q
				h.runs++
				return job, err
			}
		}
		h.drop(q)
		h.left = h.left[1:]
	}
	return nil, nil
}

// drop forgets the search of a suspect that has none to make any more.
func (h *hunt) drop(q *quarry) {
	if q.search != nil {
		h.solver.Add(q.search.stats)
		q.search = nil
	}
}

// Learn implements strategy.Strategy. The turns of a suspect are each twice as long as the one before.
func (h *hunt) Learn(ctx context.Context, job *strategy.Job, trace *run.Trace, from *expr.Arena) error {
	q := h.current
	if err := q.search.Learn(ctx, job, trace, from); err != nil {
		return err
	}
	h.met[q.number] = h.met[q.number] || q.search.met
	if q.spent++; q.spent == q.turn {
		q.spent, q.turn = 0, 2*q.turn
		h.left = append(h.left[1:], q)
	}
	return nil
}

// Status implements strategy.Strategy.
func (h *hunt) Status() strategy.Status {
	st := strategy.Status{Finished: len(h.left) == 0, Counts: run.Counts{Candidates: h.runs}, Degree: -1, Met: h.met, Solver: h.solver}
	for _, q := range h.left {
		if q.search != nil {
			st.Solver.Add(q.search.stats)
		}
	}
	return st
}
