package order

import (
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// Slots are the places of goroutines in clocks. That of a goroutine is its number, unless Settle
// has given the slot of one that has ended to another.
type slots struct {
	limits
	of       []schedule.GoroutineID // by goroutine; noSlot if it has lost its slot
	released []uint32               // by goroutine that has lost its slot: up to which time what it has done comes before what all others do
	joined   []uint32               // by goroutine that has got another slot then: the time there that stands for all that it has done
	begin    []uint32               // by slot: the first time of the next goroutine that gets it
	free     []schedule.GoroutineID // in descending order
	last     []int64                // by goroutine: when something was ordered before what it did then, or it was started
	ended    []schedule.GoroutineID // that have a slot, in the order in which they have ended
	over     []bool                 // by goroutine: it has ended
	seen     int64                  // events
	settled  int64                  // likewise, the last time
	left     int                    // slots that were in use then
}

// noSlot is the slot of a goroutine that has lost it.
const noSlot schedule.GoroutineID = -1

// Limits say when Settle does something, and what.
type limits struct {
	events     int64 // so many are between two calls that do something, unless there are many goroutines
	goroutines int   // so many more there have to be
	idle       int64 // if for so many events nothing is ordered before what a goroutine does, it is not waited for until it knows what others know
	ended      int   // so many goroutines that have ended are kept of which others may not know
}

var defaults = limits{events: 1 << 20, goroutines: 1 << 7, idle: 1 << 20, ended: 1 << 12}

// take returns a slot for a goroutine, and its first time.
func (s *slots) take(g schedule.GoroutineID) (schedule.GoroutineID, uint32) {
	for len(s.of) <= int(g) {
		s.of, s.last, s.released, s.over = append(s.of, noSlot), append(s.last, s.seen), append(s.released, 0), append(s.over, false)
		s.joined = append(s.joined, 0)
	}
	slot := schedule.GoroutineID(len(s.begin))
	if n := len(s.free); n > 0 {
		slot, s.free = s.free[n-1], s.free[:n-1]
	} else {
		s.begin = append(s.begin, 1)
	}
	s.of[g] = slot
	return slot, s.begin[slot]
}

// owns reports whether a goroutine has the slot that it has got first.
func (s *slots) owns(g schedule.GoroutineID) bool { return s.of[g] != noSlot && s.joined[g] == 0 }

// event counts an event, and notes that a goroutine has ended.
func (s *slots) event(e *schedule.Event) {
	s.seen++
	if e.Op == schedule.End {
		s.over[e.Goroutine] = true
		s.ended = append(s.ended, e.Goroutine)
	}
}

// acquireAll orders what all have done before what g does next. That is more than what a goroutine
// has done of which nothing is known any more.
func (r *Relation) acquireAll(g schedule.GoroutineID) {
	for q, c := range r.clocks {
		if s := r.slots.of[q]; s != noSlot && q != int(g) {
			r.acquire(g, c)
			r.tick(schedule.GoroutineID(q))
		}
	}
}

// restore gives another slot to a goroutine that has lost its own: not all of what it has done
// comes before what all others do, and somebody waits for its end.
func (r *Relation) restore(g schedule.GoroutineID) {
	s := &r.slots
	slot, begin := s.take(g)
	s.joined[g] = begin
	r.clocks[g].Set(slot, begin)
	s.ended = append(s.ended, g)
}

// Settle forgets what makes no difference any more, now and then, so that the relation of a long
// schedule takes no more memory than what its goroutines do at a time. It returns true if it has;
// then what [Relation.Settled] may be forgotten by others, too.
//
// What all goroutines cover that have not ended makes no difference. The slot of a goroutine that
// has ended is another one's as soon as that holds of all that it has released, and of all that it
// knew; if somebody waits for its end later, it gets another slot. So far the relation is the same
// as without Settle. Two things are not: a goroutine that has not come after anything among the
// last million events, or that a timer starts which was set before these, is taken to come after
// what all others cover; and of goroutines that have ended, and of which not all others know, the
// first ones are taken to have come before everything if there are more than 4096. So the relation
// may order more than happens-before does, but not less.
func (r *Relation) Settle() bool {
	s := &r.slots
	inUse := len(s.begin) - len(s.free)
	if s.seen-s.settled < s.limits.events && inUse < 2*s.left+s.goroutines {
		return false
	}
	floor := r.covered()
	if floor == nil {
		return false
	}
	r.floor = floor
	for g := range r.clocks {
		if s.over[g] {
			continue
		}
		if s.seen-s.last[g] > s.idle {
			r.clocks[g].Join(floor)
		}
		if g := schedule.GoroutineID(g); r.now(g) <= floor.At(s.of[g]) {
			r.tick(g) // what it does, or comes to know, from now on is not what others are taken to know
		}
	}
	r.retire()
	r.syncs.Delete(func(y *syncCell) bool {
		return len(y.waiters) == 0 && y.release.Within(floor) && y.readers.Within(floor)
	})
	for _, c := range r.channels {
		if c.closed.Within(floor) {
			c.closed = nil
		}
		for i := range c.slots {
			if c.slots[i].Within(floor) {
				c.slots[i] = nil
			}
		}
	}
	for _, t := range r.timers {
		if (!t.pending || s.seen-t.last > s.idle) && t.set.Within(floor) {
			t.set = nil
		}
	}
	s.settled, s.left = s.seen, len(s.begin)-len(s.free)
	return true
}

// covered returns what all goroutines cover that have not ended and are not idle, and those that
// timers may start. It is nil if there are none.
func (r *Relation) covered() (floor vectorclock.Clock) {
	s := &r.slots
	cover := func(c vectorclock.Clock) {
		if floor == nil {
			floor = slices.Clone(c)
			return
		}
		floor = floor[:min(len(floor), len(c))]
		for i, time := range floor {
			floor[i] = min(time, c[i])
		}
	}
	for g, c := range r.clocks {
		if !s.over[g] && s.seen-s.last[g] <= s.idle {
			cover(c)
		}
	}
	if floor == nil {
		return nil
	}
	for _, t := range r.timers {
		if t.pending && s.seen-t.last <= s.idle {
			cover(t.set)
		}
	}
	return floor
}

// retire takes the slots of goroutines that have ended if all others know of what they have released.
func (r *Relation) retire() {
	s := &r.slots
	spare := len(s.ended) - s.limits.ended // so many are too many
	var retired []vectorclock.Epoch        // slots, with their last times
	s.ended = slices.DeleteFunc(s.ended, func(g schedule.GoroutineID) bool {
		slot := s.of[g]
		time := r.clocks[g].At(slot)
		known := r.floor.At(slot) >= time-1 || time == s.begin[slot] && s.joined[g] == 0
		switch {
		case known && s.joined[g] > 0: // who has waited for its end is known to all
			s.released[g] = math.MaxUint32
		case known && r.coversOthers(r.clocks[g], slot):
			s.released[g] = max(r.floor.At(slot), time-1)
		case spare > 0:
			s.released[g] = math.MaxUint32
		default:
			return false
		}
		spare--
		s.of[g], r.clocks[g] = noSlot, nil
		s.begin[slot] = time + 1
		s.free = append(s.free, slot)
		retired = append(retired, vectorclock.Epoch{Goroutine: slot, Time: time})
		return true
	})
	// What others know of a slot without an owner makes no difference.
	for _, e := range retired {
		r.floor.Set(e.Goroutine, max(e.Time, r.floor.At(e.Goroutine)))
	}
	for g := range r.clocks {
		if !s.over[g] {
			for _, e := range retired {
				r.clocks[g].Set(e.Goroutine, max(e.Time, r.clocks[g].At(e.Goroutine)))
			}
		}
	}
	slices.SortFunc(s.free, func(a, b schedule.GoroutineID) int { return int(b - a) })
}

// coversOthers reports whether all cover what c does, but for what is at a slot.
func (r *Relation) coversOthers(c vectorclock.Clock, slot schedule.GoroutineID) bool {
	for i, time := range c {
		if schedule.GoroutineID(i) != slot && time > r.floor.At(schedule.GoroutineID(i)) {
			return false
		}
	}
	return true
}

// Settled reports whether what was done in an epoch happened before all that is done from now on.
func (r *Relation) Settled(e vectorclock.Epoch) bool {
	if e.Time == 0 {
		return true
	}
	return r.slots.covers(r.floor, e)
}

// covers reports whether what was done in an epoch comes before what is done with a clock.
func (s *slots) covers(c vectorclock.Clock, e vectorclock.Epoch) bool {
	slot := s.of[e.Goroutine]
	if s.owns(e.Goroutine) {
		return e.Time <= c.At(slot)
	}
	return e.Time <= s.released[e.Goroutine] || slot != noSlot && c.At(slot) >= s.joined[e.Goroutine]
}
