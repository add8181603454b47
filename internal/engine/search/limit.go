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
	// instructionsPerSecond are those that a processor that has nothing else to do carries out, about.
	instructionsPerSecond = 200_000_000
	maxInstructions       = 2_000_000_000 // of the long run
)

// longRun returns how many instructions the long run of a target may take.
func longRun(budget time.Duration) uint64 {
	return uint64(min(budget.Seconds()/4*instructionsPerSecond, maxInstructions))
}

// fitLimitBefore does what fitLimit does for a search that has made no run yet: it makes one.
func (s *search) fitLimitBefore(ctx context.Context) error {
	if s.cfg.piece > 0 {
		return nil
	}
	reached, err := s.worker.IsLong(ctx)
	switch {
	case isCancelled(err):
		return nil // the search ends for that reason, too
	case err != nil || !reached:
		return err
	}
	_, err = s.fitLimit(ctx, nil)
	return err
}

// fitLimit raises the limit on the instructions of a run to twice those of a long run with
// this input, if there is one that ends. It is called when a run has reached the limit,
// and reports whether it has raised it.
func (s *search) fitLimit(ctx context.Context, input run.Input) (bool, error) {
	if s.cfg.piece > 0 {
		return false, nil
	}
	n, err := s.worker.RunLong(ctx, input, longRun(s.cfg.Budget))
	if isCancelled(err) {
		return false, nil
	}
	if n == 0 || err != nil {
		return false, err
	}
	s.state.Instructions = 2 * n
	s.applyLimit()
	return true, nil
}

// isCancelled reports whether an error says that a context has ended.
func isCancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// applyLimit makes the limit that was found that of all runs.
func (s *search) applyLimit() {
	if n := s.state.Instructions; n > 0 {
		s.cfg.Limits.Instructions = n
		s.worker.SetInstructions(n)
	}
}
