package syncp

import (
	"context"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/internal/analysis/conflict"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/section"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// Info describes the detector.
var Info = analysis.Info{
	Name:      "syncp",
	Doc:       "data races in orders that keep what is read and the order of critical sections, but may leave out sections",
	Certainty: analysis.Predicted,
	New:       newDetector,
}

// A detector implements analysis.Detector.
type detector struct {
	report   func(*analysis.Finding)
	state    *schedule.State
	relation *ideal.Relation
	pairs    *conflict.Pairs
	locks    *section.Locks
	limit    int // accesses that are kept
	witness  ideal.Places
	ideal    vectorclock.Clock
	kept     section.Kept
}

func newDetector(c analysis.Config) analysis.Detector {
	d := &detector{report: c.Report, state: c.State, relation: ideal.New(ideal.Reads), limit: c.Accesses()}
	d.relation.Times = c.Times()
	d.pairs = conflict.New(d.relation, d.decide)
	d.locks = section.New(d.relation)
	return d
}

// Event implements analysis.Detector.
func (d *detector) Event(_ context.Context, e *schedule.Event) error {
	kind := access.KindOf(e.Op)
	if kind == access.None || e.Goroutine < 0 || e.Object == 0 {
		d.relation.Event(e)
		d.locks.Event(e)
	} else {
		d.pairs.Access(e, kind, d.state.Goroutine(e.Goroutine).Held)
	}
	if d.pairs.Kept >= d.limit || d.relation.Full() {
		d.forget(e.Order + 1)
	}
	return nil
}

// Parts implements analysis.Parted.
func (d *detector) Parts() int64 { return d.relation.Cuts + 1 }

// Finish implements analysis.Detector.
func (d *detector) Finish(context.Context) error { return nil }

// decide reports the race of an earlier access and e, if it is one.
func (d *detector) decide(a *conflict.Access, e *schedule.Event) conflict.Verdict {
	d.close(a, e)
	if a.Before(d.ideal) {
		return conflict.Never
	}
	f := &analysis.Finding{
		Kind: analysis.DataRace, Certainty: analysis.Predicted,
		Sites: []analysis.Site{a.Site, analysis.SiteOf(e)},
	}
	if d.witness.Add(f.Sites...) {
		f.Witness = d.relation.Witness(d.ideal, a.Site.Order, e.Order)
	}
	d.report(f)
	return conflict.Race
}

// close sets d.ideal to the least ideal after which an earlier access and e are next.
func (d *detector) close(a *conflict.Access, e *schedule.Event) {
	d.ideal.Assign(d.relation.Needs(e.Goroutine))
	a.Needs.AddTo(&d.ideal)
	for added := true; added; {
		added = false
		for _, l := range d.locks.Shared {
			if a.Before(d.ideal) {
				return
			}
			d.kept.Open = d.kept.Open[:0]
			l.Kept(d.ideal, &d.kept)
			for _, s := range d.kept.Open {
				if d.kept.Overtaken(s) && s.Release.Time > 0 {
					s.Release.AddTo(&d.ideal)
					added = true
				}
			}
		}
	}
}

// forget drops all accesses: what is before the event with the given Order is kept as a whole from now on.
func (d *detector) forget(next int64) {
	d.pairs.Forget()
	d.relation.Cut(d.state, next)
	d.locks.Forget()
}
