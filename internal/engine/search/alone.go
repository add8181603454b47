package search

import (
	"context"
	"time"

	"github.com/everyway-go/everyway/internal/strategy"
)

// alone lets a strategy search with the first worker.
func (s *search) alone(budget context.Context, ph phase, st strategy.Strategy) error {
	stats := &s.state.Stats
	restart := stats.Clone()
	s.restart = &restart
	before := strategy.Status{}
	// What an exhaustive strategy leaves open counts only if it is the last phase: others follow.
	exhaustive := ph.strategy.Exhaustive && ph.until >= 1
	defer func() {
		now := st.Status()
		s.addStatus(before, now)
		if now.ByDegree != nil {
			s.state.ByDegree, s.state.Degree = now.ByDegree, now.Degree
		}
		if now.Promise != "" {
			s.state.Promise = now.Promise
		}
		if ph.strategy.Exhaustive {
			s.state.Finite = now.Exhausted
		}
		if exhaustive {
			for _, why := range now.Open {
				stats.GiveUp(s.worker.Explain(why))
			}
		}
	}()
	ctx, cancel := s.deadline(budget, ph)
	defer cancel()
	for ctx.Err() == nil && s.left(ph) > 0 {
		job, trace, err := s.worker.Step(budget, ctx, st, exhaustive, stats)
		if ctx.Err() != nil && err != nil {
			break
		}
		if err != nil {
			return err
		}
		if job == nil {
			return nil
		}
		reached, input := s.worker.OutOfInstructions(trace), job.Plan.Input
		if n := stats.Runs; n&(n-1) == 0 {
			trace = trace.Clone() // which the replays would change
			if err := s.worker.Verify(budget, job.Plan, trace); err != nil && budget.Err() == nil {
				stats.GiveUp(err.Error())
			}
		}
		if err := s.report(budget, job.Plan, trace, time.Now()); err != nil {
			return err
		}
		if s.failed() {
			return nil
		}
		if stats.Runs == 1 && reached {
			if raised, err := s.fitLimit(budget, input); err != nil {
				return err
			} else if raised {
				stats.Bounded = nil
			}
		}
		if s.progressDue() {
			now := st.Status()
			s.addStatus(before, now)
			before = now
			s.progress()
		}
	}
	return budget.Err()
}

// addStatus adds to the state what a strategy has done between two of its statuses.
func (s *search) addStatus(before, now strategy.Status) {
	stats := &s.state.Stats
	stats.AddSince(before, now)
	stats.Covered = s.worker.CollectCoverage(stats.Covered)
	stats.Profile = s.worker.Profiler.Collect(stats.Profile)
}
