package shb

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/internal/analysis/cells"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// Info describes the detector.
var Info = analysis.Info{
	Name:      "shb",
	Doc:       "data races beyond the first one, without those that only the first one makes possible",
	Certainty: analysis.Predicted,
	New:       newDetector,
}

// A detector implements analysis.Detector.
type detector struct {
	report   func(*analysis.Finding)
	state    *schedule.State
	relation *ideal.Relation
	cells    cells.Table[history]
	kept     int // accesses
	limit    int
	witness  ideal.Places
}

// A history holds the accesses to a cell that later ones may race with: of each kind, the last
// one of each goroutine.
type history struct{ accesses []past }

// A past is an access with what has to be kept for it.
type past struct {
	vectorclock.Epoch
	needs ideal.Stamp // of the event before it
	kind  access.Kind
	site  analysis.Site
}

func newDetector(c analysis.Config) analysis.Detector {
	d := &detector{report: c.Report, state: c.State, relation: ideal.New(ideal.Locks | ideal.Reads), limit: c.Accesses()}
	d.relation.Times = c.Times()
	return d
}

// Event implements analysis.Detector.
func (d *detector) Event(_ context.Context, e *schedule.Event) error {
	if kind := access.KindOf(e.Op); kind == access.None || e.Goroutine < 0 || e.Object == 0 {
		d.relation.Event(e)
	} else {
		d.access(e, kind)
	}
	if d.kept >= d.limit || d.relation.Full() {
		d.cells, d.kept = cells.Table[history]{}, 0
		d.relation.Cut(d.state, e.Order+1)
	}
	return nil
}

// Parts implements analysis.Parted.
func (d *detector) Parts() int64 { return d.relation.Cuts + 1 }

// access compares an access with those before it, and keeps it.
func (d *detector) access(e *schedule.Event, kind access.Kind) {
	h := d.cells.Use(e.Cell())
	d.compare(h, kind, e)
	needs := d.relation.Share(e.Goroutine)
	d.relation.Event(e)
	now := past{d.relation.Epoch(e.Goroutine), needs, kind, analysis.SiteOf(e)}
	if kind == access.PlainWrite {
		// Whoever races with what is ordered before this write races with the write, too.
		n := len(h.accesses)
		h.accesses = slices.DeleteFunc(h.accesses, func(a past) bool { return d.relation.Ordered(a.Epoch, e.Goroutine) })
		d.kept -= n - len(h.accesses)
	}
	d.kept += h.add(now)
}

// Finish implements analysis.Detector.
func (d *detector) Finish(context.Context) error { return nil }

// compare reports the races of e with earlier accesses.
func (d *detector) compare(h *history, kind access.Kind, e *schedule.Event) {
	for i := range h.accesses {
		a := &h.accesses[i]
		if !access.Conflict(a.kind, kind) || d.relation.Ordered(a.Epoch, e.Goroutine) {
			continue
		}
		f := &analysis.Finding{
			Kind: analysis.DataRace, Certainty: analysis.Predicted,
			Sites: []analysis.Site{a.site, analysis.SiteOf(e)},
		}
		if d.witness.Add(f.Sites...) {
			keep := slices.Clone(d.relation.Needs(e.Goroutine))
			a.needs.AddTo(&keep)
			f.Witness = d.relation.Witness(keep, a.site.Order, e.Order)
		}
		d.report(f)
	}
}

// add adds an access in the place of the one of the same goroutine and kind. It returns how many more there are.
func (h *history) add(now past) int {
	for i := range h.accesses {
		if a := &h.accesses[i]; a.Goroutine == now.Goroutine && a.kind == now.kind {
			*a = now
			return 0
		}
	}
	h.accesses = append(h.accesses, now)
	return 1
}
