package worker

import (
	"context"

	"github.com/everyway-go/everyway/internal/run"
)

// SetInstructions sets the limit on the instructions of a run.
func (w *Worker) SetInstructions(n uint64) {
	w.cfg.Limits.Instructions, w.machine.Limits.Instructions = n, n
}

// OutOfInstructions reports whether a run ended because of the limit on its instructions.
func (w *Worker) OutOfInstructions(t *run.Trace) bool {
	return t.Outcome == run.Bounded && t.Instructions > w.cfg.Limits.Instructions
}

// RunLong runs the target under a fair schedule. If it does not end within the limit on the
// instructions, it is run once more with a limit of most, and RunLong returns how many
// instructions it takes. It returns 0 if it ends within its limit, or not at all.
func (w *Worker) RunLong(ctx context.Context, input run.Input, most uint64) (uint64, error) {
	limit := w.cfg.Limits.Instructions
	if most <= limit {
		return 0, nil
	}
	defer w.SetInstructions(limit)
	for n := limit; ; n = most {
		w.SetInstructions(n)
		t, err := w.Run(ctx, &run.Plan{Input: input}, new(run.Fair))
		switch {
		case err != nil:
			return 0, err
		case !w.OutOfInstructions(t) && n == limit, w.OutOfInstructions(t) && n >= most:
			return 0, nil
		case !w.OutOfInstructions(t):
			return t.Instructions, nil
		}
	}
}
