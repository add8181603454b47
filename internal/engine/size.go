package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/estimate"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/schedule"
)

// A size is what is known of how many runs a divided search makes in all. The
// runs made so far are known; how many the frontier's items lead to is estimated
// from the trees below some of them. Estimates made at several times are
// averaged, by the number of items they come from.
type size struct {
	Due    int     `json:"due,omitempty"` // runs after which the next estimate is made
	Sum    float64 `json:"sum,omitempty"` // of the estimates, by weight
	Weight float64 `json:"weight,omitempty"`
	Probes uint64  `json:"probes,omitempty"` // made so far
}

// Estimates are made after so many runs, and again whenever there are twice as many.
const firstEstimate = 500

// The runs of an estimate are at most about a twentieth of the runs of the search, all estimates together,
// and never more than maxProbes probes; the first has estimateRuns.
const (
	estimateShare = 40
	estimateRuns  = 64
	maxProbes     = 256
	probesAtOnce  = 4
)

// runs is the estimate of the number of runs in all, 0 when there is none.
func (z *size) runs() int {
	if z.Weight == 0 {
		return 0
	}
	return int(math.Round(min(z.Sum/z.Weight, 1<<62)))
}

// refine makes an estimate when it is due.
func (s *search) refine(ctx context.Context) error {
	st, z := s.state, &s.state.Size
	made := st.Tally.Runs - st.Before
	if made < max(firstEstimate, z.Due) {
		return nil
	}
	now := *z // which is kept only when the estimate is not interrupted
	now.Due = 2 * made
	if err := s.estimate(ctx, &now, s.confirm); err != nil || ctx.Err() != nil {
		return err
	}
	*z = now
	return nil
}

// preview makes an estimate before the search, which has no part in anything but
// what is shown.
func (s *search) preview(ctx context.Context) error {
	s.early = size{}
	return s.estimate(ctx, &s.early, func(context.Context, *schedule.Run) error { return nil })
}

// estimate probes the trees below items of the frontier and tells of the first
// run in a probe that shows something wrong.
func (s *search) estimate(ctx context.Context, z *size, tell func(context.Context, *schedule.Run) error) error {
	st := s.state
	bound := max(estimateRuns, (st.Tally.Runs-st.Before)/estimateShare)
	var (
		sum    float64
		probes int
		cost   int
	)
	for cost < bound && probes < maxProbes && len(st.Frontier) > 0 && ctx.Err() == nil {
		var results [probesAtOnce]probe
		s.crew.each(probesAtOnce, func(w *worker, i int) {
			rng := rand.New(rand.NewPCG(s.cfg.Seed, z.Probes+uint64(i)))
			// The golden ratio's multiples spread the probes over the frontier; each
			// alone is anywhere with equal chances.
			_, at := math.Modf(float64(z.Probes+uint64(i))*math.Phi + seeded(s.cfg.Seed))
			n := len(st.Frontier)
			results[i] = s.probe(ctx, w, st.Frontier[min(int(at*float64(n)), n-1)], rng)
		}, nil)
		z.Probes += probesAtOnce
		for i := range results {
			p := &results[i]
			if ctx.Err() != nil {
				return nil // what was estimated before stands
			}
			if p.err != nil {
				return fmt.Errorf("estimating the size of the search: %w", p.err)
			}
			if p.found != nil {
				if err := tell(ctx, p.found); err != nil || len(s.result.Findings) > 0 {
					return err
				}
			}
			sum += p.size
			cost += p.cost
			probes++
		}
	}
	if probes > 0 {
		rest := sum / float64(probes) * float64(len(st.Frontier))
		z.Sum += float64(probes) * (float64(st.Tally.Runs) + rest)
		z.Weight += float64(probes)
	}
	return nil
}

// seeded turns a seed into a number from 0 to 1.
func seeded(seed uint64) float64 { return rand.New(rand.NewPCG(seed, 0)).Float64() }

// A probe is an estimate of the size of one tree.
type probe struct {
	size  float64
	cost  int           // runs made
	found *schedule.Run // one that shows something wrong
	err   error
}

func (s *search) probe(ctx context.Context, w *worker, item []byte, rng *rand.Rand) probe {
	if w.prober == nil {
		st, err := s.begin(s.divided, w)
		if err != nil {
			return probe{err: err}
		}
		w.prober = st.(strategy.Divisible)
		w.prober.Export()
	}
	var found *schedule.Run
	dull := s.dull(w)
	w.held = true
	tree := estimate.Tree[[]byte]{
		Children: func(item []byte) ([][]byte, error) {
			children, job, trace, err := w.children(ctx, item)
			if job != nil {
				if f := w.telling(job.Plan, trace, dull); f != nil {
					// It goes before the size of anything.
					found = cmp.Or(found, f)
					return nil, nil
				}
			}
			return children, err
		},
		// Items are told apart by how late in the run they branch off, roughly: the
		// tree below one that comes late is small.
		Class: func(_, n, _ int) int { return bits.Len(uint(n)) },
	}
	size, cost, err := tree.Size(item, rng)
	w.printed, w.held = w.printed[:0], false
	return probe{size, cost, found, err}
}

// children makes the run of an item, which counts for nothing, and returns the
// items that come of it.
func (w *worker) children(ctx context.Context, item []byte) ([][]byte, *strategy.Job, *run.Trace, error) {
	st := w.prober
	if err := st.Import([][]byte{item}); err != nil {
		return nil, nil, nil, err
	}
	job, err := st.Next(ctx)
	if job == nil || err != nil {
		return nil, nil, nil, err
	}
	trace, err := w.run(ctx, job.Plan, job.Scheduler)
	if err == nil {
		err = st.Learn(ctx, job, trace, w.machine.Arena)
	}
	children := st.Export()
	if err != nil {
		return nil, nil, nil, err
	}
	return children, job, trace, nil
}
