package worker

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// Retrace makes a recorded run of a program that has changed since, as far as that is
// possible: with the same inputs, and with the operations of the goroutines in the same
// order. lost says why the run is another one. It is empty if the recorded one was followed
// to where it failed, each goroutine having done what it did, and nothing else.
//
// Where operations were added it is not certain which ones are the old ones. There are
// several attempts, of which the result is the first that shows a finding, or was followed.
func (w *Worker) Retrace(ctx context.Context, recorded *schedule.Run) (plan *run.Plan, t *run.Trace, lost string, err error) {
	for likeness := sameObject; likeness <= sameOperation; likeness++ {
		plan, t, lost, err = w.retrace(ctx, recorded, likeness)
		if err != nil || lost == "" || len(w.Findings(t)) > 0 {
			break
		}
	}
	return plan, t, lost, err
}

// Follow makes a run in which goroutines take their steps in the order of the events of r, as far as that
// is possible. They need not have happened in this order: r is what the program does with its inputs
// according to a prediction, and has no finding. Choices of values are answered as in r, goroutine by goroutine.
// For lost, see [Worker.Retrace].
func (w *Worker) Follow(ctx context.Context, r *schedule.Run) (plan *run.Plan, t *run.Trace, lost string, err error) {
	return w.retrace(ctx, r, sameOperation)
}

// A likeness says which operations in a function may be the same one before and after it was
// changed: those on objects of the same name, on objects that are or are not global
// variables, or all.
type likeness int

const (
	sameObject likeness = iota
	sameScope
	sameOperation
)

// retrace is one attempt of Retrace.
func (w *Worker) retrace(ctx context.Context, recorded *schedule.Run, like likeness) (plan *run.Plan, t *run.Trace, lost string, err error) {
	whole := *recorded
	whole.Decisions = nil
	if plan, err = w.plan(&whole); err != nil {
		return nil, nil, "", err
	}
	plan.Visible.HideAtomics, plan.Visible.Atomics = false, nil // their order is among that of the events
	r, err := w.newRetracer(recorded)
	if err != nil {
		return nil, nil, "", err
	}
	r.like = like
	if t, err = w.Run(ctx, plan, r); err != nil {
		return nil, nil, "", err
	}
	r.observe(t)
	lost = cmp.Or(otherInput(recorded.Input, t.Inputs), r.lost, r.missing(), r.added)
	if t.Outcome == run.Infeasible || t.Outcome == run.Unsupported || t.Outcome == run.Bounded {
		lost, _, _ = strings.Cut(w.Explain(t.Message), "\n")
	}
	return plan, t, lost, nil
}

// otherInput says which input of a recorded run was not drawn in another, or the reverse.
func otherInput(recorded []schedule.Input, drawn []run.InputVar) string {
	left := make(map[string]bool)
	for _, v := range recorded {
		left[v.Name] = true
	}
	for _, v := range drawn {
		if !left[v.Name] && !v.Choice && run.SourceOf(v.Name) != run.ClockReading {
			return fmt.Sprintf("%s is a further input", v.Name)
		}
		delete(left, v.Name)
	}
	for _, v := range recorded {
		if left[v.Name] && !v.Choice && run.SourceOf(v.Name) != run.ClockReading {
			return fmt.Sprintf("%s is no input any more", v.Name)
		}
	}
	return ""
}

// A retracer steers a run along the events of a recorded one. The next step is that of the
// goroutine whose next event came first: what it does instead, where code was added, belongs
// to the way there.
type retracer struct {
	w      *Worker
	events []schedule.RunEvent
	next   map[int32][]int   // of each goroutine, the events that were not met yet
	values map[int32][]int32 // by goroutine
	rest   run.Fair          // chooses where the events say nothing, so that goroutines that never wait do not keep others from ending
	like   likeness
	left   int    // recorded events that were not met yet
	seen   int    // events of the run that were observed
	lost   string // why the run is another one
	added  string // an event that is not among the recorded ones; empty if there is none
}

// newRetracer returns a retracer along a run.
func (w *Worker) newRetracer(recorded *schedule.Run) (*retracer, error) {
	r := &retracer{w: w, events: recorded.Events, next: make(map[int32][]int), values: make(map[int32][]int32)}
	for i := range r.events {
		e := &r.events[i]
		f := recorded.Finding
		if f != nil && (f.Kind == string(check.TestFailure) || f.Kind == string(check.NotLinearizable)) && e.Goroutine == f.Goroutine && e.Pos == f.Pos {
			break // what failing does
		}
		// If plain accesses were visible, those matter before which another goroutine had its turn or,
		// if the order is not that of a run, all.
		if !orders(e.Op) && !(hasPlain(recorded.Visible) && e.Op.IsPlain() && (f == nil || i > 0 && r.events[i-1].Goroutine != e.Goroutine)) {
			continue
		}
		g, err := w.lookup(e.Goroutine)
		if err != nil {
			return nil, fmt.Errorf("event %d: %w", i, err)
		}
		r.next[g] = append(r.next[g], i)
		r.left++
	}
	for _, d := range recorded.Decisions {
		if !d.Value {
			continue
		}
		g, err := w.lookup(d.Goroutine)
		if err != nil {
			return nil, fmt.Errorf("a choice: %w", err)
		}
		r.values[g] = append(r.values[g], d.Alt)
	}
	return r, nil
}

// hasPlain reports whether plain accesses are visible, or instructions at which goroutines stop.
func hasPlain(v *schedule.Visible) bool {
	return v != nil && len(v.Sites)+len(v.Objects)+len(v.Stops) > 0
}

// orders reports whether the order of operations is made of op, as it is not of plain accesses
// and of what only marks the structure of the run.
func orders(op schedule.Op) bool { return !op.IsPlain() && op < schedule.Spawn }

// Choose implements run.Scheduler.
func (r *retracer) Choose(p *run.SchedulingPoint) int {
	r.observe(p.Trace)
	if p.Kind == run.Value {
		left := r.values[p.Goroutine]
		if len(left) == 0 {
			return 0
		}
		v := left[0]
		r.values[p.Goroutine] = left[1:]
		if int(v) >= p.N {
			r.lose("a choice of %d values was one of more", p.N)
			return 0
		}
		return int(v)
	}
	best, at := -1, 0
	for k := range p.Enabled {
		t := &p.Enabled[k]
		queue := r.next[t.Goroutine]
		if len(queue) == 0 {
			continue
		}
		if best < 0 || queue[0] < at || queue[0] == at && r.fits(t) && !r.fits(&p.Enabled[best]) {
			best, at = k, queue[0]
		}
	}
	if best >= 0 {
		return best
	}
	return r.rest.Choose(p)
}

// fits reports whether a transition is the next operation of its goroutine, in the same of
// its ways.
func (r *retracer) fits(t *run.Transition) bool {
	e := &r.events[r.next[t.Goroutine][0]]
	return t.Op == e.Op && (!t.Select || int32(t.Case()) == e.Alt)
}

// retraceAhead is how many events of a goroutine are looked through for one that was met:
// those before it are gone.
const retraceAhead = 16

// observe takes note of the events of the run that have happened since the last call.
func (r *retracer) observe(t *run.Trace) {
	for ; r.seen < len(t.Events); r.seen++ {
		if r.left == 0 {
			return // what comes after is not recorded
		}
		e := &t.Events[r.seen]
		queue := r.next[e.Goroutine]
		i := 0
		for i < min(len(queue), retraceAhead) && !r.same(e, &r.events[queue[i]]) {
			i++
		}
		switch {
		case i < min(len(queue), retraceAhead):
			if i > 0 {
				r.loseEvent(queue[0], "is not reached any more")
			}
			r.meet(e.Goroutine, queue[i])
			r.next[e.Goroutine] = queue[i+1:]
			r.left -= i + 1
		case orders(e.Op):
			r.add(e)
		}
	}
}

// add notes that an event of the run is not among the recorded ones. If it is in the standard
// library, others say more.
func (r *retracer) add(e *run.Event) {
	_, pos := r.w.machine.Site(e.Caller)
	why := fmt.Sprintf("%q of goroutine %s at %s is new", e.Op, r.w.goroutine(e.Goroutine), r.w.program.Position(r.w.target, pos))
	if !r.w.machine.Standard(e.Caller) {
		r.lose("%s", why)
	}
	r.added = cmp.Or(r.added, why)
}

// same reports whether an event of the run is what a recorded event has become: the same
// operation in the same function. Lines may have moved.
func (r *retracer) same(e *run.Event, was *schedule.RunEvent) bool {
	if e.Op != was.Op {
		return false
	}
	if name, _ := r.w.machine.Site(e.Caller); name != was.Func {
		return false
	}
	if r.like == sameOperation {
		return true
	}
	if e.Object == run.NoObject || was.Object == nil {
		return e.Object == run.NoObject && was.Object == nil
	}
	now := r.w.object(e.Object)
	if now.Goroutine == schedule.Nobody || was.Object.Goroutine == schedule.Nobody {
		return now.Goroutine == was.Object.Goroutine // they are numbered otherwise in each run
	}
	if r.like == sameScope {
		return (now.Goroutine == "") == (was.Object.Goroutine == "")
	}
	return now == *was.Object
}

// meet notes that a goroutine has met a recorded event, before which those of others should
// have been met.
func (r *retracer) meet(g int32, at int) {
	first := at
	for other, queue := range r.next {
		if other != g && len(queue) > 0 {
			first = min(first, queue[0])
		}
	}
	if first < at {
		r.loseEvent(first, "is not possible at that point any more")
	}
}

// missing says which recorded event was not met at all.
func (r *retracer) missing() string {
	first := len(r.events)
	for _, queue := range r.next {
		if len(queue) > 0 {
			first = min(first, queue[0])
		}
	}
	if first == len(r.events) {
		return ""
	}
	return r.describe(first, "is not reached any more")
}

// lose notes why the run is another one, unless that is known.
func (r *retracer) lose(format string, args ...any) {
	if r.lost == "" {
		r.lost = fmt.Sprintf(format, args...)
	}
}

// loseEvent is lose for a recorded event.
func (r *retracer) loseEvent(i int, what string) { r.lose("%s", r.describe(i, what)) }

// describe says something of a recorded event.
func (r *retracer) describe(i int, what string) string {
	e := &r.events[i]
	at := e.Goroutine
	if e.Pos != "" {
		at += " at " + e.Pos
	}
	return fmt.Sprintf("%q of goroutine %s %s", e.Op, at, what)
}
