package worker

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// Replay makes a recorded run again and calls obs with how it ended. It reports whether it
// ended as it was recorded: with a finding of the same kind at the same place and with the
// same message, or without one. The place is the function if its code has moved.
func Replay(ctx context.Context, prog *program.Program, target *load.Target, recorded *schedule.Run, obs verdict.Observer) (same bool, err error) {
	start := time.Now()
	corpus, err := ReadCorpus(prog, target)
	if err != nil {
		return false, err
	}
	cfg := Config{Settings: RecordedSettings(recorded.Options), Corpus: corpus, Leaks: check.LeaksAll, Goal: recorded.Goal}
	r := &verdict.Result{
		Package: target.Package.Path, Target: target.Name, Root: prog.RootOf(target.Package),
		Totals: verdict.Totals{Degree: -1, Runs: 1},
	}
	obs.Started(r.Package, r.Target)
	w, err := NewMachines(prog, func(time.Duration) {}).Worker(ctx, target, cfg, run.NewNames(), func(text []byte) { obs.Output(r.Package, r.Target, text) })
	if err != nil {
		return false, err
	}
	read, err := w.notingFiles()
	if err != nil {
		return false, err
	}
	plan, t, err := w.Repeat(ctx, recorded)
	files := read()
	if err != nil {
		return false, fmt.Errorf("replaying: %w", err)
	}
	printed := string(w.machine.Printed)
	found := w.Findings(t)
	var shown *check.Finding
	for i := range found {
		f := &found[i]
		if recorded.Finding != nil && sameFinding(w.RecordFinding(f), recorded.Finding, recorded.Build == w.build) {
			shown, same = f, true
			break
		}
	}
	if shown == nil && len(found) > 0 {
		shown = &found[0]
	}
	if recorded.Finding == nil {
		same = len(found) == 0
	}
	r.Elapsed = time.Since(start)
	w.coverer.note(t.Covered)
	r.Branches, r.Covered = w.CollectCoverage(nil).Count()
	r.Verdict = verdict.Open
	if t.Outcome == run.Infeasible || t.Outcome == run.Unsupported || t.Outcome == run.Bounded {
		same = false
		r.Open = append(r.Open, t.Message)
	}
	if shown != nil {
		r.Verdict = verdict.Fails
		switch {
		case check.Of(shown.Kind).Sought:
			r.Verdict = verdict.Reached
		case w.target.Context != nil:
			r.Verdict, r.Assumes = verdict.Possible, w.target.Context.Assumes
		}
		c := &Witness{visible: plan.Visible}
		f := &verdict.Counterexample{Run: w.record(c, t, shown), Output: printed}
		if same && recorded.Build == w.build {
			f.Run.Finding.Always = recorded.Finding.Always
			if why := recorded.Finding.Why; why != nil {
				f.Run.Finding.Why = why
				w.introduce(f.Run, &why.Then, t)
			}
			for i := range f.Run.Input {
				v := &f.Run.Input[i]
				v.Any = slices.ContainsFunc(recorded.Input, func(was schedule.Input) bool { return was.Name == v.Name && was.Any })
			}
		}
		r.Counterexamples = append(r.Counterexamples, f)
		obs.Found(r, f)
	} else {
		if len(r.Open) == 0 {
			r.Open = append(r.Open, "the run shows no finding")
		}
		obs.Output(r.Package, r.Target, []byte(printed))
	}
	if recorded.Build != w.build {
		r.Open = append(r.Open, "the run was recorded with other sources or another toolchain")
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if was, ok := recorded.Read[name]; ok && was != files[name] {
			r.Open = append(r.Open, name+" has changed since the run was recorded")
		}
	}
	obs.Ended(r)
	return same, nil
}

// sameFinding reports whether two findings are the same. If the code is, it may have moved to
// other lines.
func sameFinding(a, b *schedule.Finding, sameCode bool) bool {
	sameFunc := func(x, y schedule.Frame) bool { return x.Func == y.Func }
	return a.Kind == b.Kind && a.Message == b.Message &&
		(a.Pos == b.Pos || sameCode && slices.EqualFunc(a.Stack, b.Stack, sameFunc))
}
