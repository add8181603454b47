package search

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/schedule"
)

// firstEstimate is the number of runs after which the first estimate is made. The next
// ones are made whenever there are twice as many.
const firstEstimate = 500

// All estimates together make at most about a twentieth of the runs of the search, each of
// them at most maxProbes probes. The first may make estimateRuns in any case.
const (
	estimateShare = 40
	estimateRuns  = 64
	maxProbes     = 256
	probesAtOnce  = 4
)

// refine makes an estimate when it is due.
func (s *search) refine(ctx context.Context) error {
	if st := s.state; st.Stats.Runs-st.Before < max(firstEstimate, st.Size.Due) {
		return nil
	}
	return s.measure(ctx)
}

// measure makes an estimate.
func (s *search) measure(ctx context.Context) error {
	st, z := s.state, &s.state.Size
	now := *z // which is kept only when the estimate is not interrupted
	now.Due = 2 * (st.Stats.Runs - st.Before)
	confirm := func(ctx context.Context, found *schedule.Run) error { return s.confirm(ctx, found, time.Now()) }
	if err := s.estimate(ctx, &now, confirm); err != nil || ctx.Err() != nil {
		return err
	}
	*z = now
	return nil
}

// measuredRuns is the number of runs that a phase has to make so that an estimate is made although
// its time is over: with fewer, runs take too long for that.
const measuredRuns = 64

// measureLate makes an estimate at the end of a phase that has had no time for all of its runs, if there is none yet.
func (s *search) measureLate(budget context.Context, ph phase) error {
	st := s.state
	if s.failed() || !st.Divided || st.Size.Weight > 0 || st.Stats.Runs-st.Before < measuredRuns {
		return nil
	}
	ctx, cancel := s.cfg.Clock.WithDeadline(budget, s.endOf(ph).Add(s.part(time.Duration(previewShare*float64(s.share)))))
	defer cancel()
	return s.measure(ctx)
}

// previewShare is the share of the budget that an estimate before the search may take: where a run
// takes long, its probes would leave nothing of it.
const previewShare = 0.05

// preview makes an estimate before the search. It changes nothing but what is shown.
func (s *search) preview(ctx context.Context) error {
	s.early = size{}
	ctx, cancel := s.cfg.Clock.WithDeadline(ctx, s.start.Add(s.part(time.Duration(previewShare*float64(s.share)))))
	defer cancel()
	return s.estimate(ctx, &s.early, func(context.Context, *schedule.Run) error { return nil })
}

// estimate probes the trees below items of the frontier, and calls found with the first
// run in a probe that shows something wrong.
func (s *search) estimate(ctx context.Context, z *size, found func(context.Context, *schedule.Run) error) error {
	st := s.state
	bound := max(estimateRuns, (st.Stats.Runs-st.Before)/estimateShare)
	var (
		sum    float64
		probes int
		runs   int
	)
	frontier := st.Frontier
	for i := range st.Tasks {
		if t := &st.Tasks[i]; !t.Done {
			frontier = append(frontier[:len(frontier):len(frontier)], t.Items...)
		}
	}
	for runs < bound && probes < maxProbes && len(frontier) > 0 && ctx.Err() == nil {
		var results [probesAtOnce]worker.Probe
		err := s.pool.each(probesAtOnce, func(w *worker.Worker, i int) (err error) {
			rng := rand.New(rand.NewPCG(s.cfg.Seed, z.Probes+uint64(i)))
			// The golden ratio's multiples spread the probes over the frontier; each
			// alone is anywhere with equal chances.
			_, at := math.Modf(float64(z.Probes+uint64(i))*math.Phi + seeded(s.cfg.Seed))
			n := len(frontier)
			results[i], err = w.Probe(ctx, frontier[min(int(at*float64(n)), n-1)], rng, s.unknown(w))
			return err
		}, nil)
		z.Probes += probesAtOnce
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("estimating the size of the search: %w", err)
		}
		for _, p := range results {
			if ctx.Err() != nil {
				return nil // what was estimated before stands
			}
			if p.Any() {
				s.lookAtMore(p.Overlooked)
				return nil
			}
			if p.Found != nil {
				if err := found(ctx, p.Found); err != nil || s.failed() || !st.Divided {
					return err
				}
			}
			sum += p.Size
			runs += p.Runs
			probes++
		}
	}
	if probes > 0 {
		rest := sum / float64(probes) * float64(len(frontier))
		z.Sum += float64(probes) * (float64(st.Stats.Runs) + rest)
		z.Weight += float64(probes)
	}
	return nil
}

// seeded turns a seed into a number from 0 to 1.
func seeded(seed uint64) float64 { return rand.New(rand.NewPCG(seed, 0)).Float64() }
