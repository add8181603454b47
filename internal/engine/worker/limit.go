package worker

import (
	"context"

	"github.com/everyway-go/everyway/internal/run"
)

// SetInstructions sets the limit on the instructions of a run.
func (w *Worker) SetInstructions(n uint64) {
	w.cfg.Limits.Instructions, w.machine.Limits.Instructions = n, n
}

// EndAt has runs end after so many instructions, which are those of a piece. The runs that are
// recorded do not have that limit: what they show comes before it.
func (w *Worker) EndAt(n uint64) { w.machine.Limits.Instructions = n }

// RunLong runs the target under a fair schedule, with a limit of most instructions. It returns how
// many it takes, and 0 if it does not end, or ends within the usual limit.
func (w *Worker) RunLong(ctx context.Context, input run.Input, most uint64) (uint64, error) {
	limit := w.cfg.Limits.Instructions
	if most <= limit {
		return 0, nil
	}
	defer w.SetInstructions(limit)
	w.SetInstructions(most)
	t, err := w.Run(ctx, &run.Plan{Input: input}, new(run.Fair))
	if err != nil || w.OutOfInstructions(t) || t.Instructions <= limit {
		return 0, err
	}
	return t.Instructions, nil
}

// IsLong reports whether a run of the target under a fair schedule reaches the limit on its instructions.
func (w *Worker) IsLong(ctx context.Context) (bool, error) {
	t, err := w.Run(ctx, new(run.Plan), new(run.Fair))
	return err == nil && w.OutOfInstructions(t), err
}
