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
	l := newLoner(s, ph, st)
	if err := l.begin(); err != nil {
		return err
	}
	defer l.releaseMemory()
	defer l.end()
	return l.search(budget)
}

// A loner is a strategy that searches alone, in a phase.
type loner struct {
	s        *search
	phase    phase
	strategy strategy.Strategy

	// What the strategy is besides; nil if it is not.
	resumable   strategy.Resumable
	remembering strategy.Remembering
	forced      strategy.Forced

	// What an exhaustive strategy leaves open counts only if it is the last phase: others follow.
	exhaustive bool
	noted      strategy.Status // up to here, the status is in that of the search
}

func newLoner(s *search, ph phase, st strategy.Strategy) *loner {
	l := &loner{s: s, phase: ph, strategy: st, exhaustive: ph.strategy.Exhaustive && ph.until >= 1}
	l.resumable, _ = st.(strategy.Resumable)
	l.remembering, _ = st.(strategy.Remembering)
	l.forced, _ = st.(strategy.Forced)
	return l
}

// begin has the strategy go on where it was suspended, and provides for suspending it, and for
// memory running short.
func (l *loner) begin() error {
	s := l.s
	restart := s.state.Stats.Clone()
	s.restart = &restart
	if l.resumable != nil && s.state.Suspended != nil {
		if err := l.resumable.Restore(s.state.Suspended); err != nil {
			return fmt.Errorf("going on with the search: %w", err)
		}
	}
	if l.remembering != nil {
		s.memory.OnShort(l.remembering.Forget)
	}
	l.noted = l.strategy.Status()
	if l.resumable != nil {
		s.suspend = func() {
			l.note()
			s.restart = nil
			if s.state.Suspended = l.resumable.Save(); s.state.Suspended == nil {
				s.restart = &restart
			}
		}
	}
	return nil
}

// note adds to the state of the search what the strategy has done since the last note.
func (l *loner) note() {
	now := l.strategy.Status()
	l.s.addStatus(l.noted, now)
	l.noted = now
}

// end adds what the strategy has come to, and suspends it.
func (l *loner) end() {
	l.note()
	s, now := l.s, l.noted
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
	if l.phase.strategy.Exhaustive {
		s.state.Finite = now.Exhausted
	}
	if l.exhaustive {
		for _, why := range now.Open {
			s.state.Stats.GiveUp(s.worker.Explain(why))
		}
	}
	if s.suspend != nil {
		s.suspend()
		s.suspend = nil
	}
}

// releaseMemory gives back what the strategy held to remember.
func (l *loner) releaseMemory() {
	if l.remembering != nil {
		l.s.memory.OnShort(nil)
		l.s.gauge.Hold(0, 0)
	}
}

// search makes runs until the phase is over, or nothing is left to be done.
func (l *loner) search(budget context.Context) error {
	s := l.s
	began, atFirst := s.cfg.Clock.Now(), l.noted.Counts
	ctx, cancel := s.deadline(budget, l.phase)
	defer func() { cancel() }()
	for ctx.Err() == nil && s.left(l.phase) > 0 {
		if s.mayProlong(l.phase, began) {
			if s.givesWay(l.phase) {
				break
			}
			if s.prolong(l.phase, l.strategy.Status().Counts.Since(atFirst)) {
				cancel()
				ctx, cancel = s.deadline(budget, l.phase)
			}
		}
		if done, err := l.run(budget, ctx); done || err != nil {
			return err
		}
	}
	return budget.Err()
}

// run makes the next run of the strategy within ctx, the time of the phase, and reports it. It
// reports whether the search is done.
func (l *loner) run(budget, ctx context.Context) (done bool, err error) {
	s, stats := l.s, &l.s.state.Stats
	job, trace, err := s.worker.Step(budget, ctx, l.strategy, l.exhaustive, stats)
	switch {
	case err != nil && ctx.Err() != nil:
		return false, nil // the phase is over
	case err != nil || job == nil:
		return true, err
	}
	input := job.Plan.Input
	// A first run that is out of instructions comes again with another limit. If a run is all that
	// there is, another one would be the same, and so will that of the last phase.
	first := stats.Runs == 1 && s.worker.OutOfInstructions(trace)
	only := l.forced != nil && l.phase.until < 1 && l.forced.Forced()
	if n := stats.Runs; n&(n-1) == 0 && !only && !first {
		trace = trace.Clone() // which the replays would change
		if err := s.worker.Verify(budget, job.Plan, trace); err != nil && budget.Err() == nil {
			stats.GiveUp(err.Error())
		}
	}
	if err := s.report(budget, job.Plan, trace, time.Now()); err != nil {
		return true, err
	}
	if s.failed() {
		return true, nil
	}
	if first {
		if raised, err := s.fitLimit(budget, input); err != nil {
			return true, err
		} else if raised {
			stats.Bounded = nil
		}
	}
	if s.progressDue() {
		l.note()
		s.progress()
	}
	if only {
		return true, nil
	}
	if l.resumable != nil {
		s.save(false)
	}
	if l.remembering != nil {
		s.gauge.Hold(l.remembering.Held(), 0)
	}
	return false, nil
}

// addStatus adds to the state what a strategy has done between two of its statuses.
func (s *search) addStatus(before, now strategy.Status) {
	stats := &s.state.Stats
	stats.AddSince(before, now)
	stats.Covered = s.worker.CollectCoverage(stats.Covered)
	stats.Profile = s.worker.Profiler.Collect(stats.Profile)
}
