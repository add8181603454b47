package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/accept"
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
	races := s.worker.RaceSites(t)
	for i := range fresh {
		recorded := s.worker.RecordFinding(&fresh[i])
		if s.lines.has(recorded) {
			continue
		}
		s.lines.add(recorded)
		if entry := s.cfg.Accepted.Match(recorded); entry != nil {
			s.state.Accepted = append(s.state.Accepted, recorded)
			s.accept(recorded, entry)
			continue
		}
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
	if !s.failed() {
		s.show(races)
	}
	return nil
}

// accept notes a finding that is accepted.
func (s *search) accept(f *schedule.Finding, entry *accept.Entry) {
	text := f.Message
	if !strings.HasPrefix(text, f.Kind) {
		text = f.Kind + ": " + text
	}
	text = f.Pos + ": " + text
	if entry.Reason != "" {
		text += " (" + entry.Reason + ")"
	}
	s.result.Accepted = append(s.result.Accepted, text)
	s.cfg.Accepted.Use(entry)
}

// show makes the accesses of races visible to the exhaustive search, which begins again:
// without them it knows some of the interleavings only.
func (s *search) show(races []schedule.Place) {
	st := s.state
	races = slices.DeleteFunc(races, func(p schedule.Place) bool { return slices.Contains(st.Visible, p) })
	if len(races) == 0 {
		return
	}
	s.pool.wait() // a worker that is being started asks what is visible
	st.Visible = append(st.Visible, races...)
	if st.Divided {
		st.Divided, st.Size = false, size{}
		st.Frontier, st.Tasks, st.Left = nil, nil, nil
	}
}

// confirm repeats a run in which a worker has found something, and reports what it shows.
func (s *search) confirm(ctx context.Context, recorded *schedule.Run) error {
	// What was found is kept although the budget may end at this moment.
	ctx = context.WithoutCancel(ctx)
	plan, t, err := s.worker.Repeat(ctx, recorded)
	if err != nil {
		return fmt.Errorf("confirming a finding: %w", err)
	}
	lines, visible := len(s.lines), len(s.state.Visible)
	if err := s.report(ctx, plan, t.Clone()); err != nil {
		return err
	}
	if len(s.lines) == lines && len(s.state.Visible) == visible {
		s.lines.add(recorded.Finding)
		s.alarms.add(recorded.Finding)
		s.giveUpReplay(recorded.Finding.Message)
	}
	return nil
}

// giveUpReplay notes that a run that is made again does not show what it did.
func (s *search) giveUpReplay(message string) {
	s.state.Stats.GiveUp("a finding could not be replayed: " + message)
}
