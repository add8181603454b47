package worker

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/cause"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// explain finds out why the run of a witness fails, which was recorded, and adds that to its finding. It does so
// as long as ctx allows.
func (w *Worker) explain(ctx context.Context, best *Witness, recorded *schedule.Run) error {
	if ctx.Err() != nil || check.Of(best.key.Kind).Sought {
		return nil
	}
	e := &explainer{w: w, recorded: recorded}
	if ok, err := e.begin(ctx, best); err != nil || !ok {
		return ifNotDone(ctx, err)
	}
	for _, find := range []func(context.Context) (*schedule.Why, error){e.exchange, e.delay} {
		why, err := find(ctx)
		if err != nil {
			return ifNotDone(ctx, err)
		}
		if why != nil {
			recorded.Finding.Why = why
			return nil
		}
	}
	always, err := e.always(ctx)
	if err != nil {
		return ifNotDone(ctx, err)
	}
	recorded.Finding.Always = always
	return nil
}

// always reports whether the target is known to fail in every order. Where there are no goroutines but the test's, that
// goes without saying.
func (e *explainer) always(ctx context.Context) (bool, error) {
	if !e.startsOthers() {
		return false, nil
	}
	_, t, err := e.w.rerun(ctx, e.witness, run.Plan{})
	if err != nil {
		return false, err
	}
	return e.w.always(ctx, t.Clone(), e.witness.visible, e.witness.key)
}

// ifNotDone returns err unless ctx is done, which is no error: what was found is not explained then.
func ifNotDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// An explainer looks for the reason of one finding.
type explainer struct {
	w        *Worker
	recorded *schedule.Run
	witness  *Witness
	failing  cause.Run
}

// everything is what the runs record whose events are compared.
var everything = run.Plan{Record: true, RecordPlain: true}

// begin makes the run that fails. It reports whether there is something to be found out: whether there were several
// goroutines, and the run is the one that was recorded.
func (e *explainer) begin(ctx context.Context, best *Witness) (bool, error) {
	s := &surveyor{follower: best.follow()}
	got, t, err := e.w.rerunBy(ctx, best, everything, s, s.follower)
	if err != nil || len(t.Events) != len(e.recorded.Events) {
		return false, err
	}
	e.witness = got
	e.failing = cause.Run{Events: slices.Clone(t.Events), Steps: s.steps}
	return slices.ContainsFunc(s.steps, func(s cause.Step) bool { return !s.Alone }), nil
}

// startsOthers reports whether the run has started goroutines besides those of tests and of package initialisers.
func (e *explainer) startsOthers() bool {
	tests := map[string]bool{}
	for _, g := range e.recorded.Goroutines {
		tests[g.Name] = g.Test != ""
	}
	return slices.ContainsFunc(e.recorded.Events, func(s schedule.RunEvent) bool {
		return s.Op == schedule.Spawn && !tests[s.Child] && !e.recorded.OfInitialiser(s.Child)
	})
}

// A surveyor is a follower that keeps the steps which it takes.
type surveyor struct {
	*follower
	steps []cause.Step
}

// Stepping implements run.Watcher.
func (s *surveyor) Stepping(t *run.Transition, trace *run.Trace) bool {
	others := slices.ContainsFunc(trace.Pending, func(p run.Transition) bool { return p.Goroutine != t.Goroutine })
	s.steps = append(s.steps, cause.Step{Transition: cloned(t), Event: len(trace.Events), Alone: !others})
	return s.follower.Stepping(t, trace)
}

// exchange looks for two steps of the run that would have to change places. The accesses of a data race are no such
// steps: they race whichever comes first.
func (e *explainer) exchange(ctx context.Context) (*schedule.Why, error) {
	failing := e.failing
	failing.Synchronization = e.witness.key.Kind == check.Race
	found, err := cause.Find(ctx, &failing, func(ctx context.Context, order []int) (cause.Attempt, error) {
		c := *e.witness
		c.steps = make([]step, len(order))
		for i, k := range order {
			c.steps[i] = e.witness.steps[k]
		}
		got, t, err := e.w.rerun(ctx, &c, everything)
		if err != nil {
			return cause.Attempt{}, err
		}
		return cause.Attempt{Events: t.Events, Passes: e.w.passes(t), Steps: len(got.steps)}, nil
	})
	if err != nil || found == nil {
		return nil, err
	}
	why := &schedule.Why{First: whyStep(e.recorded, found.First), Then: whyStep(e.recorded, found.Then)}
	why.Then.Op = found.Op
	return why, nil
}

// delay looks for a step that would have to come earlier, and that need not be one of the run.
func (e *explainer) delay(ctx context.Context) (*schedule.Why, error) {
	missed, err := cause.FindMissed(ctx, &e.failing, e.recorded.Finding.Events, func(ctx context.Context, d cause.Delay) (cause.Delayed, error) {
		_, _, made, err := e.delayed(ctx, d, run.Plan{})
		return made, err
	})
	if err != nil || missed == nil {
		return nil, err
	}
	got, t, made, err := e.delayed(ctx, missed.Delay, everything)
	if err != nil || !made.Passes {
		return nil, err
	}
	at := e.cameBefore(t.Events, got.events, missed.Delay, &made)
	if at < 0 {
		return nil, nil
	}
	why := &schedule.Why{First: whyStep(e.recorded, missed.First)}
	why.First.Op = missed.Op
	then := cause.Same(t.Events, at, e.failing.Events)
	if then >= 0 && then < missed.First {
		return nil, nil
	}
	if then >= 0 && e.failing.Events[then].Op == t.Events[at].Op {
		why.Then = whyStep(e.recorded, then)
		return why, nil
	}
	passing := e.w.record(got, t, nil)
	if at >= len(passing.Events) {
		return nil, nil // it is incomplete
	}
	why.Then = whyStep(passing, at)
	why.Then.Event, why.Then.Own, why.Then.Call = -1, passing.Events[at].Own, passing.Events[at].Call
	if name := e.nameOf(&t.Events[at]); name != "" {
		why.Then.Var = name
	}
	e.w.introduce(e.recorded, &why.Then, t)
	return why, nil
}

// nameOf returns what the variable of an event of another run is called in the run that fails,
// where those of one kind may be numbered otherwise. It is empty if the run has no name for it.
func (e *explainer) nameOf(other *run.Event) string {
	for i := range e.failing.Events {
		if was := &e.failing.Events[i]; was.Object == other.Object && was.Offset == other.Offset {
			return e.recorded.Events[i].Var
		}
	}
	object := e.w.object(other.Object)
	for one := range e.recorded.Finding.All() {
		for _, wait := range one.Waits {
			if wait.Object != nil && *wait.Object == object && wait.Offset == other.Offset {
				return wait.Var
			}
		}
	}
	return ""
}

// delayed makes a run with a delay.
func (e *explainer) delayed(ctx context.Context, d cause.Delay, plan run.Plan) (*Witness, *run.Trace, cause.Delayed, error) {
	c := e.witness
	s := &delayer{follower: c.follow(), Delay: d, of: &e.failing.Steps[d.Step].Transition}
	got, t, err := e.w.rerunBy(ctx, c, plan, s, s.follower)
	if err != nil {
		return nil, nil, cause.Delayed{}, err
	}
	s.made.Passes, s.made.Steps = e.w.passes(t), len(got.steps)
	return got, t, s.made, nil
}

// cameBefore returns the place of the event in a run with a delay that the run which fails has
// missed: that of the last step of others before the delay ended or, if they took none, of the
// partner in the case of a select that was taken instead of the default. The argument before has
// the number of events before each step. The result is negative if there is no such event.
func (e *explainer) cameBefore(events []run.Event, before []int, d cause.Delay, made *cause.Delayed) int {
	var g int32
	var op schedule.Op
	last := d.Step
	switch {
	case d.Others > 0 && d.Others == len(made.Ahead):
		x := &made.Ahead[d.Others-1]
		g, op, last = x.Goroutine, x.Op, d.Step+d.Others-1
	case d.Others == 0 && made.Instead != nil:
		x := made.Instead
		g, op = x.Goroutine, x.Op
		if g == e.failing.Steps[d.Step].Goroutine {
			g, op = x.Partner, schedule.Recv // only who sends has a transition
		}
	default:
		return -1
	}
	end := len(events)
	if last+1 < len(before) {
		end = before[last+1]
	}
	return cause.EventOf(events, g, op, before[last], end)
}

// passes reports whether nothing is wrong with a run.
func (w *Worker) passes(t *run.Trace) bool {
	return t.Outcome == run.Finished && len(w.Findings(t)) == 0
}

// whyStep returns an event as an explanation has it.
func whyStep(r *schedule.Run, at int) schedule.WhyStep {
	e := &r.Events[at]
	return schedule.WhyStep{Event: at, Goroutine: e.Goroutine, Op: e.Op, Var: e.Var, Pos: e.Pos}
}
