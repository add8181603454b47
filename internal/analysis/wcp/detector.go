package wcp

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/internal/analysis/cells"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/schedule"
)

// Info describes the detector.
var Info = analysis.Info{
	Name:      "wcp",
	Doc:       "data races, also beyond critical sections that do not conflict; suspected unless a window shows them",
	Certainty: analysis.Predicted,
	New:       newDetector,
}

// A detector implements analysis.Detector.
type detector struct {
	report      func(*analysis.Finding)
	state       *schedule.State
	hard        *ideal.Relation // what an event needs
	order       *ideal.Relation // what happened before it
	past        pasts           // what causally precedes it, weakly
	open        [][]*section    // by goroutine
	locks       map[schedule.Cell]*lock
	cells       cells.Table[history]
	kept, limit int // accesses, sections, and cells of locks
	check       *check
}

// A history holds the accesses to a cell that later ones may race with: of each kind, the last
// one of each goroutine.
type history struct {
	accesses []past
	lock     *lock // that was held last, of those that are held at accesses
	cell     *protected
}

// A past is an access.
type past struct {
	vectorclock.Epoch
	kind access.Kind
	site analysis.Site
}

func newDetector(c analysis.Config) analysis.Detector {
	d := &detector{
		report: c.Report, state: c.State,
		hard: ideal.New(ideal.Reads), order: ideal.New(ideal.Locks | ideal.Atomics),
		locks: make(map[schedule.Cell]*lock),
		limit: c.Accesses(), check: newCheck(c),
	}
	d.order.Times, d.hard.Times = c.Times()/2, c.Times()/2
	d.order.Learned = d.past.add
	return d
}

// Event implements analysis.Detector.
func (d *detector) Event(ctx context.Context, e *schedule.Event) error {
	switch kind := access.KindOf(e.Op); {
	case kind != access.None && e.Goroutine >= 0 && e.Object != 0:
		d.access(e, kind)
	case e.Op == schedule.Lock || e.Op == schedule.RLock:
		d.follow(e)
		d.acquire(e)
	case e.Op == schedule.Unlock || e.Op == schedule.RUnlock:
		s := d.released(e)
		if s != nil && s.depth == 0 {
			d.joinSections(e.Goroutine, s)
		}
		d.follow(e)
		if s != nil && s.depth == 0 {
			d.end(s, e.Goroutine, d.order.Share(e.Goroutine))
		}
	default:
		d.follow(e)
	}
	if d.kept >= d.limit || d.order.Full() || d.hard.Full() {
		d.forget(e.Order + 1)
	}
	return d.check.Event(ctx, e)
}

// Parts implements analysis.Parted.
func (d *detector) Parts() int64 { return d.order.Cuts + 1 }

// Finish implements analysis.Detector.
func (d *detector) Finish(ctx context.Context) error { return d.check.Finish(ctx) }

// follow has the relations take an event into account.
func (d *detector) follow(e *schedule.Event) {
	d.hard.Event(e)
	d.order.Event(e)
}

// access compares an access with those before it, and keeps it.
func (d *detector) access(e *schedule.Event, kind access.Kind) {
	h := d.cells.Use(e.Cell())
	d.joinAccesses(e, kind, h)
	ordered := func(a *past) bool {
		return d.hard.Ordered(a.Epoch, e.Goroutine) || a.Before(d.past.of(e.Goroutine))
	}
	for i := range h.accesses {
		if a := &h.accesses[i]; access.Conflict(a.kind, kind) && !ordered(a) {
			d.check.add(a.site, analysis.SiteOf(e))
		}
	}
	d.follow(e)
	if kind == access.PlainWrite {
		// Whoever races with what precedes this write races with the write, too.
		n := len(h.accesses)
		h.accesses = slices.DeleteFunc(h.accesses, func(a past) bool { return ordered(&a) })
		d.kept -= n - len(h.accesses)
	}
	now := past{d.hard.Epoch(e.Goroutine), kind, analysis.SiteOf(e)}
	for i := range h.accesses {
		if a := &h.accesses[i]; a.Goroutine == now.Goroutine && a.kind == kind {
			*a = now
			return
		}
	}
	h.accesses = append(h.accesses, now)
	d.kept++
}

// forget drops what is kept: what is before the event with the given Order precedes everything later from now on.
func (d *detector) forget(next int64) {
	d.hard.Cut(d.state, next)
	d.order.Cut(d.state, next)
	d.past = nil
	d.cells = cells.Table[history]{}
	for c, l := range d.locks {
		if len(l.open) == 0 {
			delete(d.locks, c)
			continue
		}
		l.forget()
		for _, s := range l.open {
			s.acquired = vectorclock.Epoch{Goroutine: d.order.Epoch(s.goroutine).Goroutine}
		}
	}
	d.kept = 0
}

// A check looks for witnesses of findings, whose accesses are in a window.
type check struct {
	*reorder.Window
	report    func(*analysis.Finding)
	attempts  map[analysis.Pair]int
	suspected map[analysis.Pair]bool
	found     []*analysis.Finding // to be looked at when the window is complete
	witness   ideal.Places
}

// maxAttempts is how many findings at the same two places a witness is looked for.
const maxAttempts = 100

func newCheck(c analysis.Config) *check {
	k := &check{report: c.Report, attempts: make(map[analysis.Pair]int), suspected: make(map[analysis.Pair]bool)}
	k.Window = reorder.NewWindow(c, dependence.Huang, reorder.MaxSteps, k.look)
	return k
}

// add takes it that two accesses are not ordered.
func (k *check) add(a, b analysis.Site) {
	pair, located := analysis.PairOf(&a, &b)
	if located && k.attempts[pair] >= maxAttempts {
		return
	}
	f := &analysis.Finding{Kind: analysis.DataRace, Sites: []analysis.Site{a, b}}
	if a.Order >= k.Start() {
		k.attempts[pair]++
		k.found = append(k.found, f)
	} else {
		k.suspect(f)
	}
}

// suspect reports a finding without a witness.
func (k *check) suspect(f *analysis.Finding) {
	pair, located := analysis.PairOf(&f.Sites[0], &f.Sites[1])
	if located && k.suspected[pair] {
		return
	}
	k.suspected[pair] = located
	k.report(f)
}

// look looks for witnesses of the findings in the window.
func (k *check) look(ctx context.Context) error {
	if len(k.found) == 0 {
		return nil
	}
	p := k.Problem()
	for _, f := range k.found {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		pair, located := analysis.PairOf(&f.Sites[0], &f.Sites[1])
		if located && k.attempts[pair] > maxAttempts {
			continue
		}
		a, b := k.step(f.Sites[0].Order), k.step(f.Sites[1].Order)
		if !p.Possible(p.Next(a), p.Next(b)) {
			k.suspect(f)
			continue
		}
		if f.Certainty = analysis.Predicted; k.witness.Add(f.Sites...) {
			f.Witness = p.Witness(a, b)
		}
		k.report(f)
		if located {
			k.attempts[pair] = maxAttempts + 1
		}
	}
	k.found = k.found[:0]
	return nil
}

// step returns the step of the window that is the event with the given Order.
func (k *check) step(order int64) int {
	i, _ := slices.BinarySearchFunc(k.Steps, order, func(s reorder.Step, order int64) int { return int(s.Site.Order - order) })
	return i
}
