package syncp

import (
	"context"
	"slices"
	"sort"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
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

// Bounds of what is kept.
const (
	maxAccesses = 1 << 10 // of a cell, by a goroutine
	windows     = 1000    // whose accesses are kept
)

// A detector implements analysis.Detector.
type detector struct {
	report   func(*analysis.Finding)
	state    *schedule.State
	relation *ideal.Relation
	cells    map[schedule.Cell]*history
	locks    map[schedule.Cell]*lock
	shared   []*lock // those that more than one goroutine has taken
	base     vectorclock.Clock
	limit    int // accesses that are kept
	kept     int
	known    map[[2]place]bool
	witness  ideal.Places
	ideal    vectorclock.Clock
}

// A place is where in the program an access is.
type place struct {
	location schedule.LocationID
	op       schedule.Op
}

// A history holds the accesses to a cell, by goroutine.
type history struct{ goroutines []*accesses }

// accesses are those of one goroutine to one cell.
type accesses struct {
	goroutine schedule.GoroutineID
	list      []past
	dropped   int                          // accesses before those in list
	first     map[schedule.GoroutineID]int // that can race with later ones of another goroutine; counts those dropped
}

// A past is an access with what has to be kept for it.
type past struct {
	vectorclock.Epoch
	needs ideal.Stamp // of the event before it
	kind  access.Kind
	held  []schedule.Held
	site  analysis.Site
}

func newDetector(c analysis.Config) analysis.Detector {
	return &detector{
		report: c.Report, state: c.State, relation: ideal.New(ideal.Reads),
		cells: make(map[schedule.Cell]*history), locks: make(map[schedule.Cell]*lock),
		limit: windows * max(c.Window, 1), known: make(map[[2]place]bool),
	}
}

// Event implements analysis.Detector.
func (d *detector) Event(_ context.Context, e *schedule.Event) error {
	switch e.Op {
	case schedule.Lock, schedule.RLock:
		d.relation.Event(e)
		l := d.locks[e.Cell()]
		if l == nil {
			l = &lock{sections: make(map[schedule.GoroutineID][]*section)}
			d.locks[e.Cell()] = l
		}
		before := len(l.order)
		l.acquire(e, d.relation.Epoch(e.Goroutine))
		if before == 1 && len(l.order) == 2 {
			d.shared = append(d.shared, l)
		}
		return nil
	case schedule.Unlock, schedule.RUnlock:
		d.relation.Event(e)
		if l := d.locks[e.Cell()]; l != nil {
			l.releases(e, d.relation.Share(e.Goroutine))
		}
		return nil
	}
	kind := access.KindOf(e.Op)
	if kind == access.None || e.Goroutine < 0 || e.Object == 0 {
		d.relation.Event(e)
		return nil
	}
	if d.kept >= d.limit {
		d.forget()
	}
	d.access(e, kind)
	return nil
}

// Finish implements analysis.Detector.
func (d *detector) Finish(context.Context) error { return nil }

// access compares an access with those before it, and keeps it.
func (d *detector) access(e *schedule.Event, kind access.Kind) {
	h := d.cells[e.Cell()]
	if h == nil {
		h = new(history)
		d.cells[e.Cell()] = h
	}
	var own *accesses
	held := d.state.Goroutine(e.Goroutine).Held
	for _, a := range h.goroutines {
		if a.goroutine == e.Goroutine {
			own = a
		} else {
			d.compare(a, e, kind, held)
		}
	}
	if own == nil {
		own = &accesses{goroutine: e.Goroutine, first: make(map[schedule.GoroutineID]int)}
		h.goroutines = append(h.goroutines, own)
	}
	needs := d.relation.Share(e.Goroutine)
	d.relation.Event(e)
	if len(own.list) == maxAccesses {
		n := maxAccesses / 2
		own.list, own.dropped = slices.Delete(own.list, 0, n), own.dropped+n
		d.kept -= n
	}
	own.list = append(own.list, past{d.relation.Epoch(e.Goroutine), needs, kind, slices.Clone(held), analysis.SiteOf(e)})
	d.kept++
}

// compare reports the races of e with earlier accesses of another goroutine.
func (d *detector) compare(a *accesses, e *schedule.Event, kind access.Kind, held []schedule.Held) {
	if n := len(a.list); n == 0 || d.relation.Ordered(a.list[n-1].Epoch, e.Goroutine) {
		return // and so are those before it
	}
	first := max(a.first[e.Goroutine]-a.dropped, 0)
	first += sort.Search(len(a.list)-first, func(i int) bool { return !d.relation.Ordered(a.list[first+i].Epoch, e.Goroutine) })
	for i := first; i < len(a.list); i++ {
		p := &a.list[i]
		if !access.Conflict(p.kind, kind) || d.relation.Exclude(p.held, held) {
			continue
		}
		places := [2]place{{p.site.Location, p.site.Op}, {e.Location, e.Op}}
		located := p.site.Location != 0 && e.Location != 0
		if located && d.known[places] {
			continue
		}
		d.close(p, e)
		if p.Before(d.ideal) {
			if i == first {
				// It cannot race with a later event of the goroutine either. One before it could: it
				// may need fewer sections.
				first++
				a.first[e.Goroutine] = a.dropped + first
			}
			continue
		}
		d.known[places] = located
		f := &analysis.Finding{
			Kind: analysis.DataRace, Certainty: analysis.Predicted,
			Sites: []analysis.Site{p.site, analysis.SiteOf(e)},
		}
		if d.witness.Add(f.Sites...) {
			f.Witness = d.relation.Witness(d.ideal, p.site.Order, e.Order)
		}
		d.report(f)
	}
}

// close sets d.ideal to the least ideal after which an earlier access and e are next.
func (d *detector) close(p *past, e *schedule.Event) {
	d.ideal.Assign(d.base)
	d.ideal.Join(d.relation.Needs(e.Goroutine))
	p.needs.AddTo(&d.ideal)
	for added := true; added; {
		added = false
		for _, l := range d.shared {
			if p.Before(d.ideal) {
				return
			}
			added = l.close(&d.ideal) || added
		}
	}
}

// forget drops all accesses: what is before the present one is kept as a whole from now on.
func (d *detector) forget() {
	clear(d.cells)
	d.kept = 0
	for g := range d.state.Goroutines() + 1 {
		d.relation.Share(schedule.GoroutineID(g - 1)).AddTo(&d.base)
	}
	d.shared = d.shared[:0]
	for _, l := range d.locks {
		l.forget()
		if len(l.order) > 1 {
			d.shared = append(d.shared, l)
		}
	}
}
