package oracle

import "slices"

// A naiveTime is the clock of a naive run: as in time.go, but with the timers that are
// pending in a list.
type naiveTime struct {
	now, from, start int
	shown            int // the least that the clock shows
	sets             int // number of Resets
	pending          []alarm
}

// An alarm is something that is due.
type alarm struct {
	due, shown int
	// ring does it, after what happened before.
	ring   func(r *naiveRun, past uint64)
	past   uint64 // what happened before it was set
	key    int    // timers: index; others: -1
	starts bool   // a thread
	// unseen says that nobody waited for the timer when its time came, in a bubble.
	unseen bool
}

// A naiveTimer is a timer with a channel of one element.
type naiveTimer struct {
	full      bool
	past      uint64
	early     int // when the last thing that was early and happened to it was due, or happened before who set or stopped it
	receivers []waiter
	awaited   bool
	looked    int // early of those who have found nothing there
	// Which thread has set it, as which one of its timers, for how many units, and what is left of
	// these as far as the thread knows.
	by, number, units, left int
}

// firesFirst reports whether a thread at a select does not take the default before a timer of one
// of the cases has fired.
func (r *naiveRun) firesFirst(g int, s *Stmt) bool {
	if !r.gs[g].alone {
		return false
	}
	now := max(r.from, r.early(r.gs[g].last))
	last := r.from + r.p.Stall
	return !r.p.Bubble && slices.ContainsFunc(s.Case, func(c Case) bool {
		return c.Timer && !r.timers[c.Chan].awaited && slices.ContainsFunc(r.pending, func(a alarm) bool {
			if a.key != c.Chan || a.due > now || a.due > last || a.due > r.from && a.shown > last {
				return false
			}
			t := &r.timers[c.Chan]
			return r.p.Stall == 0 || t.by == g && t.left == 0 || a.due+r.p.Stall < now
		})
	})
}

// finds notes that an event has found nothing at the timers of a select.
func (r *naiveRun) finds(e *event, s *Stmt) {
	for _, c := range s.Case {
		if c.Timer {
			t := &r.timers[c.Chan]
			e.due = max(e.due, t.early)
			t.looked = max(t.looked, r.early(e.past))
		}
	}
}

// gets notes that an event of a thread has the value of a timer.
func (r *naiveRun) gets(g, timer int, e *event) {
	of := &r.timers[timer]
	e.due = max(e.due, of.early, of.looked)
	of.early = r.early(e.past)
	for i := range r.timers {
		if t := &r.timers[i]; of.by == g && t.by == g && t.number < of.number {
			t.left = min(t.left, max(0, t.units-of.units))
		}
	}
}

// setAlarm adds something that is due some units after an event with the given past.
func (r *naiveRun) setAlarm(past uint64, units, key int, ring func(r *naiveRun, past uint64)) {
	r.pending = append(r.pending, alarm{max(r.from, r.early(past)) + units*Unit, r.shown + units*Unit, ring, past, key, false, false})
}

// early returns when the last of what was early was due in a past, 0 if nothing was.
func (r *naiveRun) early(past uint64) int {
	due := 0
	for i := range r.events {
		if past>>i&1 != 0 {
			due = max(due, r.events[i].due)
		}
	}
	return due
}

// clearAlarm removes that of a timer, and reports whether there was one.
func (r *naiveRun) clearAlarm(timer int) bool {
	n := len(r.pending)
	r.pending = slices.DeleteFunc(r.pending, func(a alarm) bool { return a.key == timer })
	return len(r.pending) < n
}

// moves returns by how many ticks what the clock shows may move before a statement reads it,
// which is all that anybody notices of its moving.
func (r *naiveRun) moves(s *Stmt) int {
	switch s.Op {
	case Now, Since:
		return r.from + r.p.Stall - r.shown
	}
	return 0
}

// pass returns the runs that come of it if time passes, or if an alarm rings, beside the
// busy choices of threads.
func (r *naiveRun) pass(busy int) (next []*naiveRun) {
	if r.failed != "" {
		return nil
	}
	soonest := -1
	for i, a := range r.pending {
		if soonest < 0 || a.due < soonest {
			soonest = a.due
		}
		if a.key >= 0 && r.isPast(a.key) {
			continue // nobody can tell whether it has fired
		}
		if last := r.from + r.p.Stall; a.due > last || a.due > r.from && a.shown > last {
			continue
		}
		if a.due <= r.now {
			busy++
		}
		c := r.copy()
		c.pending = slices.Delete(c.pending, i, i+1)
		c.now = max(c.now, a.due)
		c.shown = max(c.shown, c.now, a.shown)
		e := event{body: -1, past: a.past | 1<<len(c.events), plain: -1}
		if a.due > r.from {
			e.due = a.due
		}
		c.events = append(c.events, e)
		a.ring(c, e.past)
		next = append(next, c)
	}
	if r.p.Bubble {
		if busy+len(next) == 0 {
			next = r.passInBubble()
		}
		return next
	}
	if busy == 0 && soonest >= 0 {
		c := r.copy()
		c.now = max(c.now, soonest)
		c.from, c.shown = c.now, max(c.shown, c.now)
		live := 0
		for g := range c.gs {
			if c.next(g) != nil {
				live++
			}
		}
		starts := slices.ContainsFunc(c.pending, func(a alarm) bool { return a.starts })
		for g := range c.gs {
			c.gs[g].alone = c.gs[g].alone || live == 1 && !starts && c.next(g) != nil
		}
		next = append(next, c)
	}
	return next
}

// fire lets a timer send the time.
func (r *naiveRun) fire(timer int) {
	t := &r.timers[timer]
	if len(t.receivers) == 0 {
		t.full = true
		return
	}
	w := t.receivers[0]
	r.leave(w.g)
	r.gets(w.g, timer, r.happen(w.g, t.past))
	r.received(w.g, w.alt, 1)
}

// receiveTime ends the receive of thread g, in case alt, from a timer that has fired.
func (r *naiveRun) receiveTime(g, alt, timer int) {
	if r.isPast(timer) {
		r.clearAlarm(timer)
	}
	r.timers[timer].full = false
	r.gets(g, timer, r.happen(g, r.timers[timer].past))
	r.received(g, alt, 1)
}

// doTimed carries out a statement about time of thread g, when the clock has moved.
func (r *naiveRun) doTimed(g int, s *Stmt, moved int) {
	r.shown += moved
	t := &r.gs[g]
	result := 0
	switch s.Op {
	case Sleep:
		if s.X.Const > 0 {
			t.waiting = true
			for i := range r.timers {
				if of := &r.timers[i]; of.by == g {
					of.left = max(0, of.left-s.X.Const)
				}
			}
			r.setAlarm(t.last, s.X.Const, -1, func(r *naiveRun, past uint64) {
				r.happen(g, past)
				r.done(g, s, 0)
			})
			return
		}
		r.happen(g)
	case After:
		r.happen(g)
		lastOrder := t.lastOrder
		r.setAlarm(t.last, s.X.Const, -1, func(r *naiveRun, past uint64) {
			r.gs[s.Obj] = thread{started: true, frames: []frame{{r.p.Bodies[s.Obj], 0}}, last: past, lastOrder: lastOrder}
			r.settle(s.Obj)
		})
		r.pending[len(r.pending)-1].starts, r.gs[g].alone = true, false
	case Reset, Stop:
		timer := &r.timers[s.Obj]
		e := r.happen(g)
		past := e.past
		// The statement comes after what happened to the timer before.
		e.due = max(e.due, timer.early, timer.looked)
		timer.early = r.early(past)
		if r.clearAlarm(s.Obj) || timer.full {
			result = 1
		}
		timer.full = false
		if s.Op == Reset {
			r.sets++
			timer.by, timer.number, timer.units, timer.left = g, r.sets, s.X.Const, s.X.Const
			r.setAlarm(past, s.X.Const, s.Obj, func(r *naiveRun, past uint64) {
				t := &r.timers[s.Obj]
				fires := &r.events[len(r.events)-1]
				fires.due = max(fires.due, t.looked)
				t.past, t.early = past, max(t.early, r.early(past))
				r.fire(s.Obj)
			})
			if s.X.Const == 0 {
				r.comes(s.Obj)
			}
		}
	case Now:
		r.happen(g)
		r.start = r.shown
	case Since:
		r.happen(g)
		if r.p.passed(r.shown-r.start, s.X.Const) {
			result = 1
		}
	}
	r.done(g, s, result)
}
