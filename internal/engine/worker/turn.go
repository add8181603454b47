package worker

import (
	"context"
	"errors"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/schedule"
)

// A Turn is one of a [strategy.Shared] search that a worker has for it. Its result follows from the
// turn alone: not from the worker, nor from what else the worker has done.
type Turn struct {
	Number int // in the search, from 1
	Of     strategy.Turn
	Over   bool          // there are no more runs in it
	Stats  Stats         // of its runs, or of those since the last finding
	Found  *schedule.Run // the last run, without its events, when it shows something wrong; the turn goes on after that
	begun  bool
}

// Share gives w the instance of a strategy with which it has turns.
func (w *Worker) Share(st strategy.Strategy) error {
	shared, ok := st.(strategy.Shared)
	if !ok {
		return errors.New("the strategy has no turns")
	}
	w.sharer = shared
	return nil
}

// Have has a turn until it is over or shows something, ctx ends or cancelled reports true. It shows something
// if unknown returns one of the findings of a run.
func (w *Worker) Have(ctx context.Context, t *Turn, unknown func([]check.Finding) *check.Finding, cancelled func() bool) error {
	st := w.sharer
	st.Take(t.Of)
	before, made := st.Status(), t.Stats.Runs
	verify := !t.begun && t.Number&(t.Number-1) == 0
	t.begun = true
	var fault error
	for t.Found == nil && ctx.Err() == nil && !cancelled() {
		job, trace, err := w.Step(ctx, ctx, st, false, &t.Stats)
		if err != nil && ctx.Err() == nil {
			fault = err
		}
		if job == nil {
			t.Over = err == nil
			break
		}
		t.Found = w.recordNew(job.Plan, trace, unknown)
		if verify && t.Found == nil {
			verify = false
			if err := w.Verify(ctx, job.Plan, trace); err != nil && ctx.Err() == nil {
				t.Stats.GiveUp(err.Error())
			}
		}
	}
	now := st.Status()
	now.Candidates = before.Candidates + t.Stats.Runs - made // a job that was not run to its end is none
	t.Stats.AddSince(before, now)
	t.Stats.Covered = w.CollectCoverage(t.Stats.Covered)
	t.Stats.Profile = w.Profiler.Collect(t.Stats.Profile)
	return fault
}

// IsFor reports whether w has an instance of a strategy of the kind: one for turns, or one for tasks.
func (w *Worker) IsFor(turns bool) bool {
	if turns {
		return w.sharer != nil
	}
	return w.explorer != nil
}
