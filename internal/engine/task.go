package engine

import (
	"context"
	"fmt"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/schedule"
)

// A task is a part of the frontier of a [strategy.Divisible] search that one
// worker explores for a number of runs. What comes of it follows
// from the task alone: not from the worker, nor from what else it has done. A
// task that was interrupted is a task again.
type task struct {
	Number int           `json:"number"`          // in the search, from 1
	Items  [][]byte      `json:"items,omitempty"` // unexplored, next first
	Runs   int           `json:"runs,omitempty"`  // still to be made
	Deep   bool          `json:"deep,omitempty"`  // they are made depth first, whatever the items' ranks
	Done   bool          `json:"done,omitempty"`  // the runs have been made, nothing is left, or something was found
	Tally  tally         `json:"tally,omitzero"`
	Found  *schedule.Run `json:"found,omitempty"` // the last run, when it shows something wrong

	printed []byte // by the runs
}

// explore works on a task until it is done, ctx ends or cancelled says so, and
// returns what became of it. Findings that dull says are known do not end it.
func (w *worker) explore(ctx context.Context, t task, dull func(*check.Finding) bool, cancelled func() bool) (task, error) {
	st := w.divisible
	if r, ok := st.(strategy.Ranked); ok {
		r.Deepen(t.Deep)
	}
	if err := st.Import(t.Items); err != nil {
		return t, fmt.Errorf("taking over a part of the search: %w", err)
	}
	t.Tally = t.Tally.clone()
	w.held = true
	before, made := st.Status(), t.Tally.Runs
	verify := t.Tally.Runs == 0 && t.Number&(t.Number-1) == 0
	var fault error
	for t.Runs > 0 && t.Found == nil && ctx.Err() == nil && !cancelled() {
		job, trace, err := w.step(ctx, ctx, st, &t.Tally)
		if err != nil && ctx.Err() == nil {
			fault = err
		}
		if job == nil {
			break
		}
		t.Runs--
		t.Found = w.telling(job.Plan, trace, dull)
		if verify && t.Found == nil {
			verify = false
			if err := w.verify(ctx, job.Plan, trace); err != nil && ctx.Err() == nil {
				t.Tally.giveUp(err.Error())
			}
		}
	}
	t.Items = st.Export()
	now := st.Status()
	counts := now.Counts.Since(before.Counts)
	counts.Candidates = t.Tally.Runs - made // a job that was not run to its end is none
	t.Tally.Counts.Add(counts)
	t.Tally.Solver.Add(now.Solver.Since(before.Solver))
	for _, why := range now.Open {
		t.Tally.giveUp(w.explain(why))
	}
	t.Tally.Covered = w.coverer.collect(t.Tally.Covered)
	t.Done = t.Runs == 0 || len(t.Items) == 0 || t.Found != nil
	t.printed = append(t.printed, w.printed...)
	w.printed, w.held = w.printed[:0], false
	return t, fault
}

// telling returns the run of plan that gave t, when it shows something that is
// not dull.
func (w *worker) telling(plan *run.Plan, t *run.Trace, dull func(*check.Finding) bool) *schedule.Run {
	found := w.findings(t)
	for i := range found {
		if f := &found[i]; !dull(f) {
			return w.record(w.witness(plan, t), t, f)
		}
	}
	return nil
}

// step makes the next run of a strategy and adds it to the tally. The job is nil
// when there is none or an error. Next and Learn may think as long as thinking
// lasts, the run as long as ctx does.
func (w *worker) step(ctx, thinking context.Context, st strategy.Strategy, into *tally) (*strategy.Job, *run.Trace, error) {
	job, err := st.Next(thinking)
	if err == nil && job != nil {
		err = thinking.Err()
	}
	if job == nil || err != nil {
		return nil, nil, err
	}
	trace, err := w.run(ctx, job.Plan, job.Scheduler)
	if err != nil {
		return nil, nil, err
	}
	if err := st.Learn(thinking, job, trace, w.machine.Arena); err != nil {
		return nil, nil, err
	}
	w.judge(trace, into)
	return job, trace, nil
}

// judge adds to a tally what bears on the verdict of a run that was made.
func (w *worker) judge(t *run.Trace, into *tally) {
	into.Runs++
	w.coverer.note(t.Covered)
	if t.Skipped {
		into.Skipped++
	}
	into.HeldTimers = into.HeldTimers || t.TimersHeld
	into.WholeReads = into.WholeReads || t.WholeReads
	into.CutTime = into.CutTime || t.TimeCut
	into.NeverRun = into.NeverRun || t.NeverRun
	if !into.DrewLength {
		into.DrewLength = drawsLength(t)
	}
	switch t.Outcome {
	case run.Unsupported, run.Bounded:
		into.giveUp(w.explain(t.Message))
	}
	for _, g := range t.GivenUp {
		into.giveUp(w.describe(g))
	}
}
