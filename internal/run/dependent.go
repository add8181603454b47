package run

import "github.com/everyway-go/everyway/schedule"

// Dependent reports whether the order of two steps can matter, when both are
// possible in one state: whether one of them can change the other's effect, its
// result, whether or in which ways it is enabled, or what happens before what.
// It errs on the side of true.
//
// The answer does not depend on what the steps find, but for whether a
// CompareAndSwap swaps, a TryLock succeeds, a receive finds the channel closed and
// a wait group's counter falls below zero. So it may be asked of any two steps of
// one run, and is the same in every run in which they come with other steps that
// are not dependent with them moved around. It does not tell that one step makes
// the other possible where both cannot be possible in one state: that a value
// has to be sent before it is received, a full buffer emptied before more is
// sent, a waiter notified before it goes on.
func Dependent(a, b *Transition) bool {
	switch {
	case shares(a, b):
		return true
	case a.awaits(b) || b.awaits(a):
		return true
	case a.Object == GoroutinesObject || b.Object == GoroutinesObject:
		return true // any step may start or end goroutines
	case a.Op == schedule.BubbleIdle:
		return dependentOnIdle(a, b)
	case b.Op == schedule.BubbleIdle:
		return dependentOnIdle(b, a)
	case timed(a) && timed(b):
		return dependentInTime(a, b)
	case a.Contingent && changesChannel(b.Op) || b.Contingent && changesChannel(a.Op):
		return true // the transitions do not say of which channels
	case a.Op == schedule.SelectDefault || b.Op == schedule.SelectDefault:
		return dependentOnDefault(a, b)
	case isAccess(a.Op) && isAccess(b.Op):
		return overlap(a, b)
	case a.Object == b.Object && isChannel(a.Op) && isChannel(b.Op):
		return dependentOnChannel(a, b)
	case timed(a) || timed(b):
		return a.Object == b.Object && a.Object != NoObject // a timer and the channel that it sends on
	}
	x, y := cellsOf(a), cellsOf(b)
	if x.apart(y) && x.apart(b.From) && y.apart(a.From) {
		return false
	}
	return !commute(a, b) && !commute(b, a)
}

// shares reports whether a goroutine takes part in both steps.
func shares(a, b *Transition) bool {
	return a.Goroutine == b.Goroutine ||
		a.Partner >= 0 && (a.Partner == b.Goroutine || a.Partner == b.Partner) ||
		b.Partner >= 0 && b.Partner == a.Goroutine
}

// awaits reports whether a, of a spinning goroutine, may become possible or
// impossible by step b because of a cell that it is not on itself.
func (a *Transition) awaits(b *Transition) bool {
	for _, r := range a.Awaits {
		if r.Object == GoroutinesObject || !b.onlyLooks() && !r.apart(cellsOf(b)) {
			return true
		}
	}
	return false
}

// onlyLooks reports whether o changes nothing that others see.
func (o *Transition) onlyLooks() bool {
	switch o.Op {
	case schedule.Read, schedule.AtomicRead, schedule.TryFail, schedule.LenChan, schedule.SelectDefault, schedule.Yield:
		return true
	}
	return false
}

// isAccess reports whether op reads or writes cells of memory, atomically or not.
func isAccess(op schedule.Op) bool {
	switch op {
	case schedule.Read, schedule.Write, schedule.AtomicRead, schedule.AtomicWrite, schedule.AtomicUpdate:
		return true
	}
	return false
}

func isChannel(op schedule.Op) bool {
	switch op {
	case schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.Close, schedule.LenChan:
		return true
	}
	return false
}

// cellsOf returns the cells that o works on.
func cellsOf(o *Transition) Range { return Range{o.Object, o.Offset, o.Cells} }

// apart reports whether no cell is in both r and s.
func (r Range) apart(s Range) bool {
	return r.Object == NoObject || r.Object != s.Object || r.Cells == 0 || s.Cells == 0 ||
		r.Offset+r.Cells <= s.Offset || s.Offset+s.Cells <= r.Offset
}

// overlap reports whether one of two accesses writes a cell that is in the other.
func overlap(a, b *Transition) bool {
	aWrites := a.Op != schedule.Read && a.Op != schedule.AtomicRead
	bWrites := b.Op != schedule.Read && b.Op != schedule.AtomicRead
	x, y := cellsOf(a), cellsOf(b)
	return (aWrites || bWrites) && !x.apart(y) ||
		aWrites && !x.apart(b.From) ||
		bWrites && !y.apart(a.From)
}

// dependentOnChannel is Dependent for operations on one channel. The two ends of
// a buffer do not meet, and what was sent is received whether the channel has been
// closed since or not. A rendezvous changes nothing in the channel.
func dependentOnChannel(a, b *Transition) bool {
	if b.Op < a.Op {
		a, b = b, a
	}
	switch a.Op {
	case schedule.Send:
		if a.Partner >= 0 && (b.Op == schedule.Send && b.Partner >= 0 || b.Op == schedule.LenChan) {
			return false
		}
		return b.Op != schedule.Recv
	case schedule.Recv:
		return b.Op != schedule.Close
	case schedule.RecvClosed:
		return b.Op != schedule.RecvClosed && b.Op != schedule.LenChan
	case schedule.Close:
		return b.Op != schedule.LenChan
	}
	return a.Op != schedule.LenChan || b.Op != schedule.LenChan
}

// commute reports whether two operations on one primitive may be exchanged: both
// only look, or both add their share to the same.
func commute(a, b *Transition) bool {
	switch a.Op {
	case schedule.RLock, schedule.RUnlock:
		// Readers do not see each other; a TryRLock looks for writers only.
		return b.Op == schedule.RLock || b.Op == schedule.RUnlock || b.Op == schedule.TryFail && b.Delta == RWWriter
	case schedule.TryFail:
		return b.Op == schedule.TryFail
	case schedule.WaitGroupAdd:
		return b.Op == schedule.WaitGroupAdd && a.Delta < 0 && b.Delta < 0 && !overdrawn(a, b)
	case schedule.WaitGroupWait:
		return b.Op == schedule.WaitGroupWait
	case schedule.CondWait:
		return b.Op == schedule.CondWait
	case schedule.CondWake:
		// A waiter that goes on has been notified: neither signals nor new waiters
		// change that.
		return b.Op == schedule.CondWake || b.Op == schedule.CondWait || b.Op == schedule.CondSignal
	case schedule.SemRelease:
		return b.Op == schedule.SemRelease
	}
	return false
}

// overdrawn reports whether two Dones take a counter below zero, which makes the
// later one panic. Two that have found the same counter are of one state, and
// the second finds less.
func overdrawn(a, b *Transition) bool {
	left := min(a.State+a.Delta, b.State+b.Delta)
	if a.State == b.State {
		left = a.State + a.Delta + b.Delta
	}
	return left < 0
}

// dependentOnIdle is Dependent for a step that waits until its bubble is idle: all that
// goes on in the bubble comes before it or after it. The other side of a rendezvous
// may be in the bubble, too.
func dependentOnIdle(idle, o *Transition) bool {
	return o.Bubble == idle.Bubble || o.Partner >= 0
}

// timed reports whether o works with the virtual time outside of bubbles. The time of
// a bubble moves only while nothing else goes on there.
func timed(o *Transition) bool {
	if (o.Bubble != ObjectID{}) {
		return false
	}
	return o.Op == schedule.Sleep || o.Op == schedule.TimerSet || o.Op == schedule.TimerFire || o.Object == ClockObject
}

// dependentInTime is Dependent for steps that work with the virtual time. Timers
// that fire and sleepers that wake move it; setting a timer can keep others from
// being due first.
func dependentInTime(a, b *Transition) bool {
	moves := func(o *Transition) bool { return o.Op == schedule.TimerFire || o.Op == schedule.Sleep }
	if moves(a) || moves(b) {
		return true
	}
	return a.Op == schedule.TimerSet && b.Op == schedule.TimerSet && a.Object == b.Object && a.Object != NoObject
}

// dependentOnDefault is Dependent for a default case and another step. A default
// case looks at the channels of all cases of its select; it names them only when there
// is one.
func dependentOnDefault(a, b *Transition) bool {
	if a.Op != schedule.SelectDefault {
		a, b = b, a
	}
	if b.Op == schedule.Send && b.Partner >= 0 {
		return false // a rendezvous leaves nothing ready
	}
	return changesChannel(b.Op) && (a.Delta > 1 || a.Delta == 1 && a.Object == b.Object)
}

// changesChannel reports whether op can make communications ready or unready.
func changesChannel(op schedule.Op) bool {
	switch op {
	case schedule.Send, schedule.Recv, schedule.Close, schedule.TimerFire, schedule.TimerSet:
		return true
	}
	return false
}

// At returns the transition as it would be if what it works on were in a state, in
// terms of Transition.State, and the goroutine had come to it all the same. It is
// false when the operation would not be possible. Partners are taken to be
// there still, and what State does not tell of to be as it was.
func (o Transition) At(state int64) (Transition, bool) {
	o.State = state
	possible := true
	switch o.Op {
	case schedule.AtomicRead, schedule.AtomicUpdate:
		if o.Compares {
			o.Op = schedule.AtomicRead
			if o.State == o.Delta {
				o.Op = schedule.AtomicUpdate
			}
		}
	case schedule.Lock, schedule.LockIntent:
		switch LockKind(o.Delta & (1<<LockKindBits - 1)) {
		case LockFree, LockTry:
			possible = state == 0
		case LockFirst:
			possible = state&RWWriter == 0
			o.Op = schedule.Lock
			if state&RWReaders > 0 {
				o.Op = schedule.LockIntent
			}
		case LockLast:
			possible = state&RWReaders == 0
		case LockWhen:
			possible = MonitorFree(state, o.Delta>>LockKindBits)
		}
	case schedule.RLock:
		possible = state&RWWriter == 0
	case schedule.TryFail:
		possible = state&o.Delta != 0
	case schedule.WaitGroupWait:
		possible = state == 0
	case schedule.SemAcquire:
		possible = state > 0
	case schedule.Send:
		possible = o.Partner >= 0 || state < o.Delta // or closed: it panics
	case schedule.Recv, schedule.RecvClosed:
		possible = state != 0
		if state > 0 {
			o.Op = schedule.Recv
		}
	}
	if o.Spins && len(o.Awaits) == 0 && (o.Op == schedule.TryFail || o.Op == schedule.AtomicRead && (o.Compares || state == o.Delta)) {
		possible = false
	}
	o.Enabled = possible
	return o, possible
}

// After returns the state, in terms of Transition.State, in which a step leaves what
// it works on, if it can be told from the state that it has found.
func (o Transition) After() (state int64, known bool) {
	switch o.Op {
	case schedule.AtomicRead, schedule.TryFail, schedule.WaitGroupWait, schedule.LenChan:
		return o.State, true
	case schedule.WaitGroupAdd:
		return o.State + o.Delta, true
	case schedule.RLock, schedule.SemRelease:
		return o.State + 1, true
	case schedule.RUnlock, schedule.SemAcquire:
		return o.State - 1, true
	case schedule.Unlock:
		return o.Delta, true
	case schedule.LockIntent:
		return o.State | RWWriter, true
	case schedule.Lock:
		switch LockKind(o.Delta & (1<<LockKindBits - 1)) {
		case LockFree:
			return 1, true
		case LockWhen:
			return o.State | MonitorHeld, true
		}
		return RWWriter | RWHeld, true
	case schedule.Close:
		return -1, true
	case schedule.Send:
		if o.State < 0 || o.Partner >= 0 {
			return o.State, true
		}
		return o.State + 1, true
	case schedule.Recv:
		if o.State <= 0 {
			return o.State, o.State == 0 // closed: State does not tell how many are left
		}
		return o.State - 1, true
	case schedule.RecvClosed:
		return -1, true
	}
	return 0, false
}
