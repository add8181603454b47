package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/accept"
	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// report saves and reports the findings of a trace that are new, which has been there since the
// given time. It changes the trace.
func (s *search) report(ctx context.Context, plan *run.Plan, t *run.Trace, since time.Time) error {
	found := s.worker.Findings(t)
	if len(found) == 0 {
		return nil
	}
	found = s.sought(s.counting(s.worker, found))
	var fresh []check.Finding
	for i := range found {
		if key := check.KeyOf(&found[i]); !s.keys[key] {
			s.keys[key] = true
			fresh = append(fresh, found[i])
		}
	}
	var confirmed []*worker.Confirmed
	var delays []time.Duration // of these
	seen := s.worker.Witness(plan, t)
	races := s.worker.RaceSites(t)
	for i := range fresh {
		recorded := s.worker.RecordFinding(&fresh[i])
		if entry := s.accepted.Match(recorded); entry != nil {
			if !s.acceptedLines.has(recorded) {
				s.acceptedLines.add(recorded)
				s.state.Accepted = append(s.state.Accepted, recorded)
				s.accept(recorded, entry)
			}
			continue
		}
		if s.lines.has(recorded) {
			continue
		}
		s.lines.add(recorded)
		var delay time.Duration
		c, err := s.worker.Confirm(ctx, &fresh[i], seen, func(run *schedule.Run) {
			s.confirmed = append(s.confirmed, run)
			s.totals()
			s.obs.Confirmed(s.result, run)
			delay = time.Since(since)
		})
		if err != nil {
			return err
		}
		if c == nil {
			s.giveUpReplay(fresh[i].Message)
			continue
		}
		confirmed, delays = append(confirmed, c), append(delays, delay)
	}
	// All are printed before the first of them is made smaller, which takes longer.
	for i, c := range confirmed {
		f, err := s.worker.Save(ctx, c)
		if f.Corpus != "" {
			s.file.wrote(f.Corpus)
		}
		f.Delay = delays[i]
		s.result.Counterexamples = append(s.result.Counterexamples, f)
		s.confirmed = s.confirmed[1:]
		if s.goal != nil {
			s.goal.Found(f.Run.Finding)
		}
		s.totals()
		s.obs.Found(s.result, f)
		if err != nil {
			return err
		}
	}
	if !s.failed() {
		s.show(races)
	}
	return nil
}

// accept notes a finding that is accepted.
func (s *search) accept(f *schedule.Finding, entry *accept.Entry) {
	text := lineOf(f)
	if entry.Reason != "" {
		text += " (" + entry.Reason + ")"
	}
	s.result.Accepted = append(s.result.Accepted, text)
	s.accepted.Use(entry)
}

// lineOf describes a finding in one line: where it is, of which kind, and its message.
func lineOf(f *schedule.Finding) string {
	text := f.Message
	if !strings.HasPrefix(text, f.Kind) {
		text = f.Kind + ": " + text
	}
	return f.Pos + ": " + text
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
	st.lookAgain()
}

// lookAtMore has the exhaustive search begin again because a run has collected garbage, because the
// order of Adds of wait groups may matter, or because something may be written to the log of a test
// that is done. What goroutines hold on to is visible in the first case, and logs are in the last:
// the runs have more steps than those that others have planned. In the second, each order is made.
func (s *search) lookAtMore(more worker.Overlooked) {
	s.pool.wait()
	s.state.Overlooked = s.state.Or(more)
	s.state.lookAgain()
}

// confirm repeats a run in which a worker has found something, and reports what it shows.
// It was there since the given time.
func (s *search) confirm(ctx context.Context, recorded *schedule.Run, since time.Time) error {
	// What was found is kept although the budget may end at this moment.
	plan, t, err := s.worker.Repeat(context.WithoutCancel(ctx), recorded)
	if err != nil {
		return fmt.Errorf("confirming a finding: %w", err)
	}
	lines, visible := len(s.lines)+len(s.acceptedLines), len(s.state.Visible)
	if err := s.report(ctx, plan, t.Clone(), since); err != nil {
		return err
	}
	if len(s.lines)+len(s.acceptedLines) == lines && len(s.state.Visible) == visible {
		s.lines.add(recorded.Finding)
		if s.isShown(t, recorded) {
			return nil
		}
		s.alarms.add(recorded.Finding)
		s.giveUpReplay(recorded.Finding.Message)
	}
	return nil
}

// isShown reports whether a run that was recorded shows its finding when it is made again, in t:
// then there is nothing new in that, since another run has shown it in which other goroutines were
// at its places, or since it is not what is looked for.
func (s *search) isShown(t *run.Trace, recorded *schedule.Run) bool {
	return slices.ContainsFunc(s.worker.Findings(t), func(f check.Finding) bool { return s.worker.SameFinding(&f, recorded) })
}

// giveUpReplay notes that a run that is made again does not show what it did.
func (s *search) giveUpReplay(message string) {
	s.state.Stats.GiveUp("a finding could not be replayed: " + message)
}

// trySaved makes the runs again that earlier searches of the target have saved, and says
// what became of each of their findings.
func (s *search) trySaved(ctx context.Context) error {
	defer func() { s.saved = nil }()
	for i := range s.saved {
		if ctx.Err() != nil || s.failed() {
			return nil
		}
		if err := s.trySavedRun(ctx, &s.saved[i]); err != nil {
			return err
		}
	}
	return nil
}

// trySavedRun is trySaved for one of them.
func (s *search) trySavedRun(ctx context.Context, f *savedRun) error {
	defer s.worker.KeepWaiting(s.worker.KeepWaiting(f.run.Options.Stall))
	plan, t, lost, err := s.try(ctx, f)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		// The run names what there is not any more.
		s.noteSaved(f, verdict.Lost, err.Error())
		return nil
	}
	findings := s.worker.Findings(t)
	switch {
	case len(findings) == 0 && lost == "":
		s.noteSaved(f, verdict.Fixed, "")
		return nil
	case len(findings) == 0:
		s.noteSaved(f, verdict.Lost, lost)
		return nil
	}
	status := verdict.FailsOtherwise
	for i := range findings { // a race may come before a failure of the same run
		if now := s.worker.RecordFinding(&findings[i]); now.Kind == f.run.Finding.Kind && function(now) == function(f.run.Finding) {
			status = verdict.FailsStill
		}
	}
	s.worker.Count(t, true, &s.state.Stats)
	s.state.Stats.Covered = s.worker.CollectCoverage(s.state.Stats.Covered)
	s.state.Since = s.state.Stats.Runs
	before := len(s.result.Counterexamples)
	if err := s.report(ctx, plan, t.Clone(), time.Now()); err != nil {
		return err
	}
	if len(s.result.Counterexamples) > before {
		s.noteSaved(f, status, "")
	}
	return nil
}

// try makes a saved run again: exactly, if the program is the same, and otherwise as far as
// it can be followed.
func (s *search) try(ctx context.Context, f *savedRun) (plan *run.Plan, t *run.Trace, lost string, err error) {
	if !f.unchanged {
		return s.worker.Retrace(ctx, f.run)
	}
	if plan, t, err = s.worker.Repeat(ctx, f.run); err != nil {
		return nil, nil, "", err
	}
	if len(s.worker.Findings(t)) == 0 {
		lost = "the program is the same, and the run ends otherwise"
	}
	return plan, t, lost, nil
}

// noteSaved notes what became of a saved finding.
func (s *search) noteSaved(f *savedRun, status verdict.SavedStatus, why string) {
	message := fmt.Sprintf("%s: %s", f.run.Finding.Kind, f.run.Finding.Message)
	s.result.Saved = append(s.result.Saved, verdict.Saved{RunFile: f.path, Finding: message, Status: status, Why: why})
}
