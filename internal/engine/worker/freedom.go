package worker

import (
	"context"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/freedom"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// freedomWork bounds the instructions of all runs that are made to find out which inputs do not matter.
const freedomWork = 100_000_000

// findFree finds out which inputs do not matter to the finding of a witness, whose run was recorded, and marks them.
func (w *Worker) findFree(ctx context.Context, best *Witness, recorded *schedule.Run) error {
	if len(recorded.Input) == 0 || best.input.InTurn() || ctx.Err() != nil {
		return nil
	}
	instructions := uint64(0)
	make := func(ctx context.Context, in run.Input) (*freedom.Run, error) {
		if instructions > freedomWork {
			return nil, nil
		}
		c := *best
		c.input = in
		got, t, err := w.rerun(ctx, &c, run.Plan{})
		if err != nil {
			return nil, err
		}
		if instructions += t.Instructions; check.Find(t, best.key) == nil {
			return nil, nil
		}
		return &freedom.Run{Inputs: t.Inputs, Conditions: t.Path[:got.decided], Arena: w.machine.Arena, Whole: len(t.GivenUp) == 0}, nil
	}
	r, err := make(ctx, best.input)
	if err != nil || r == nil {
		return ifNotDone(ctx, err)
	}
	free, err := freedom.Find(ctx, r, make)
	if err != nil {
		return ifNotDone(ctx, err)
	}
	for i := range recorded.Input {
		recorded.Input[i].Any = free[recorded.Input[i].Name]
	}
	return nil
}
