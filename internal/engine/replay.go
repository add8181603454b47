package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// Replay makes a recorded run again and tells obs how it ended. It reports
// whether it ended as it was recorded: with a finding of the same kind at the
// same place and the same message, or without one.
func Replay(ctx context.Context, prog *program.Program, target *load.Target, recorded *schedule.Run, obs verdict.Observer) (same bool, err error) {
	start := time.Now()
	cfg, err := Config{
		Settings: run.Settings{
			MaxLen:      recorded.Options.MaxLen,
			EagerTimers: recorded.Options.EagerTimers,
			Short:       recorded.Options.Short,
			Limits:      run.Limits{Instructions: recorded.Options.Instructions},
		},
	}.withDefaults()
	if err != nil {
		return false, err
	}
	r := &verdict.Result{Package: target.Package.Path, Target: target.Name, Totals: verdict.Totals{Degree: -1, Runs: 1}}
	obs.Started(r.Package, r.Target)
	w, err := newWorker(ctx, prog, target, cfg, run.NewNames(), func(text []byte) { obs.Output(r.Package, r.Target, text) })
	if err != nil {
		return false, err
	}
	plan, err := w.plan(recorded)
	if err != nil {
		return false, err
	}
	t, err := w.run(ctx, plan, run.NonPreemptive{})
	if err != nil {
		return false, fmt.Errorf("replaying: %w", err)
	}
	found := check.Judge(t)
	var shown *check.Finding
	for i := range found {
		f := &found[i]
		if recorded.Finding != nil && sameFinding(w.recordFinding(f), recorded.Finding) {
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
	r.Branches, r.Covered = w.coverer.collect(nil).count()
	r.Verdict = verdict.Open
	if t.Outcome == run.Infeasible || t.Outcome == run.Unsupported || t.Outcome == run.Bounded {
		same = false
		r.Open = append(r.Open, t.Message)
	}
	if shown != nil {
		r.Verdict = verdict.Fails
		c := &witness{visible: plan.Visible}
		f := &verdict.Found{Run: w.record(c, t, shown)}
		r.Findings = append(r.Findings, f)
		obs.Found(r, f)
	} else if len(r.Open) == 0 {
		r.Open = append(r.Open, "the run shows no finding")
	}
	if recorded.Build != prog.Build {
		r.Open = append(r.Open, "the run was recorded with other sources or another toolchain")
	}
	obs.Ended(r)
	return same, nil
}

func sameFinding(a, b *schedule.Finding) bool {
	return a.Kind == b.Kind && a.Pos == b.Pos && a.Message == b.Message
}

// plan turns a recorded run back into a plan for this machine.
func (w *worker) plan(r *schedule.Run) (*run.Plan, error) {
	p := &run.Plan{Input: run.Input{}, Record: true, RecordPlain: true}
	for _, v := range r.Input {
		p.Input[v.Name] = v.Value
	}
	for i, d := range r.Decisions {
		g, err := w.lookup(d.Goroutine)
		if err != nil {
			return nil, fmt.Errorf("decision %d: %w", i, err)
		}
		kind := run.Step
		if d.Value {
			kind = run.Value
		}
		p.Prefix = append(p.Prefix, run.Decision{Kind: kind, Goroutine: g, Alt: d.Alt})
	}
	if r.Visible == nil {
		return p, nil
	}
	p.Visible = run.Visible{Sites: map[run.SiteID]bool{}, Objects: map[run.ObjectID]bool{}}
	for _, s := range r.Visible.Sites {
		p.Visible.Sites[w.machine.SiteOf(s.Func, s.Instr)] = true
	}
	for _, o := range r.Visible.Objects {
		id := run.ObjectID{Goroutine: -1, Count: o.Count}
		if o.Goroutine != "" {
			g, err := w.lookup(o.Goroutine)
			if err != nil {
				return nil, fmt.Errorf("visible object: %w", err)
			}
			id.Goroutine = g
		}
		p.Visible.Objects[id] = true
	}
	return p, nil
}

func (w *worker) lookup(name string) (int32, error) {
	if name == timerGoroutine {
		return -1, nil
	}
	g, ok := w.machine.Names.Lookup(name)
	if !ok {
		return 0, fmt.Errorf("%q does not name a goroutine", name)
	}
	return g, nil
}
