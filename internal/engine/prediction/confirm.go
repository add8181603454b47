package prediction

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A Result is what came of following a witness.
type Result struct {
	RunFile string // in which the run is saved that shows the finding; empty if it was not shown
	Why     string // why it was not shown
}

// confirm follows the witness of a finding. The worker is one of the target that the schedule is of.
func (s *recording) confirm(ctx context.Context, w *worker.Worker, f *analysis.Finding) (Result, error) {
	if f.Witness == nil && f.Certainty != analysis.Observed {
		return Result{Why: "there is no witness"}, nil
	}
	plan, t, lost, err := w.Follow(ctx, s.run(f))
	if err != nil {
		return Result{}, fmt.Errorf("following a witness: %w", err)
	}
	instead := ""
	if panics := f.Kind == analysis.SendOnClosed || f.Kind == analysis.NegativeCounter ||
		f.Kind == analysis.CloseOfClosed; panics && recovers(t) {
		instead = "the program recovers from a panic in the run"
	}
	found := w.Findings(t)
	for i := range found {
		recorded := w.RecordFinding(&found[i])
		if !s.shows(recorded, f) {
			instead = cmp.Or(instead, fmt.Sprintf("the run shows another finding: %s", recorded.Message))
			continue
		}
		confirmed, err := w.Confirm(ctx, &found[i], w.Witness(plan, t), func(*schedule.Run) {})
		if err != nil {
			return Result{}, fmt.Errorf("confirming a run: %w", err)
		}
		if confirmed == nil {
			return Result{Why: "the run, made again, does not show it"}, nil
		}
		saved, err := w.Save(ctx, confirmed)
		if err != nil {
			return Result{}, fmt.Errorf("saving a run: %w", err)
		}
		if saved.RunFile == "" {
			return Result{}, fmt.Errorf("saving a run: %s", strings.Join(saved.Warnings, "; "))
		}
		return Result{RunFile: saved.RunFile}, nil
	}
	return Result{Why: cmp.Or(instead, lost, "the run follows the witness, and nothing is wrong with it")}, nil
}

// recovers reports whether something has panicked in a run, and the run has gone on.
func recovers(t *run.Trace) bool {
	return t.Panic == nil && slices.ContainsFunc(t.Events, func(e run.Event) bool { return e.Op == schedule.Fail })
}

// shows reports whether what was found in a run is a finding in the schedule.
func (s *recording) shows(found *schedule.Finding, f *analysis.Finding) bool {
	var at []string // places of what was found
	for g := range found.All() {
		at = append(at, g.Pos)
	}
	in := func(sites ...analysis.Site) bool {
		left := slices.Clone(at)
		for _, site := range sites {
			place := s.table.Position(site.Location)
			lineOnly := s.table.Location(site.Location).Column == 0
			i := slices.IndexFunc(left, func(pos string) bool { return pos == place || lineOnly && strings.HasPrefix(pos, place+":") })
			if i < 0 {
				return false
			}
			left = slices.Delete(left, i, i+1)
		}
		return true
	}
	kind := check.Kind(found.Kind)
	switch f.Kind {
	case analysis.DataRace:
		// What panics because a channel is closed is no race of the run if the program does not recover.
		fails := len(f.Sites) == 2 && f.Sites[1].Op == schedule.Fail
		return kind == check.Race && in(f.Sites...) ||
			fails && kind == check.Panic && strings.Contains(found.Message, "closed channel") && in(f.Sites[1])
	case analysis.Deadlock:
		return check.Of(kind).Stuck && in(requests(f)...)
	case analysis.Leak:
		return check.Of(kind).Stuck && in(f.Sites[len(f.Sites)-1])
	case analysis.CloseOfClosed:
		return kind == check.Panic && strings.Contains(found.Message, "close of closed channel") && in(f.Sites[0])
	case analysis.UnlockOfUnlocked:
		return kind == check.FatalError && strings.Contains(strings.ToLower(found.Message), "unlock of unlocked") && in(f.Sites[1])
	case analysis.SendOnClosed:
		return kind == check.Panic && strings.Contains(found.Message, "send on closed channel") && in(f.Sites[0])
	case analysis.NegativeCounter:
		return kind == check.Panic && strings.Contains(found.Message, "negative WaitGroup counter") && in(f.Sites[1])
	}
	return false
}

// requests returns the sites of a deadlock at which goroutines wait: the last ones of each.
func requests(f *analysis.Finding) []analysis.Site {
	var list []analysis.Site
	for i, site := range f.Sites {
		if i+1 == len(f.Sites) || f.Sites[i+1].Goroutine != site.Goroutine {
			list = append(list, site)
		}
	}
	return list
}
