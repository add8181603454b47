package worker

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
)

// A Witness is a run that shows a finding: what has to be kept of it to show it
// again with another schedule or input.
type Witness struct {
	key     check.Key
	input   run.Input
	visible run.Visible
	// Either decisions holds the run's decisions, to be taken exactly, or
	// steps and values say what to follow as far as it is possible.
	decisions []run.Decision
	steps     []step
	values    []int32
	events    []int         // the number of events of the run before each step
	stall     time.Duration // that the run needs
	early     []step        // the steps that needed it
	due       map[step]bool // the steps that are not to be early, if that can be avoided
}

// Witness returns how to make the run of plan that gave t again.
func (w *Worker) Witness(plan *run.Plan, t *run.Trace) *Witness {
	return &Witness{
		input:     drawn(t),
		visible:   run.Visible{Sites: maps.Clone(plan.Visible.Sites), Objects: maps.Clone(plan.Visible.Objects)},
		decisions: slices.Clone(t.Decisions),
		stall:     t.Stall,
	}
}

// drawn returns the input that a run drew, and no more.
func drawn(t *run.Trace) run.Input {
	in := run.Input{}
	for _, v := range t.Inputs {
		in[v.Name] = v.Value
	}
	return in
}

// rerun makes a witness's run with the recording that plan asks for, and
// returns the witness of what came of it.
func (w *Worker) rerun(ctx context.Context, c *Witness, plan run.Plan) (*Witness, *run.Trace, error) {
	plan.Input, plan.Visible, plan.Prefix = c.input, c.visible, c.decisions
	f := follow(c.steps, c.values, c.due)
	t, err := w.Run(ctx, &plan, f)
	if err != nil {
		return nil, nil, err
	}
	return &Witness{
		key: c.key, input: drawn(t), visible: c.visible, steps: f.taken, events: f.events, values: values(t),
		stall: t.Stall, early: f.early, due: c.due,
	}, t, nil
}

// values returns the values chosen in a run, those of its plan included.
func values(t *run.Trace) []int32 {
	var vs []int32
	for _, d := range t.Decisions {
		if d.Kind == run.Value {
			vs = append(vs, d.Alt)
		}
	}
	return vs
}
