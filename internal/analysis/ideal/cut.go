package ideal

import (
	"iter"

	"github.com/everyway-go/everyway/internal/analysis/cells"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// Full reports whether it is time to call Cut, so that memory is bounded.
func (r *Relation) Full() bool { return r.copied > r.Times }

// Cut takes it that all events so far are kept, in the order in which they were recorded: each
// ideal from now on has them, without saying so. What the relation has returned before is not valid
// any more, which makes it possible to forget all but what goroutines do that have not ended, or
// hold locks, and to call them by numbers from 1 on. The others are not to be asked about any more.
// The next event is the one with the given Order; s may have taken it into account if it ends no
// goroutine.
func (r *Relation) Cut(s *schedule.State, next int64) {
	threads := r.threads
	r.threads, r.log = []thread{{goroutine: schedule.Timers}}, [][]int64{nil}
	for _, t := range threads[1:] {
		if g := s.Goroutine(t.goroutine); g.Ended >= 0 && len(g.Held) == 0 {
			r.slots[t.goroutine+1] = noSlot
			continue
		}
		r.slots[t.goroutine+1] = schedule.GoroutineID(len(r.threads))
		r.threads = append(r.threads, thread{goroutine: t.goroutine})
		r.log = append(r.log, nil)
	}
	// Epochs stay those of goroutines, at a time before everything.
	renumber := func(x *Stamp) {
		slot := schedule.Timers
		if x.Goroutine > 0 && int(x.Goroutine) < len(threads) {
			slot = r.slot(threads[x.Goroutine].goroutine)
		}
		*x = Stamp{Epoch: vectorclock.Epoch{Goroutine: slot}}
	}
	r.recent.sync = nil
	r.syncs.Delete(func(y *syncCell) bool {
		y.release, y.readers, y.raised, y.handed, y.all = nil, nil, nil, nil, nil
		renumber(&y.writer)
		for w := range y.wakes {
			y.wakes[w] = Stamp{}
		}
		held := false
		for g, n := range y.holders {
			if n == 0 {
				delete(y.holders, g)
			}
			held = held || n > 0
		}
		return !held && !y.hands && y.writer.Goroutine < 0 && len(y.waiters) == 0 && len(y.wakes) == 0
	})
	r.writes = cells.Table[Stamp]{}
	for _, c := range r.channels {
		c.sends, c.all, c.last, c.closed = nil, nil, Stamp{}, Stamp{}
		clear(c.queue)
		clear(c.received)
	}
	for o := range r.timers {
		r.timers[o] = nil
	}
	for o, users := range r.users {
		left := users[:0]
		for _, g := range users {
			if r.slot(g) != noSlot {
				left = append(left, g)
			}
		}
		r.users[o] = left
	}
	r.prefix, r.copied = next, 0
	r.Cuts++
}

// Before returns the events before the last call of Cut, by their Order.
func (r *Relation) Before() []int64 {
	list := make([]int64, r.prefix)
	for o := range list {
		list[o] = int64(o)
	}
	return list
}

// Goroutines returns the goroutines that had not ended before the last call of Cut, or held locks then.
func (r *Relation) Goroutines() iter.Seq[schedule.GoroutineID] {
	return func(yield func(schedule.GoroutineID) bool) {
		for _, t := range r.threads[1:] {
			if !yield(t.goroutine) {
				return
			}
		}
	}
}
