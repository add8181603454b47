package worker

import (
	"cmp"
	"context"
	"fmt"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// Repeat makes a recorded run again.
func (w *Worker) Repeat(ctx context.Context, recorded *schedule.Run) (*run.Plan, *run.Trace, error) {
	plan, err := w.plan(recorded)
	if err != nil {
		return nil, nil, err
	}
	t, err := w.Run(ctx, plan, run.NonPreemptive{})
	if err != nil {
		return nil, nil, err
	}
	return plan, t, nil
}

// plan turns a recorded run back into a plan for this machine.
func (w *Worker) plan(r *schedule.Run) (*run.Plan, error) {
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
	visible := cmp.Or(r.Visible, &schedule.Visible{})
	p.Visible = w.Visible(visible)
	p.Visible.HideLogs, p.Visible.HideAtomics, p.Visible.HideAdds = r.NoLogs, r.NoAtomics, r.NoAdds
	for _, o := range visible.Objects {
		id := run.ObjectID{Goroutine: -1, Count: o.Count}
		switch o.Goroutine {
		case "":
		case schedule.Inputs:
			id.Goroutine = run.InputObjects
		default:
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

// Visible returns for this machine the sites of v.
func (w *Worker) Visible(v *schedule.Visible) run.Visible {
	out := run.Visible{Sites: map[run.SiteID]bool{}, Objects: map[run.ObjectID]bool{}}
	for _, s := range v.Sites {
		out.Sites[w.machine.SiteOf(s.Func, s.Instr)] = true
	}
	for _, s := range v.Atomics {
		if out.Atomics == nil {
			out.Atomics = map[run.SiteID]bool{}
		}
		out.Atomics[w.machine.SiteOf(s.Func, s.Instr)] = true
	}
	for _, s := range v.Stops {
		if out.Stops == nil {
			out.Stops = map[run.SiteID]bool{}
		}
		out.Stops[w.machine.SiteOf(s.Func, s.Instr)] = true
	}
	return out
}

// lookup returns the number of a goroutine, or -1 for the timers.
func (w *Worker) lookup(name string) (int32, error) {
	if name == schedule.Timer {
		return -1, nil
	}
	g, ok := w.machine.Names.Lookup(name)
	if !ok {
		return 0, fmt.Errorf("%q does not name a goroutine", name)
	}
	return g, nil
}
