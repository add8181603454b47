package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/schedule"
)

// A Task is a part of the frontier of a [strategy.Divisible] search that one worker
// explores for a number of runs. Its result follows from the task alone: not from the
// worker, nor from what else the worker has done. A task that was interrupted can be
// resumed, by any worker.
type Task struct {
	Number     int             `json:"number"`         // in the search, from 1
	Items      []strategy.Item `json:"-"`              // unexplored, next first
	Runs       int             `json:"runs,omitempty"` // still to be made
	Deep       bool            `json:"deep,omitempty"` // they are made depth first, whatever the items' ranks
	Done       bool            `json:"done,omitempty"` // the runs have been made, nothing is left, or the search has to look at the last one
	Stats      Stats           `json:"tally,omitzero"`
	Found      *schedule.Run   `json:"found,omitempty"` // the last run, without its events, when it shows something wrong
	Overlooked                 // by the last run
}

// Divide gives w the strategy with which it explores tasks; another returns a second
// instance, for estimates. It returns the root of the search, which the strategy does not
// hold from then on.
func (w *Worker) Divide(st strategy.Strategy, another func() (strategy.Strategy, error)) (root []strategy.Item, err error) {
	d, ok := st.(strategy.Divisible)
	if !ok {
		return nil, errors.New("the strategy cannot be divided")
	}
	w.explorer, w.newProber = d, another
	return d.Export(), nil
}

// Explore works on a task until it is done, ctx ends or cancelled reports true, and
// returns what became of it. A finding that unknown returns ends it.
func (w *Worker) Explore(ctx context.Context, t Task, unknown func([]check.Finding) *check.Finding, cancelled func() bool) (Task, error) {
	st := w.explorer
	if r, ok := st.(strategy.Ranked); ok {
		r.Deepen(t.Deep)
	}
	if err := st.Import(t.Items); err != nil {
		return t, fmt.Errorf("taking over a part of the search: %w", err)
	}
	t.Stats = t.Stats.Clone()
	before, made := st.Status(), t.Stats.Runs
	verify := t.Stats.Runs == 0 && t.Number&(t.Number-1) == 0
	var fault error
	for t.Runs > 0 && t.Found == nil && !t.Any() && ctx.Err() == nil && !cancelled() {
		job, trace, err := w.Step(ctx, ctx, st, true, &t.Stats)
		if err != nil && ctx.Err() == nil {
			fault = err
		}
		if job == nil {
			break
		}
		t.Runs--
		t.Overlooked = overlooked(job.Plan, trace)
		t.Found = w.recordNew(job.Plan, trace, unknown)
		if verify && t.Found == nil {
			verify = false
			if err := w.Verify(ctx, job.Plan, trace); err != nil && ctx.Err() == nil {
				t.Stats.GiveUp(err.Error())
			}
		}
	}
	t.Items = st.Export()
	now := st.Status()
	now.Candidates = before.Candidates + t.Stats.Runs - made // a job that was not run to its end is none
	t.Stats.AddSince(before, now)
	for _, why := range now.Open {
		t.Stats.GiveUp(w.Explain(why))
	}
	t.Stats.Covered = w.CollectCoverage(t.Stats.Covered)
	t.Stats.Profile = w.Profiler.Collect(t.Stats.Profile)
	t.Done = t.Runs == 0 || len(t.Items) == 0 || t.Found != nil || t.Any()
	return t, fault
}

// recordNew records how to make the run of plan again that gave t, when unknown returns one of its findings.
func (w *Worker) recordNew(plan *run.Plan, t *run.Trace, unknown func([]check.Finding) *check.Finding) *schedule.Run {
	if f := unknown(w.Findings(t)); f != nil {
		return &schedule.Run{Header: w.recordHeader(w.Witness(plan, t), t, f)}
	}
	return nil
}
