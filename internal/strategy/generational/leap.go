package generational

import (
	"context"
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
)

// rare bounds the runs that come to a place and are still worth a close look.
const rare = 32

// rarity counts the ways that a run went. It returns how many runs have come to the
// rarest place that it came to, of those from which no run has gone the other way.
func (s *search) rarity(trace *run.Trace) int {
	ways := map[way]bool{}
	for i := range trace.Path {
		if c := &trace.Path[i]; c.Kind == run.Jump {
			ways[way{c.Site, c.Negated}] = true
		}
	}
	for w := range ways {
		s.went[w]++
	}
	least := math.MaxInt
	for w := range ways {
		if s.went[w.other()] == 0 {
			least = min(least, s.went[w])
		}
	}
	return least
}

// Limits of giving up conditions: how often for one way that no run has gone, and how
// many cores are broken for an input.
const (
	maxRelaxed = 32
	maxBroken  = 8
)

// relax looks for an input that meets query but for some of its conditions. The solver has
// just answered that there is none that meets all; the last condition of the query is the
// one wanted, those before are the first of the origin's. It returns the number
// of conditions that the run shares with the origin for sure.
func (s *search) relax(ctx context.Context, solver *solve.Solver, o *origin, query []expr.ID) (*solve.Model, int, error) {
	last := len(query) - 1
	indexes := make([]int, last) // in the origin's path, of what is left of the query
	for i := range indexes {
		indexes[i] = i
	}
	bound := last
	for range maxBroken {
		broken := false
		core := solver.Core(ctx)
		for _, k := range slices.Backward(core) {
			if k == len(indexes) || o.isFirm(indexes[k]) {
				continue
			}
			bound = min(bound, indexes[k])
			query, indexes = slices.Delete(query, k, k+1), slices.Delete(indexes, k, k+1)
			broken = true
		}
		if !broken {
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

// A wish is a text that was looked for at a place.
type wish struct {
	site run.SiteID
	want string
}

// maxWished bounds the inputs that are made because of one wish.
const maxWished = 32

// addWishes adds the inputs in which a text that a run looked for has the place of the one
// that it found there.
func (s *search) addWishes(trace *run.Trace, o *origin) {
	for i := range trace.Correspondences {
		w := &trace.Correspondences[i]
		key := wish{w.Site, string(w.Want)}
		if s.wished[key] >= maxWished {
			continue
		}
		var vars []expr.ID
		for _, x := range w.Have {
			if x != expr.None {
				vars = s.arena.Vars(vars, s.copier.Copy(x))
			}
		}
		names := make([]string, len(vars))
		for i, v := range vars {
			names[i] = s.arena.VarName(v)
		}
		input := s.mutator.Splice(o.input(s.arena), names, w.Want)
		if input == nil || s.known(input) {
			continue
		}
		s.push(&item{input: input, site: w.Site}, s.wished[key] == 0)
		s.wished[key]++
	}
}
