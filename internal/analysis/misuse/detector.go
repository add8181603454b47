package misuse

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/schedule"
)

// Info describes the detector.
var Info = analysis.Info{
	Name:      "misuse",
	Doc:       "double closes, sends on closed channels, unlocks of free locks and Waits that nothing orders with an Add, in orders as for huang",
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
	class := dependence.Huang
	d.Window = reorder.NewWindow(config, class, reorder.MaxSteps, d.look)
	return d
}

// look reports what is misused in the window.
func (d *detector) look(ctx context.Context) error {
	d.problem, d.candidates = nil, maxCandidates
	for at := range d.Steps {
		var err error
		switch s := &d.Steps[at]; {
		case s.Site.Op == schedule.Close:
			if err = d.sends(ctx, at); err == nil {
				err = d.closes(ctx, at)
			}
		case s.Site.Op == schedule.Unlock || s.Site.Op == schedule.RUnlock:
			err = d.unlock(ctx, at)
		case s.Site.Op == schedule.WaitGroupAdd && s.Added < 0:
			err = d.done(ctx, at)
		case s.Site.Op == schedule.WaitGroupWait:
			err = d.adds(ctx, at)
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
		err := d.decide(ctx, analysis.SendOnClosed, at, closing, []int{at}, func(p *reorder.Problem) []order.Lit {
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
	counter, late := d.count(at)
	if len(late) == 0 || counter+d.Steps[at].Added >= 0 {
		return nil
	}
	return d.decide(ctx, analysis.NegativeCounter, late[0], at, []int{at}, func(p *reorder.Problem) []order.Lit {
		return append(without(p, late), p.Next(at))
	})
}

// adds reports the Adds that can raise the counter from zero while a Wait, which is the given step, begins.
func (d *detector) adds(ctx context.Context, waiting int) error {
	w := &d.Steps[waiting]
	for at := range d.Steps {
		a := &d.Steps[at]
		if a.Site.Cell != w.Site.Cell || a.Added <= 0 || a.Goroutine == w.Goroutine || a.Follows(w) || w.Follows(a) {
			continue
		}
		counter, late := d.count(at, waiting)
		late = slices.DeleteFunc(late, func(i int) bool { return i == at })
		if counter != 0 {
			continue
		}
		err := d.decide(ctx, analysis.DataRace, at, waiting, []int{at, waiting}, func(p *reorder.Problem) []order.Lit {
			return append(without(p, late), p.Next(at), p.Next(waiting))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// count returns the counter of the wait group of some steps when only what they need to be next was done, and the
// other Adds of the window, which are late then.
func (d *detector) count(next ...int) (counter int64, late []int) {
	cell := d.Steps[next[0]].Site.Cell
	counter = d.state.Counter(cell)
	for i := range d.Steps {
		a := &d.Steps[i]
		if a.Site.Op != schedule.WaitGroupAdd || a.Site.Cell != cell {
			continue
		}
		needed := slices.ContainsFunc(next, func(n int) bool { return d.Steps[n].Follows(a) })
		if !needed {
			counter -= a.Added // which was counted at the end of the window
		}
		if !needed && a.Added > 0 {
			late = append(late, i)
		}
	}
	return counter, late
}

// without returns literals that some steps are not in the order.
func without(p *reorder.Problem, steps []int) []order.Lit {
	var list []order.Lit
	for _, i := range steps {
		list = append(list, p.Kept(i).Not())
	}
	return list
}

// decide reports a finding of two steps if there is an order in which some literals hold, after which the last
// steps are next.
func (d *detector) decide(ctx context.Context, kind string, first, second int, last []int, literals func(*reorder.Problem) []order.Lit) error {
	return d.decideSites(ctx, kind, d.Steps[first].Site, d.Steps[second].Site, last, literals)
}

// decideSites is decide for the sites of the steps, one of which may go another way.
func (d *detector) decideSites(ctx context.Context, kind string, a, b analysis.Site, last []int, literals func(*reorder.Problem) []order.Lit) error {
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
		f.Witness = d.problem.Witness(last...)
	}
	d.report(f)
	return nil
}
