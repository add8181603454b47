package worker

import (
	"slices"

	"github.com/everyway-go/everyway/internal/engine/cause"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A delayer is a follower that has a goroutine wait from one of its steps on, while others go on without it. If the
// step is the default of a select, it takes another case, once it does not wait any more.
type delayer struct {
	*follower
	cause.Delay
	of   *run.Transition // the step from which on its goroutine waits
	over bool            // it does not wait any more
	made cause.Delayed
}

// Choose implements run.Scheduler.
func (d *delayer) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Value || len(d.taken) < d.Step || d.over {
		return d.follower.Choose(p)
	}
	if len(d.made.Ahead) < d.Others {
		if k := d.only(p, func(t *run.Transition) bool { return t.Goroutine != d.of.Goroutine }); k >= 0 {
			return k
		}
	}
	d.goOn(p.Pending)
	if d.of.Op == schedule.SelectDefault {
		other := func(t *run.Transition) bool {
			return t.Op != schedule.SelectDefault && (t.Goroutine == d.of.Goroutine || t.Partner == d.of.Goroutine)
		}
		if k := d.only(p, other); k >= 0 {
			instead := cloned(&p.Enabled[k])
			d.made.Instead = &instead
			return k
		}
	}
	return d.follower.Choose(p)
}

// Stepping implements run.Watcher.
func (d *delayer) Stepping(t *run.Transition, trace *run.Trace) bool {
	switch {
	case len(d.taken) < d.Step || d.over:
	case t.Goroutine == d.of.Goroutine, len(d.made.Ahead) >= d.Others:
		d.goOn(trace.Pending) // nothing else was possible, or the others have taken their steps
	default:
		d.made.Ahead = append(d.made.Ahead, cloned(t))
	}
	return d.follower.Stepping(t, trace)
}

// goOn ends the delay. The argument is what is pending then.
func (d *delayer) goOn(pending []run.Transition) {
	d.over = true
	for i := range pending {
		if t := &pending[i]; t.Goroutine != d.of.Goroutine {
			d.made.Blocked = append(d.made.Blocked, cloned(t))
		}
	}
}

// cloned returns a copy of a transition that stays valid.
func cloned(t *run.Transition) run.Transition {
	c := *t
	c.Awaits = slices.Clone(t.Awaits)
	return c
}
