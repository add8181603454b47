package search

import (
	"context"
	"fmt"
	"time"

	"github.com/everyway-go/everyway/internal/strategy"
)

// alone lets a strategy search with the first worker.
func (s *search) alone(budget context.Context, ph phase, st strategy.Strategy) error {
	if ph.patient {
		defer s.worker.KeepWaiting(s.worker.KeepWaiting(s.cfg.LongStall))
	}
	stats := &s.state.Stats
	restart := stats.Clone()
	s.restart = &restart
	resumable, _ := st.(strategy.Resumable)
	if resumable != nil && s.state.Suspended != nil {
		if err := resumable.Restore(s.state.Suspended); err != nil {
			return fmt.Errorf("going on with the search: %w", err)
		}
	}
	remembering, _ := st.(strategy.Remembering)
	if remembering != nil {
		s.memory.OnShort(remembering.Forget)
		defer func() {
			s.memory.OnShort(nil)
			s.gauge.Hold(0, 0)
		}()
	}
	forced, _ := st.(strategy.Forced)
	before := st.Status()
	note := func() {
		now := st.Status()
		s.addStatus(before, now)
		before = now
	}
	if resumable != nil {
		s.suspend = func() {
			note()
			s.restart = nil
			if s.state.Suspended = resumable.Save(); s.state.Suspended == nil {
				s.restart = &restart
			}
		}
	}
	// What an exhaustive strategy leaves open counts only if it is the last phase: others follow.
	exhaustive := ph.strategy.Exhaustive && ph.until >= 1
	defer func() {
		note()
		now := before
		if now.ByDegree != nil {
			s.state.ByDegree, s.state.Degree = now.ByDegree, now.Degree
		}
		if now.Promise != "" {
			s.state.Promise = now.Promise
		}
		if now.Farthest != "" {
			s.state.Farthest = now.Farthest
		}
		if now.Met != nil {
			s.state.Met = now.Met
		}
		if now.Alone != nil && now.Alone.Paths > 0 {
			s.state.Alone = s.worker.Alone(now.Alone)
		}
		if ph.strategy.Exhaustive {
			s.state.Finite = now.Exhausted
		}
		if exhaustive {
			for _, why := range now.Open {
				stats.GiveUp(s.worker.Explain(why))
			}
		}
		if s.suspend != nil {
			s.suspend()
			s.suspend = nil
		}
	}()
	began, atFirst := s.cfg.Clock.Now(), before.Counts
	ctx, cancel := s.deadline(budget, ph)
	defer func() { cancel() }()
	for ctx.Err() == nil && s.left(ph) > 0 {
		if s.mayProlong(ph, began) {
			if s.givesWay(ph) {
				break
			}
			if s.prolong(ph, st.Status().Counts.Since(atFirst)) {
				cancel()
				ctx, cancel = s.deadline(budget, ph)
			}
		}
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
		first := stats.Runs == 1 && reached                      // which comes again with another limit
		only := forced != nil && ph.until < 1 && forced.Forced() // another run would be the same, and so will that of the last phase
		if n := stats.Runs; n&(n-1) == 0 && !only && !first {
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
		if first {
			if raised, err := s.fitLimit(budget, input); err != nil {
				return err
			} else if raised {
				stats.Bounded = nil
			}
		}
		if s.progressDue() {
			note()
			s.progress()
		}
		if only {
			return nil
		}
		if resumable != nil {
			s.save(false)
		}
		if remembering != nil {
			s.gauge.Hold(remembering.Held(), 0)
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
