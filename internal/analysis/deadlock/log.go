package deadlock

import (
	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// A log is the events of a schedule, as far as what they need depends on it, so that the schedule
// can be followed again.
type log struct {
	chunks [][]logged
	full   bool // there were more events than are kept
}

// A logged is an event.
type logged struct {
	offset, number int64
	index          int64
	goroutine      schedule.GoroutineID
	object         schedule.ObjectID
	child          schedule.GoroutineID
	location       schedule.LocationID
	op             schedule.Op
	kind           schedule.ObjectKind
	lock           schedule.LockKind
}

// Bounds of a log.
const (
	logChunk  = 1 << 14
	maxLogged = 1 << 22 // events
)

// add adds an event.
func (l *log) add(e *schedule.Event) {
	n := len(l.chunks)
	if l.full {
		return
	}
	if n == 0 || len(l.chunks[n-1]) == logChunk {
		if n == maxLogged/logChunk {
			l.chunks, l.full = nil, true
			return
		}
		l.chunks = append(l.chunks, make([]logged, 0, logChunk))
		n++
	}
	l.chunks[n-1] = append(l.chunks[n-1], logged{
		e.Offset, e.Number, e.Index, e.Goroutine, e.Object, e.Child, e.Location, e.Op, e.Kind, e.Lock,
	})
}

// event returns the event with a number.
func (l *log) event(order int64) schedule.Event {
	g := &l.chunks[order/logChunk][order%logChunk]
	return schedule.Event{
		Op: g.op, Goroutine: g.goroutine, Index: g.index, Object: g.object, Offset: g.offset, Child: g.child, Number: g.number, Kind: g.kind, Lock: g.lock,
		Location: g.location, Case: schedule.NoCase, Order: order, From: -1,
	}
}

// events returns the number of events.
func (l *log) events() int64 {
	n := len(l.chunks)
	if n == 0 {
		return 0
	}
	return int64(n-1)*logChunk + int64(len(l.chunks[n-1]))
}

// site returns the site of the event with a number.
func (l *log) site(order int64) analysis.Site {
	e := l.event(order)
	return analysis.SiteOf(&e)
}

// within returns the events of an ideal, by their numbers, in order.
func (l *log) within(ideal vectorclock.Clock) []int64 {
	var list []int64
	times := map[schedule.GoroutineID]uint32{}
	for o := range l.events() {
		g := l.chunks[o/logChunk][o%logChunk].goroutine + 1 // as clocks call it
		if times[g] < ideal.At(g) {
			times[g]++
			list = append(list, o)
		}
	}
	return list
}
