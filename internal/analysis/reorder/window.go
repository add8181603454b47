package reorder

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/schedule"
)

// A Window is a part of a schedule whose events are put into other orders together. It implements
// [analysis.Detector] for the detector that it is part of.
type Window struct {
	dependence.Class
	Steps []Step

	look        func(context.Context) error
	state       *schedule.State
	relation    *ideal.Relation
	environment map[schedule.ObjectID]bool
	size        int
	start       int64             // Order of the first event of the window
	base        vectorclock.Clock // what is before the window
	open        []schedule.Held   // locks that were held when it began
	holders     []vectorclock.Epoch
}

// MaxSteps is of how many steps a [Problem] should be, at most, unless somebody asks for more.
const MaxSteps = 1000

// windowTimes is how many times are copied, in clocks, before a new window forgets goroutines that
// have ended: that costs nothing but the time that it takes.
const windowTimes = 1 << 22

// NewWindow returns the first window of a schedule, of not more than the given number of steps, or
// those of config. The function look is called for each window when it is complete; then the next
// one takes its place.
func NewWindow(config analysis.Config, c dependence.Class, limit int, look func(context.Context) error) *Window {
	w := &Window{
		Class: c, look: look, state: config.State, relation: ideal.New(0),
		environment: make(map[schedule.ObjectID]bool), size: cmp.Or(config.Window, limit),
	}
	w.relation.Times = windowTimes
	if config.Memory != 0 {
		w.relation.Times = min(windowTimes, config.Times())
	}
	return w
}

// Event implements analysis.Detector.
func (w *Window) Event(ctx context.Context, e *schedule.Event) error {
	if e.Op == schedule.New && e.Kind == schedule.Environment {
		w.environment[e.Object] = true
	}
	if e.Op == schedule.BubbleIdle {
		// What is before it is needed, and what is after it can be there because of it.
		if err := w.end(ctx, e.Order); err != nil {
			return err
		}
	}
	ready := w.relation.Share(e.Goroutine)
	w.relation.Event(e)
	if e.Op == schedule.BubbleIdle {
		w.begin(e.Order + 1)
		return nil
	}
	r, ok := roleOf(e, w.environment[e.Object])
	if !ok {
		return nil
	}
	s := newStep(e, r, w.relation.Share(e.Goroutine), ready.Clock())
	if e.Goroutine >= 0 && r != releases && r != releasesR {
		s.Held = heldBefore(w.state.Goroutine(e.Goroutine).Held, e)
	}
	w.Steps = append(w.Steps, s)
	if len(w.Steps) >= w.size {
		return w.end(ctx, e.Order+1)
	}
	return nil
}

// heldBefore returns the locks that a goroutine held before an event, of those that it holds after it.
func heldBefore(held []schedule.Held, e *schedule.Event) []schedule.Held {
	if n := len(held) - 1; n >= 0 && held[n].Since == e.Order {
		held = held[:n]
	}
	return slices.Clone(held)
}

// Finish implements analysis.Detector.
func (w *Window) Finish(ctx context.Context) error { return w.end(ctx, w.state.Events()) }

// end ends a window, and begins a new one.
func (w *Window) end(ctx context.Context, next int64) error {
	if err := w.look(ctx); err != nil {
		return err
	}
	w.begin(next)
	return nil
}

// begin begins a window at the event with the given Order.
func (w *Window) begin(start int64) {
	w.Steps = w.Steps[:0]
	w.start = start
	w.open, w.holders = w.open[:0], w.holders[:0]
	if w.relation.Full() {
		w.relation.Cut(w.state, start)
		w.base = w.base[:0]
	}
	w.relation.All(&w.base)
	for g := range w.relation.Goroutines() {
		for _, h := range w.state.Goroutine(g).Held {
			w.open = append(w.open, h)
			w.holders = append(w.holders, w.relation.Epoch(g))
		}
	}
}

// Goroutines returns the goroutines that have not ended, and others.
func (w *Window) Goroutines() iter.Seq[schedule.GoroutineID] { return w.relation.Goroutines() }

// WasHeld reports whether a lock was held when the window began.
func (w *Window) WasHeld(c schedule.Cell) bool {
	return slices.ContainsFunc(w.open, func(h schedule.Held) bool { return h.Cell == c })
}

// Exclude reports whether goroutines that hold these locks cannot do so at the same time.
func (w *Window) Exclude(a, b []schedule.Held) bool { return w.relation.Exclude(a, b) }

// Start returns the Order of the first event of the window.
func (w *Window) Start() int64 { return w.start }

// Witness returns some steps of the window, in an order, with the events that are no steps, and after them the given
// steps, which are next. It returns nil if the schedule is too long for that.
func (w *Window) Witness(kept iter.Seq[int], next ...int) []int64 {
	if !w.relation.Logged() {
		return nil
	}
	list := w.relation.Witness(w.base)
	done := slices.Clone(w.base)
	upTo := func(i int, to uint32) {
		s := &w.Steps[i]
		list = append(list, w.relation.Events(vectorclock.Epoch{Goroutine: s.Goroutine, Time: done.At(s.Goroutine)}, to)...)
		done.Set(s.Goroutine, max(to, done.At(s.Goroutine)))
	}
	for i := range kept {
		upTo(i, w.Steps[i].Time)
	}
	for _, i := range next {
		upTo(i, w.Steps[i].Time-1)
	}
	for _, i := range next {
		list = append(list, w.Steps[i].Site.Order)
	}
	return list
}
