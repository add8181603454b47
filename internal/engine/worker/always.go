package worker

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
)

// The bounds of the runs that are made to see whether a program fails in every order.
const (
	maxOrders    = 200
	maxDecisions = 50_000 // of all these runs together
)

// always reports whether the target fails in every order of its steps, of which the given run is
// one: because there is no other one for its inputs or, if it has none, because all were made. A
// data race, whose key is given, has to be in all of them; otherwise they may fail in different
// ways. It is not known to fail so if there are too many orders, or if something was given up.
func (w *Worker) always(ctx context.Context, fails *run.Trace, visible run.Visible, key check.Key) (bool, error) {
	if !w.showsIn(fails, key) {
		return false, nil
	}
	if !slices.ContainsFunc(fails.Decisions, func(d run.Decision) bool { return d.Kind == run.Step }) {
		return true, nil
	}
	if len(fails.Inputs) > 0 {
		return false, nil
	}
	st, err := w.Begin(hyperconcolic.Info, strategy.Config{Visible: visible, Symmetry: true})
	if err != nil {
		return false, err
	}
	decisions := 0
	for range maxOrders {
		job, err := st.Next(ctx)
		if err != nil {
			return false, err
		}
		if job == nil {
			now := st.Status()
			return now.Exhausted && len(now.Open) == 0, nil
		}
		t, err := w.Run(ctx, job.Plan, job.Scheduler)
		if err != nil {
			return false, err
		}
		decisions += len(t.Decisions)
		if decisions > maxDecisions || len(t.Inputs) > 0 || overlooked(job.Plan, t).Any() ||
			t.Outcome != run.Infeasible && !w.showsIn(t, key) {
			return false, nil
		}
		if err := st.Learn(ctx, job, t, w.machine.Arena); err != nil {
			return false, err
		}
	}
	return false, nil
}

// showsIn reports whether a run fails: with the race of a key or, if that is of another kind, with
// anything but a race. What programs do after a race is not known.
func (w *Worker) showsIn(t *run.Trace, key check.Key) bool {
	if len(t.GivenUp) > 0 || t.Outcome != run.Finished && t.Outcome != run.Failed {
		return false
	}
	found := w.Findings(t)
	isRace := func(f check.Finding) bool { return f.Kind == check.Race }
	if key.Kind == check.Race {
		return slices.ContainsFunc(found, func(f check.Finding) bool { return check.KeyOf(&f) == key })
	}
	return len(found) > 0 && !slices.ContainsFunc(found, isRace)
}
