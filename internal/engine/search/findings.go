package search

import (
	"context"
	"fmt"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// report saves and reports the findings of a trace that are new. It changes the trace.
func (s *search) report(ctx context.Context, plan *run.Plan, t *run.Trace) error {
	found := s.worker.Findings(t)
	if len(found) == 0 {
		return nil
	}
	var fresh []check.Finding
	for i := range found {
		if key := check.KeyOf(&found[i]); !s.keys[key] {
			s.keys[key] = true
			fresh = append(fresh, found[i])
		}
	}
	seen := s.worker.Witness(plan, t)
	for i := range fresh {
		lines := sourceLines(s.worker.RecordFinding(&fresh[i]))
		if s.lines[lines] {
			continue
		}
		s.lines[lines] = true
		f, err := s.worker.Save(ctx, &fresh[i], seen)
		if err != nil {
			return err
		}
		if f == nil {
			s.giveUpReplay(fresh[i].Message)
			continue
		}
		s.result.Counterexamples = append(s.result.Counterexamples, f)
		s.totals()
		s.obs.Found(s.result, f)
	}
	return nil
}

// confirm repeats a run in which a worker has found something, and reports what it shows.
func (s *search) confirm(ctx context.Context, recorded *schedule.Run) error {
	// What was found is kept although the budget may end at this moment.
	ctx = context.WithoutCancel(ctx)
	plan, t, err := s.worker.Repeat(ctx, recorded)
	if err != nil {
		return fmt.Errorf("confirming a finding: %w", err)
	}
	if err := s.report(ctx, plan, t.Clone()); err != nil {
		return err
	}
	if lines := sourceLines(recorded.Finding); !s.lines[lines] {
		s.lines[lines] = true
		s.giveUpReplay(recorded.Finding.Message)
	}
	return nil
}

// giveUpReplay notes that a run that is made again does not show what it did.
func (s *search) giveUpReplay(message string) {
	s.state.Stats.GiveUp("a finding could not be replayed: " + message)
}
