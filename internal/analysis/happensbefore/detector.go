package happensbefore

import (
	"context"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/cells"
	"github.com/everyway-go/everyway/internal/analysis/order"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/schedule"
)

// Info describes the detector.
var Info = analysis.Info{
	Name:      "happensbefore",
	Doc:       "data races of the schedule as it is: accesses that the Go memory model does not order",
	Certainty: analysis.Observed,
	New:       newDetector,
}

// A detector implements analysis.Detector.
type detector struct {
	report   func(*analysis.Finding)
	state    *schedule.State
	relation *order.Relation
	cells    cells.Table[history]
	closes   map[schedule.ObjectID]access // of channels
}

func newDetector(c analysis.Config) analysis.Detector {
	return &detector{report: c.Report, state: c.State, relation: order.New(), closes: make(map[schedule.ObjectID]access)}
}

// An access is an access to a cell.
type access struct {
	vectorclock.Epoch
	op       schedule.Op
	location schedule.LocationID
	order    int64
	index    int64
}

// A history holds the accesses to a cell that later ones may race with.
type history struct {
	write access
	read  access
	lists *lists // nil for most cells, of which long schedules have millions
}

// Lists are the accesses to a cell of which there is one of each goroutine.
type lists struct {
	reads   list     // replaces read when several concurrent reads have to be kept
	atomics list     // the last atomic read and write
	groups  []access // of a wait group: the last Wait that had to wait, and the last Add from zero
}

// A list is accesses of which there are not two of one goroutine that both write, or both do not.
type list struct {
	accesses []access
	places   [places]uint8 // where that of a goroutine was found last, by its number
}

// places is how many places a list has: a power of two.
const places = 32

// none is what cells without lists have.
var none = new(lists)

// shown returns the lists of h, which the caller does not change.
func (h *history) shown() *lists {
	if h.lists == nil {
		return none
	}
	return h.lists
}

// changed returns the lists of h, which the caller changes.
func (h *history) changed() *lists {
	if h.lists == nil {
		h.lists = new(lists)
	}
	return h.lists
}

// Event implements analysis.Detector.
func (d *detector) Event(_ context.Context, e *schedule.Event) error {
	if d.relation.Settle() {
		d.settle()
	}
	if e.Goroutine < 0 {
		d.relation.Event(e)
		return nil
	}
	now := access{d.relation.Epoch(e.Goroutine), e.Op, e.Location, e.Order, e.Index}
	if e.Op == schedule.WaitGroupWait && e.Number != 0 ||
		e.Op == schedule.WaitGroupAdd && e.Number > 0 && d.state.Counter(e.Cell()) == e.Number {
		// What the Wait waits for does not order it.
		d.use(d.cells.Use(e.Cell()), now, e)
	}
	d.relation.Event(e)
	how := kinds[e.Op]
	if how == noAccess || e.Object == 0 {
		d.channel(now, e)
		return nil
	}
	h := d.cells.Use(e.Cell())
	switch how {
	case plainRead:
		d.compare(h.write, now, e)
		for _, a := range h.shown().atomics.accesses {
			if dependence.IsWrite(a.op) {
				d.compare(a, now, e)
			}
		}
		d.addRead(h, now)
	case plainWrite:
		d.compare(h.write, now, e)
		d.compareReads(h, now, e)
		for _, a := range h.shown().atomics.accesses {
			d.compare(a, now, e)
		}
		h.write, h.read = now, access{}
		if h.lists != nil {
			h.lists.reads.accesses = h.lists.reads.accesses[:0]
		}
	default:
		d.compare(h.write, now, e)
		if dependence.IsWrite(e.Op) {
			d.compareReads(h, now, e)
		}
		d.addAtomic(h, now)
	}
	return nil
}

// channel notes the close of a channel, and reports it with what fails since the channel is closed,
// if nothing orders them.
func (d *detector) channel(now access, e *schedule.Event) {
	switch e.Op {
	case schedule.Close:
		d.closes[e.Object] = now
	case schedule.Fail:
		if before, ok := d.closes[e.Object]; ok {
			d.compare(before, now, e)
		}
	}
}

// use reports a Wait and an Add that raises the counter of the wait group from zero, if nothing
// orders them: it depends on their order whether the Wait waits for what was added.
func (d *detector) use(h *history, now access, e *schedule.Event) {
	l, place := h.changed(), -1
	for i, a := range l.groups {
		switch {
		case a.op != now.op:
			d.compare(a, now, e)
		case a.Goroutine == now.Goroutine:
			place = i
		}
	}
	if place < 0 {
		l.groups = append(l.groups, now)
	} else {
		l.groups[place] = now
	}
}

// Finish implements analysis.Detector.
func (d *detector) Finish(context.Context) error { return nil }

// A kind says how an operation accesses memory.
type kind uint8

const (
	noAccess kind = iota
	plainRead
	plainWrite
	atomic
)

// kinds holds the kind of access of each operation.
var kinds = [schedule.NumOps]kind{
	schedule.Read: plainRead, schedule.Write: plainWrite,
	schedule.AtomicRead: atomic, schedule.AtomicWrite: atomic, schedule.AtomicUpdate: atomic,
	schedule.Lock: atomic, schedule.Unlock: atomic, schedule.RLock: atomic, schedule.RUnlock: atomic,
	schedule.TryFail: atomic, schedule.LockIntent: atomic,
	schedule.WaitGroupAdd: atomic, schedule.WaitGroupWait: atomic,
	schedule.CondWait: atomic, schedule.CondWake: atomic, schedule.CondSignal: atomic,
	schedule.SemAcquire: atomic, schedule.SemRelease: atomic, schedule.Once: atomic, schedule.OnceSeen: atomic,
}

// compareReads reports the races of now with the reads of h.
func (d *detector) compareReads(h *history, now access, e *schedule.Event) {
	d.compare(h.read, now, e)
	for _, a := range h.shown().reads.accesses {
		d.compare(a, now, e)
	}
}

// compare reports a race of now with an earlier access unless that happened before.
func (d *detector) compare(before, now access, e *schedule.Event) {
	if d.relation.Ordered(before.Epoch, now.Goroutine) {
		return
	}
	d.report(&analysis.Finding{
		Kind:      analysis.DataRace,
		Certainty: analysis.Observed,
		Sites: []analysis.Site{{
			Order: before.order, Op: before.op, Goroutine: before.Goroutine, Index: before.index,
			Cell: e.Cell(), Location: before.location,
		}, analysis.SiteOf(e)},
	})
}

// addRead adds a plain read.
func (d *detector) addRead(h *history, now access) {
	switch {
	case len(h.shown().reads.accesses) > 0:
		d.replace(&h.lists.reads, now)
	case !d.relation.Ordered(h.read.Epoch, now.Goroutine):
		l := h.changed()
		l.reads.accesses = append(l.reads.accesses, h.read, now)
		h.read = access{}
	default:
		h.read = now
	}
}

// addAtomic adds an atomic access.
func (d *detector) addAtomic(h *history, now access) {
	d.replace(&h.changed().atomics, now)
}

// fewAccesses is how many accesses of one kind to a cell are kept, each of another goroutine,
// before those are left out of which a later one knows: what races with them races with it, too.
const fewAccesses = 64

// replace puts an access into a list, in the place of the one of the same goroutine that also writes, or also does not.
func (d *detector) replace(l *list, now access) {
	write := dependence.IsWrite(now.op)
	place := &l.places[uint(now.Goroutine)%places]
	if i := int(*place); i < len(l.accesses) && l.accesses[i].Goroutine == now.Goroutine && dependence.IsWrite(l.accesses[i].op) == write {
		l.accesses[i] = now
		return
	}
	for i := range l.accesses {
		if a := &l.accesses[i]; a.Goroutine == now.Goroutine && dependence.IsWrite(a.op) == write {
			*a = now
			*place = uint8(i)
			return
		}
	}
	if n := len(l.accesses); n >= fewAccesses && n&(n-1) == 0 {
		l.accesses = slices.DeleteFunc(l.accesses, func(a access) bool {
			return dependence.IsWrite(a.op) == write && d.relation.Ordered(a.Epoch, now.Goroutine)
		})
	}
	*place = uint8(len(l.accesses))
	l.accesses = append(l.accesses, now)
}

// settle forgets the accesses with which no later one can race.
func (d *detector) settle() {
	d.cells.Delete(func(h *history) bool {
		settled := func(a access) bool { return d.relation.Settled(a.Epoch) }
		if !settled(h.write) || !settled(h.read) {
			return false
		}
		if h.lists == nil {
			return true
		}
		l := h.lists
		l.reads.accesses = slices.DeleteFunc(l.reads.accesses, settled)
		l.atomics.accesses = slices.DeleteFunc(l.atomics.accesses, settled)
		l.groups = slices.DeleteFunc(l.groups, settled)
		return len(l.reads.accesses)+len(l.atomics.accesses)+len(l.groups) == 0
	})
	maps.DeleteFunc(d.closes, func(_ schedule.ObjectID, a access) bool { return d.relation.Settled(a.Epoch) })
}
