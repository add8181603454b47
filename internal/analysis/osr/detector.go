package osr

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
	Name:      "osr",
	Doc:       "data races in orders that keep what is read and the order of critical sections, except of those that do not end",
	Certainty: analysis.Predicted,
	New:       newDetector,
}

// maxAttempts is how often a race of two places of the program with sections in another order is looked for.
const maxAttempts = 1000

// A detector implements analysis.Detector.
type detector struct {
	report   func(*analysis.Finding)
	state    *schedule.State
	relation *ideal.Relation
	pairs    *conflict.Pairs
	locks    *section.Locks
	log      *log
	limit    int // accesses that are kept
	attempts map[analysis.Pair]int
	witness  ideal.Places
	ideal    vectorclock.Clock
	kept     section.Kept
	late     []*section.Section // that do not end, and begin after others that came later
}

func newDetector(c analysis.Config) analysis.Detector {
	d := &detector{
		report: c.Report, state: c.State, relation: ideal.New(ideal.Reads), log: &log{limit: maxSteps},
		limit: c.Accesses(), attempts: make(map[analysis.Pair]int),
	}
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
	d.log.add(e, d.relation.Share(e.Goroutine))
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
	site := analysis.SiteOf(e)
	pair, _ := analysis.PairOf(&a.Site, &site)
	order, ok := d.order(a, e, d.attempts[pair] < maxAttempts)
	switch {
	case !ok && d.attempts[pair] >= maxAttempts:
		return conflict.Never
	case !ok:
		d.attempts[pair]++
		return conflict.None // what is open now may be closed later
	}
	f := &analysis.Finding{Kind: analysis.DataRace, Certainty: analysis.Predicted, Sites: []analysis.Site{a.Site, site}}
	if d.witness.Add(f.Sites...) {
		f.Witness = order.witness(d.relation, d.ideal, a.Site.Order, e.Order)
	}
	d.report(f)
	return conflict.Race
}

// order returns an order of an ideal, d.ideal, after which an earlier access and e are next. With
// reverse, sections that do not end may begin late.
func (d *detector) order(a *conflict.Access, e *schedule.Event, reverse bool) (*layers, bool) {
	if !d.close(a, e) {
		return nil, false
	}
	if len(d.late) == 0 {
		return new(layers), true
	}
	if !reverse || len(d.late) > maxLate {
		return nil, false
	}
	return d.log.order(d.ideal, d.late)
}

// close sets d.ideal to the least ideal after which an earlier access and e can be next, and d.late
// to the sections in it that do not end, although others come after them. It reports whether there
// is such an ideal.
func (d *detector) close(a *conflict.Access, e *schedule.Event) bool {
	d.ideal.Assign(d.relation.Needs(e.Goroutine))
	a.Needs.AddTo(&d.ideal)
	for added := true; added; {
		added = false
		d.late = d.late[:0]
		for _, l := range d.locks.Shared {
			if a.Before(d.ideal) {
				return false
			}
			d.kept.Open = d.kept.Open[:0]
			l.Kept(d.ideal, &d.kept)
			if len(d.kept.Open) == 0 {
				continue
			}
			n, ok := d.closeLock(a)
			if !ok {
				return false
			}
			added = added || n > 0
		}
	}
	return !a.Before(d.ideal)
}

// closeLock adds the releases of the open sections of a lock, of which d.kept is known, unless they
// need access a, or none has to come after them. It returns how many it has added, and whether at
// most one is left of those that exclude each other.
func (d *detector) closeLock(a *conflict.Access) (added int, ok bool) {
	stuck := func(s *section.Section) bool {
		return s.Release.Time == 0 || s.Release.Goroutine == a.Goroutine && s.Release.Time >= a.Time || s.Release.Needs(a.Epoch)
	}
	for i, s := range d.kept.Open {
		if !stuck(s) {
			continue
		}
		for _, t := range d.kept.Open[:i] {
			if stuck(t) && !(s.Shared && t.Shared) && s.Acquired.Goroutine != t.Acquired.Goroutine {
				return 0, false
			}
		}
		if d.kept.Overtaken(s) {
			d.late = append(d.late, s)
		}
	}
	for _, s := range d.kept.Open {
		if stuck(s) {
			continue
		}
		after := d.kept.Overtaken(s)
		for _, t := range d.kept.Open {
			after = after || stuck(t) && !(s.Shared && t.Shared) && t.Order < s.Order && s.Acquired.Goroutine != t.Acquired.Goroutine
		}
		if after {
			s.Release.AddTo(&d.ideal)
			added++
		}
	}
	return added, true
}

// forget drops all accesses: what is before the event with the given Order is kept as a whole from now on.
func (d *detector) forget(next int64) {
	d.pairs.Forget()
	d.log.forget()
	d.relation.Cut(d.state, next)
	d.locks.Forget()
}
