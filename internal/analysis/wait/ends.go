package wait

import (
	"slices"

	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/schedule"
)

// Ends counts what may end waits in the whole schedule, of which a window is a part.
type Ends struct {
	counts  map[ender]int64
	pending map[schedule.Case][]schedule.GoroutineID // what goroutines are about to do in the end
}

// An ender is something that may end a wait, by a goroutine or, if that is anyGoroutine, by any.
type ender struct {
	schedule.Case
	by schedule.GoroutineID
}

const anyGoroutine = schedule.AllGoroutines

// NewEnds returns the Ends of a schedule that has not begun.
func NewEnds() *Ends {
	return &Ends{counts: make(map[ender]int64), pending: make(map[schedule.Case][]schedule.GoroutineID)}
}

// Note takes an event into account.
func (x *Ends) Note(e *schedule.Event) {
	c := schedule.Case{Op: e.Op, Object: e.Object, Offset: e.Offset}
	switch e.Op {
	case schedule.Close:
		c.Op = schedule.Send
	case schedule.Send, schedule.Recv, schedule.CondSignal:
	case schedule.Pending:
		for _, c := range e.Cases {
			x.pending[c] = append(x.pending[c], e.Goroutine)
		}
		return
	default:
		return
	}
	x.counts[ender{c, anyGoroutine}]++
	x.counts[ender{c, e.Goroutine}]++
}

// A Mark is how often the waits of some goroutines had been ended by others at some time.
type Mark struct {
	on     []schedule.Case
	own    []schedule.GoroutineID
	counts []int64
}

// Mark returns what has ended waits for the given cases so far, other than what some goroutines themselves did.
func (x *Ends) Mark(on []schedule.Case, own ...schedule.GoroutineID) Mark {
	m := Mark{on: on, own: own}
	for _, c := range on {
		m.counts = append(m.counts, x.count(c, own))
	}
	return m
}

// count returns how often a wait for a case has been ended by others than some goroutines.
func (x *Ends) count(c schedule.Case, own []schedule.GoroutineID) int64 {
	n := x.counts[ender{Meeting(c), anyGoroutine}]
	for _, g := range own {
		n -= x.counts[ender{Meeting(c), g}]
	}
	return n
}

// Since reports whether something has been done since a mark, or is about to be done in the end,
// that may end one of its waits.
func (x *Ends) Since(m Mark) bool {
	for i, c := range m.on {
		if c.Op != schedule.CondWake && c.Object == 0 {
			continue
		}
		if x.count(c, m.own) != m.counts[i] {
			return true
		}
		if slices.ContainsFunc(x.pending[Meeting(c)], func(g schedule.GoroutineID) bool { return !slices.Contains(m.own, g) }) {
			return true
		}
	}
	return false
}

// Never reports whether nothing in the schedule has ended a wait for a case.
func (x *Ends) Never(c schedule.Case) bool { return x.count(c, nil) == 0 }

// Cases returns what the goroutine of a step waits for, if it does: by channels, in a select, or for a condition.
func Cases(s *reorder.Step) []schedule.Case {
	switch {
	case s.Choice != nil:
		return s.Choice.Cases
	case s.Site.Op == schedule.RecvClosed:
		return []schedule.Case{{Op: schedule.Recv, Object: s.Site.Cell.Object}}
	case s.Site.Op == schedule.Recv, s.Site.Op == schedule.Send, s.Site.Op == schedule.CondWake:
		return []schedule.Case{{Op: s.Site.Op, Object: s.Site.Cell.Object, Offset: s.Site.Cell.Offset}}
	}
	return nil
}

// Meeting returns what ends the wait for a case: a receive for a send, a send for a receive, and a signal.
func Meeting(c schedule.Case) schedule.Case {
	switch c.Op {
	case schedule.Send:
		c.Op = schedule.Recv
	case schedule.Recv:
		c.Op = schedule.Send
	case schedule.CondWake:
		c.Op = schedule.CondSignal
	}
	return c
}
