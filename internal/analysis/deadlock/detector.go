package deadlock

import (
	"context"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/internal/analysis/wait"
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/schedule"
)

// Info describes the detector.
var Info = analysis.Info{
	Name:      "deadlock",
	Doc:       "goroutines that wait for each other, by locks, channels, wait groups and conditions, in orders as for huang",
	Certainty: analysis.Predicted,
	New:       newDetector,
}

// Suspected describes a detector that looks at more orders: what goroutines have read may be
// another value, so that they may not come to where they wait.
var Suspected = analysis.Info{
	Name:      "circle",
	Doc:       "as deadlock, in orders in which reads may see other values and branches go another way",
	Certainty: analysis.Suspected,
	New:       func(config analysis.Config) analysis.Detector { return newDetectorOf(config, dependence.Blind) },
}

// Bounds of the work in a window.
const (
	maxExtensions = 100_000 // of circles that are being looked for
	maxCandidates = 1000
)

// A detector implements analysis.Detector.
type detector struct {
	*reorder.Window
	report  func(*analysis.Finding)
	state   *schedule.State
	taken   map[taking]analysis.Site // where a lock that is held was taken
	known   map[string]bool          // circles that were found, by their places
	witness ideal.Places
	waits   *wait.Finder
	ends    *wait.Ends
	found   []found // deadlocks with others than locks
	far     far
	windows int
}

// A found deadlock is reported in the end, if nobody ends its waits in the rest of the schedule.
type found struct {
	*analysis.Finding
	mark wait.Mark
}

// A taking is an acquisition of a lock by its Order.
type taking struct {
	cell  schedule.Cell
	order int64
}

func newDetector(config analysis.Config) analysis.Detector {
	return newDetectorOf(config, dependence.Huang)
}

// newDetectorOf returns a detector that looks at the orders of a class.
func newDetectorOf(config analysis.Config, class dependence.Class) analysis.Detector {
	d := &detector{
		report: config.Report, state: config.State, taken: make(map[taking]analysis.Site),
		known: make(map[string]bool), waits: wait.NewFinder(config.State), ends: wait.NewEnds(),
	}
	d.Window = reorder.NewWindow(config, class, reorder.MaxSteps, d.look)
	return d
}

// Event implements analysis.Detector.
func (d *detector) Event(ctx context.Context, e *schedule.Event) error {
	if e.Op == schedule.Lock || e.Op == schedule.RLock {
		d.taken[taking{e.Cell(), e.Order}] = analysis.SiteOf(e)
	}
	d.ends.Note(e)
	d.far.note(e, d.state)
	return d.Window.Event(ctx, e)
}

// Finish implements analysis.Detector.
func (d *detector) Finish(ctx context.Context) error {
	err := d.Window.Finish(ctx)
	if err == nil {
		err = d.distant(ctx)
	}
	for _, f := range d.found {
		if !d.ends.Since(f.mark) {
			d.report(f.Finding)
		}
	}
	return err
}

// look reports the deadlocks of the window.
func (d *detector) look(ctx context.Context) error {
	d.windows++
	c := circles{detector: d, requests: d.requests()}
	err := c.search(ctx)
	d.forget()
	return err
}

// forget drops the acquisitions of locks that are held no more.
func (d *detector) forget() {
	held := make(map[taking]analysis.Site)
	for g := range d.Goroutines() {
		for _, h := range d.state.Goroutine(g).Held {
			at := taking{h.Cell, h.Since}
			held[at] = d.taken[at]
		}
	}
	d.taken = held
}
