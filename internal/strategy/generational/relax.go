package generational

import (
	"context"
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
)

// rare bounds the rarity of runs that have neighbours.
const rare = 32

// rarity counts the outcomes of a run. It returns the least number of runs that have one of these
// outcomes, of those whose opposite no run has.
func (s *search) rarity(trace *run.Trace) int {
	outcomes := map[outcome]bool{}
	for i := range trace.Path {
		if c := &trace.Path[i]; c.Kind == run.Jump {
			outcomes[outcome{c.Site, c.Negated}] = true
		}
	}
	for o := range outcomes {
		s.reached[o]++
	}
	least := math.MaxInt
	for o := range outcomes {
		if s.reached[o.opposite()] == 0 {
			least = min(least, s.reached[o])
		}
	}
	return least
}

// Limits of relaxing: of the queries for an outcome, and of the cores of a query.
const (
	maxRelaxed = 32
	maxCores   = 8
)

// relax looks for an input that satisfies the last condition of query and as many as possible of
// the others, which are the first of the origin's path. The solver has just answered that the
// query is unsatisfiable. bound is the number of conditions that the run certainly has in
// common with the origin.
func (s *search) relax(ctx context.Context, solver *solve.Solver, o *origin, query []expr.ID) (m *solve.Model, bound int, err error) {
	last := len(query) - 1
	indexes := make([]int, last) // in the origin's path, of the conditions left in the query
	for i := range indexes {
		indexes[i] = i
	}
	bound = last
	for range maxCores {
		dropped := false
		core := solver.Core(ctx)
		for _, k := range slices.Backward(core) {
			if k == len(indexes) || o.isAssumed(indexes[k]) {
				continue
			}
			bound = min(bound, indexes[k])
			query, indexes = slices.Delete(query, k, k+1), slices.Delete(indexes, k, k+1)
			dropped = true
		}
		if !dropped {
			return nil, 0, nil
		}
		result, model, err := solver.CheckNear(ctx, query, o.hint())
		if err != nil || result == solve.Sat {
			return model, bound, err
		}
		if result == solve.Unknown {
			return nil, 0, nil
		}
	}
	return nil, 0, nil
}

// A correspondence is a text with which an input was compared at a site.
type correspondence struct {
	site run.SiteID
	want string
}

// maxReplaced bounds the inputs that are made because of one correspondence.
const maxReplaced = 32

// addReplacements adds the inputs in which a text of the run's input is replaced by the one that it
// was compared with.
func (s *search) addReplacements(trace *run.Trace, o *origin) {
	for i := range trace.Correspondences {
		c := &trace.Correspondences[i]
		key := correspondence{c.Site, string(c.Want)}
		if s.replaced[key] >= maxReplaced {
			continue
		}
		var vars []expr.ID
		for _, x := range c.Have {
			if x != expr.None {
				vars = s.arena.Vars(vars, s.copier.Copy(x))
			}
		}
		names := make([]string, len(vars))
		for i, v := range vars {
			names[i] = s.arena.VarName(v)
		}
		input := s.mutator.Splice(o.input(s.arena), names, c.Want)
		if input == nil || s.known(input) {
			continue
		}
		s.push(&item{input: input, site: c.Site}, s.replaced[key] == 0)
		s.replaced[key]++
	}
}
