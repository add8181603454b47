package oracle

import "slices"

// A naiveBubble is what a naive run knows of its bubble: as in package runtime, with timers
// that are looked at when somebody uses their channels unless somebody waits there.
type naiveBubble struct {
	settling int // the thread that is in a Settle, plus 1
}

// comes notes that the time of a timer has come. If nobody waits for it, it is not looked at
// before somebody uses its channel, who then finds the value.
func (r *naiveRun) comes(timer int) {
	for i := range r.pending {
		if a := &r.pending[i]; a.key == timer {
			a.unseen = r.p.Bubble && len(r.timers[timer].receivers) == 0
		}
	}
}

// isPast reports whether who uses the channel of a timer finds the value.
func (r *naiveRun) isPast(timer int) bool {
	return slices.ContainsFunc(r.pending, func(a alarm) bool { return a.key == timer && a.unseen })
}

// passInBubble returns what comes when no thread can go on and no alarm rings.
func (r *naiveRun) passInBubble() []*naiveRun {
	if r.waitsForMutex() {
		return nil
	}
	c := r.copy()
	if g := r.settling - 1; g >= 0 {
		c.settling = 0
		var pasts []uint64
		for i := range c.gs {
			pasts = append(pasts, c.gs[i].last)
		}
		c.happen(g, pasts...)
		c.done(g, c.next(g), 0)
		return []*naiveRun{c}
	}
	soonest := -1
	for _, a := range r.pending {
		if a.key >= 0 && len(r.timers[a.key].receivers) == 0 {
			continue // it is not in the heap of the bubble
		}
		if soonest < 0 || a.due < soonest {
			soonest = a.due
		}
	}
	if soonest < 0 || r.next(0) == nil {
		return nil
	}
	c.now, c.from, c.shown = soonest, soonest, soonest
	for _, a := range c.pending {
		if a.key >= 0 && a.due <= soonest {
			c.comes(a.key)
		}
	}
	return []*naiveRun{c}
}

// waitsForMutex reports whether a thread is blocked, and not durably.
func (r *naiveRun) waitsForMutex() bool {
	for g := range r.gs {
		if s := r.next(g); s != nil && slices.Contains([]StmtOp{Lock, RLock, WLock}, s.Op) {
			return true
		}
	}
	return false
}

// bubbleEnd says how a bubble has ended in which a thread remains.
func (r *naiveRun) bubbleEnd() string {
	switch {
	case r.waitsForMutex():
		return Deadlock
	case r.next(0) == nil:
		return BubbleRemains
	}
	return BubbleBlocked
}
