package misuse

import (
	"context"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/schedule"
)

// Info describes the detector.
var Info = analysis.Info{
	Name:      "misuse",
	Doc:       "sends on closed channels and negative wait groups in orders in which every branch is taken as it was",
	Certainty: analysis.Predicted,
	New:       newDetector,
}

// maxCandidates is how many candidates of a window are decided, at most.
const maxCandidates = 1000

// A detector implements analysis.Detector.
type detector struct {
	*reorder.Window
	report  func(*analysis.Finding)
	state   *schedule.State
	known   map[[2]schedule.LocationID]bool
	witness ideal.Places

	// Of the window that is looked at.

	problem    *reorder.Problem
	candidates int
}

func newDetector(config analysis.Config) analysis.Detector {
	d := &detector{report: config.Report, state: config.State, known: make(map[[2]schedule.LocationID]bool)}
	class := reorder.Class{Locks: reorder.FreeLocks, Reads: reorder.BranchReads}
	d.Window = reorder.NewWindow(config, class, d.look)
	return d
}

// look reports what is misused in the window.
func (d *detector) look(ctx context.Context) error {
	d.problem, d.candidates = nil, maxCandidates
	for at := range d.Steps {
		var err error
		switch s := &d.Steps[at]; {
		case s.Site.Op == schedule.Close:
			err = d.sends(ctx, at)
		case s.Site.Op == schedule.WaitGroupAdd && s.Added < 0:
			err = d.done(ctx, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sends reports the sends that can come after a close, which is the given step.
func (d *detector) sends(ctx context.Context, closing int) error {
	c := &d.Steps[closing]
	for at := range d.Steps[:closing] {
		s := &d.Steps[at]
		if s.Site.Op != schedule.Send || s.Site.Cell != c.Site.Cell || s.Site.Goroutine < 0 || s.Before(c) {
			continue
		}
		err := d.decide(ctx, analysis.SendOnClosed, at, closing, at, func(p *reorder.Problem) []order.Lit {
			return []order.Lit{p.Next(at), p.Kept(closing)}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// done reports a Done, which is the given step, if it can make the counter negative.
func (d *detector) done(ctx context.Context, at int) error {
	s := &d.Steps[at]
	before := d.state.Counter(s.Site.Cell) // before the window, and then before the Done
	for i := range d.Steps {
		if d.Steps[i].Site.Cell == s.Site.Cell {
			before -= d.Steps[i].Added
		}
	}
	var late []int // Adds that can be left out
	for i := range d.Steps[:at] {
		switch a := &d.Steps[i]; {
		case a.Site.Op != schedule.WaitGroupAdd || a.Site.Cell != s.Site.Cell:
		case s.Follows(a):
			before += a.Added
		case a.Added > 0:
			late = append(late, i)
		}
	}
	if len(late) == 0 || before+s.Added >= 0 {
		return nil
	}
	return d.decide(ctx, analysis.NegativeCounter, late[0], at, at, func(p *reorder.Problem) []order.Lit {
		literals := []order.Lit{p.Next(at)}
		for _, i := range late {
			literals = append(literals, p.Kept(i).Not())
		}
		return literals
	})
}

// decide reports a finding of two steps if there is an order in which some literals hold, after which one of the
// steps is next.
func (d *detector) decide(ctx context.Context, kind string, first, second, next int, literals func(*reorder.Problem) []order.Lit) error {
	a, b := d.Steps[first].Site, d.Steps[second].Site
	places := [2]schedule.LocationID{a.Location, b.Location}
	located := a.Location != 0 && b.Location != 0
	if located && d.known[places] || d.candidates == 0 {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	d.candidates--
	if d.problem == nil {
		d.problem = d.Problem()
	}
	if !d.problem.Possible(literals(d.problem)...) {
		return nil
	}
	d.known[places] = located
	f := &analysis.Finding{Kind: kind, Certainty: analysis.Predicted, Sites: []analysis.Site{a, b}}
	if d.witness.Add(f.Sites...) {
		f.Witness = d.problem.Witness(next)
	}
	d.report(f)
	return nil
}
