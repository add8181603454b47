package worker

import (
	"context"
	"slices"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/simplicity"
	"github.com/everyway-go/everyway/internal/run"
)

// A Witness is a run that shows a finding: what has to be kept of it to show it
// again with another schedule or input.
type Witness struct {
	key     check.Key
	input   run.Input
	drawn   simplicity.Input // what its run drew, if that was made again
	visible run.Visible
	// Either decisions holds the run's decisions, to be taken exactly, or
	// steps and values say what to follow as far as it is possible.
	decisions []run.Decision
	steps     []step
	values    []int32
	events    []int         // the number of events of the run before each step
	shown     int           // the number of steps after which the run shows the finding
	decided   int           // the number of conditions of its path by then
	stall     time.Duration // that the run needs
	early     int           // the number of those steps that needed time to pass while others could run
}

// needed returns the steps up to where the run shows the finding.
func (c *Witness) needed() []step { return c.steps[:c.shown:c.shown] }

// Witness returns how to make the run of plan that gave t again.
func (w *Worker) Witness(plan *run.Plan, t *run.Trace) *Witness {
	return &Witness{
		input:     drawn(t),
		visible:   plan.Visible.Clone(),
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
	f := c.follow()
	return w.rerunBy(ctx, c, plan, f, f)
}

// follow returns a scheduler that follows the steps of the witness.
func (c *Witness) follow() *follower {
	f := follow(c.steps, c.values)
	f.key = c.key
	return f
}

// rerunBy is rerun with a scheduler that takes the steps of f.
func (w *Worker) rerunBy(ctx context.Context, c *Witness, plan run.Plan, s run.Scheduler, f *follower) (*Witness, *run.Trace, error) {
	plan.Input, plan.Visible, plan.Prefix = c.input, c.visible, c.decisions
	t, err := w.Run(ctx, &plan, s)
	if err != nil {
		return nil, nil, err
	}
	f.look(t)
	got := &Witness{
		key: c.key, input: drawn(t), drawn: simplicity.Input{Vars: w.inputs(t), Seed: c.drawn.Seed}, visible: c.visible,
		steps: f.taken, events: f.events, values: values(t), shown: len(f.taken), decided: len(t.Path), stall: t.Stall, early: f.early,
	}
	if f.found {
		got.shown, got.decided, got.early = f.shown, f.decided, f.earlyThen
	}
	return got, t, nil
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
