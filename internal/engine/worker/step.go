package worker

import (
	"context"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/cputime"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// Step makes the next run of a strategy and adds it to stats. The job is nil when the
// strategy has none, and when there is an error. Calls of the strategy end when thinking
// does, the run when ctx does.
//
// If the strategy is not exhaustive, a run that was bounded does not keep the target from
// holding: an exhaustive strategy makes a run of the same inputs and interleavings, or one
// that does not keep goroutines waiting as this one may have done.
func (w *Worker) Step(ctx, thinking context.Context, st strategy.Strategy, exhaustive bool, stats *Stats) (*strategy.Job, *run.Trace, error) {
	planning := w.Profiler.Plan()
	defer planning.End()
	job, err := st.Next(thinking)
	if err == nil && job != nil {
		err = thinking.Err()
	}
	if job == nil || err != nil {
		return nil, nil, err
	}
	planning.Pause()
	trace, err := w.profiledRun(ctx, job.Plan, job.Scheduler)
	planning.Resume()
	if err != nil {
		return nil, nil, err
	}
	if err := st.Learn(thinking, job, trace, w.machine.Arena); err != nil {
		return nil, nil, err
	}
	w.Count(trace, exhaustive, stats)
	return job, trace, nil
}

// profiledRun is Run for a run whose costs are part of the profile.
func (w *Worker) profiledRun(ctx context.Context, plan *run.Plan, sched run.Scheduler) (*run.Trace, error) {
	w.Profiler.Start()
	defer w.Profiler.Stop()
	s := w.machine.Summaries
	if s == nil {
		return w.Run(ctx, plan, sched)
	}
	s.Gain.Begin(s)
	start := cputime.Now() // what others do on the computer is no cost of the run
	t, err := w.Run(ctx, plan, sched)
	if err != nil {
		s.Off, s.Sparing = false, false
		return nil, err
	}
	s.Gain.End(s, int64(t.Instructions), cputime.Now()-start)
	return t, nil
}

// Count adds to stats what bears on the verdict in a run that was made, for an exhaustive
// strategy or another.
func (w *Worker) Count(t *run.Trace, exhaustive bool, stats *Stats) {
	if !w.counted {
		w.counted, w.printed = true, string(w.machine.Printed)
	}
	stats.Runs++
	stats.Summaries.Add(w.machine.summarised())
	w.Profiler.Run(t, w.machine.Arena)
	w.coverer.note(t.Covered)
	if t.Skipped && w.target.Kind != load.TargetParallel { // others are not skipped with one of several
		stats.Skipped++
	}
	if t.Skipped && w.target.Kind == load.TargetContext && t.Message != "" {
		stats.Refuse(t.Message)
	}
	stats.Shapes.count(t)
	stats.HeldTimers = stats.HeldTimers || t.TimersHeld
	stats.BoundsHit |= w.machine.bounds | t.Bounds
	stats.CutTime = stats.CutTime || t.TimeCut
	if !stats.DrewLength {
		stats.DrewLength = drawsLength(t)
	}
	w.note(t, stats)
	if w.cfg.Ends && w.OutOfInstructions(t) {
		if stats.Ends == nil {
			stats.Ends = Ends{}
		}
		stats.Ends.note(w.machine.Machine, func(pos token.Pos) string { return w.program.Position(w.target, pos) })
	}
	switch {
	case t.Outcome == run.Bounded && !exhaustive:
		stats.NoteBounded(w.Explain(t.Message))
	case t.Outcome == run.Bounded, t.Outcome == run.Unsupported:
		stats.GiveUp(w.Explain(t.Message))
	}
	for _, g := range t.GivenUp {
		stats.GiveUp(w.describe(g))
	}
	for _, b := range t.PlacedBounds {
		at := ""
		if b.Site != run.NoSite {
			at = w.position(b.Site)
		}
		stats.AddBound(b.Name, at)
	}
}

// drawsLength reports whether a run drew the length of a string or slice.
func drawsLength(t *run.Trace) bool {
	return slices.ContainsFunc(t.Inputs, func(v run.InputVar) bool { return strings.HasPrefix(v.Name, "len(") })
}

// Findings returns what is wrong with a run.
func (w *Worker) Findings(t *run.Trace) []check.Finding {
	found := w.judgement().Findings(t)
	if w.target.Kind == load.TargetContext && len(w.target.Context.Awaited) > 0 {
		found = slices.DeleteFunc(found, w.awaitsOthers)
	}
	return found
}

// awaitsOthers reports whether a finding in the middle of a program is that goroutines wait for
// what another one may do, which does not take part. Those that wait for locks may do so because of
// the others. If several do, they may wait for one another.
func (w *Worker) awaitsOthers(f check.Finding) bool {
	if f.Kind != check.Deadlock && f.Kind != check.Leak {
		return false
	}
	awaiting, locking := false, 0
	for g := range f.All() {
		fn := w.machine.Funcs[g.Site.Func]
		instr := fn.Instr(int(g.Site.Instr))
		if w.target.Context.Awaited[instr] {
			awaiting = true
		} else {
			locking++
		}
	}
	return awaiting && locking < 2
}

// judgement returns what makes the target fail.
func (w *Worker) judgement() check.Judgement {
	return check.Judgement{Program: w.target.Kind == load.TargetMain, Leaks: w.cfg.Leaks}
}

// note adds to stats the goroutines of a run that remain when the target has returned and
// do not make it fail.
func (w *Worker) note(t *run.Trace, stats *Stats) {
	if t.Stuck == nil {
		return
	}
	for _, found := range w.judgement().Notes(t) {
		for f := range found.All() {
			at := noted{f.Kind, f.Site}
			text, ok := w.noted[at]
			if !ok {
				text = fmt.Sprintf("%s: %s: %s", f.Kind, w.userPosition(f), f.Message)
				w.noted[at] = text
			}
			stats.Note(text)
		}
	}
}

// A noted identifies what Worker.note has a text for.
type noted struct {
	kind check.Kind
	site run.SiteID
}

// OutOfInstructions reports whether a run ended because of the limit on its instructions.
func (w *Worker) OutOfInstructions(t *run.Trace) bool {
	return t.Outcome == run.Bounded && t.Instructions > w.machine.Limits.Instructions
}
