package search

import (
	"context"
	"errors"
	"time"

	"github.com/everyway-go/everyway/internal/run"
)

// A target may take more instructions than a run usually may, because it computes much, or
// because it does not end. Which of the two is the case is found out by one long run; it may
// take about a quarter of the budget.

const (
	// instructionsPerSecond are those that a machine carries out even if it is busy.
	instructionsPerSecond = 50_000_000
	maxInstructions       = 500_000_000 // of the long run
)

// longRun returns how many instructions the long run of a target may take.
func longRun(budget time.Duration) uint64 {
	return uint64(min(budget.Seconds()/4*instructionsPerSecond, maxInstructions))
}

// fitLimit raises the limit on the instructions of a run to twice those of a long run with
// this input, if there is one that ends. It is called when a run has reached the limit, and
// reports whether it has raised it.
func (s *search) fitLimit(ctx context.Context, input run.Input) (bool, error) {
	n, err := s.worker.RunLong(ctx, input, longRun(s.cfg.Budget))
	if err != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		return false, nil // the search ends for that reason, too
	}
	if n == 0 || err != nil {
		return false, err
	}
	s.state.Instructions = 2 * n
	s.applyLimit()
	return true, nil
}

// applyLimit makes the limit that was found that of all runs.
func (s *search) applyLimit() {
	if n := s.state.Instructions; n > 0 {
		s.cfg.Limits.Instructions = n
		s.worker.SetInstructions(n)
	}
}
