package worker

import (
	"context"
	"fmt"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
)

// Verify makes the run of plan that gave t twice more, from the start, and compares
// the two: they must not differ, from each other or, when the run has come to its
// end, from t. Code of which a summary took the place is executed.
func (w *Worker) Verify(ctx context.Context, plan *run.Plan, t *run.Trace) error {
	if t.Outcome == run.Bounded {
		return nil // it is long, and keeps the verdict from holds in any case
	}
	t = t.Clone()
	again := *plan
	again.Input, again.Prefix, again.Record = drawn(t), t.Decisions, true
	defer func(was bool) { w.machine.FromStart = was }(w.machine.FromStart)
	w.machine.FromStart = true
	if s := w.machine.Summaries; s != nil { // what they have replaced is executed
		defer func(was bool) { s.Off = was }(s.Off)
		s.Off = true
	}
	first, err := w.Run(ctx, &again, run.NonPreemptive{})
	if err != nil {
		return err
	}
	first = first.Clone()
	if t.Outcome == run.Finished || t.Outcome == run.Failed {
		replayed := *first
		if !plan.Record {
			// A kernel that reads its bytes at once leaves it to a loop when reads
			// are recorded.
			replayed.Events, replayed.Instructions = nil, t.Instructions
		}
		if err := check.Same(t, &replayed); err != nil {
			return fmt.Errorf("a run and its replay differ: %w", err)
		}
	}
	second, err := w.Run(ctx, &again, run.NonPreemptive{})
	if err != nil {
		return err
	}
	if err := check.Same(first, second); err != nil {
		return fmt.Errorf("two replays of one run differ: %w", err)
	}
	return nil
}
