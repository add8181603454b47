package worker

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/cause"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// explain finds out why the run of a witness fails, which was recorded, and adds that to its finding. It does so
// as long as ctx allows. A race has no such reason: the two accesses are not ordered, whichever comes first.
func (w *Worker) explain(ctx context.Context, best *Witness, recorded *schedule.Run) error {
	if recorded.Finding.Kind == string(check.Race) || switches(best.steps) == 0 || ctx.Err() != nil {
		return nil
	}
	everything := run.Plan{Record: true, RecordPlain: true}
	got, t, err := w.rerun(ctx, best, everything)
	if err != nil || len(t.Events) != len(recorded.Events) {
		return ifNotDone(ctx, err)
	}
	failing := &cause.Run{Events: slices.Clone(t.Events)}
	for i, s := range got.steps {
		failing.Steps = append(failing.Steps, cause.Step{Goroutine: s.goroutine, Event: got.events[i]})
	}
	found, err := cause.Find(ctx, failing, func(ctx context.Context, order []int) (cause.Attempt, error) {
		c := *got
		c.steps = make([]step, len(order))
		for i, k := range order {
			c.steps[i] = got.steps[k]
		}
		_, t, err := w.rerun(ctx, &c, everything)
		if err != nil {
			return cause.Attempt{}, err
		}
		return cause.Attempt{Events: t.Events, Passes: t.Outcome == run.Finished && len(w.Findings(t)) == 0}, nil
	})
	if err != nil || found == nil {
		return ifNotDone(ctx, err)
	}
	recorded.Finding.Why = &schedule.Why{First: whyStep(recorded, found.First), Then: whyStep(recorded, found.Then)}
	return nil
}

// ifNotDone returns err unless ctx is done, which is no error: what was found is not explained then.
func ifNotDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// whyStep returns an event as an explanation has it.
func whyStep(r *schedule.Run, at int) schedule.WhyStep {
	e := &r.Events[at]
	return schedule.WhyStep{Event: at, Goroutine: e.Goroutine, Op: e.Op, Var: e.Var, Pos: e.Pos}
}
