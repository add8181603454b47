package run

import (
	"slices"

	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/schedule"
)

// Dependent reports whether the order of two transitions that are enabled in the
// same state can matter: whether one of them can change the effect or the result of
// the other, whether or in which ways the other is enabled, or the happens-before
// relation. When in doubt it returns true.
//
// The answer does not depend on the state in which the transitions are taken, except
// for whether a CompareAndSwap swaps, a TryLock succeeds, a receive finds the channel
// closed, or the counter of a wait group becomes negative. Dependent may therefore be
// called for any two transitions of a run, and the answer is the same in every run that
// differs only in the order of independent transitions. It does not report that one
// transition enables another when the two are never enabled in the same state: a value
// must be sent before it is received, a full buffer must be emptied before more is sent,
// a waiter must be notified before it resumes.
//
// Of two operations on the same cells, or on the same channel, package dependence says it, for the
// detectors that look at schedules as well; what is added here is what a transition of the machine
// has besides.
func Dependent(a, b *Transition) bool {
	switch {
	case shareGoroutine(a, b):
		return true
	case a.awaits(b) || b.awaits(a):
		return true
	case a.Op == schedule.TimePass || b.Op == schedule.TimePass:
		return true // time passes only when nothing else can happen
	case a.Object == GoroutinesObject || b.Object == GoroutinesObject:
		return true // any step may start or end goroutines
	case a.Op == schedule.BubbleIdle:
		return dependentOnIdle(a, b)
	case b.Op == schedule.BubbleIdle:
		return dependentOnIdle(b, a)
	case (a.Queued || b.Queued) && shareQueue(a, b):
		return true // it may be the last one that waits
	case a.Contingent && dependence.ChangesChannel(b.Op) || b.Contingent && dependence.ChangesChannel(a.Op):
		return true // a contingent transition does not list the channels that it depends on
	case a.Op == schedule.SelectDefault || b.Op == schedule.SelectDefault:
		return dependentOnDefault(a, b)
	case dependence.IsAccess(a.Op) && dependence.IsAccess(b.Op):
		return conflict(a, b)
	case a.Object == b.Object && dependence.IsChannel(a.Op) && dependence.IsChannel(b.Op):
		return dependence.Dependent(a.operation(), b.operation())
	case usesTime(a) || usesTime(b):
		// Time passes in a step of its own. Others share a timer, or the channel that it sends on.
		return a.Object == b.Object && a.Object != NoObject && a.Object != ClockObject
	}
	x, y := cellsOf(a), cellsOf(b)
	if x.disjoint(y) && x.disjoint(b.From) && y.disjoint(a.From) {
		return false
	}
	return dependence.Dependent(a.operation(), b.operation())
}

// operation returns what package dependence looks at.
func (t *Transition) operation() dependence.Operation {
	return dependence.Operation{
		Op: t.Op, Meets: t.Partner >= 0, Sums: t.Commutes, Readers: t.Delta == RWWriter,
		Before: t.State, Delta: t.Delta,
	}
}

// Dependence returns t without what [Dependent] does not look at: transitions for which it is the same are
// dependent with the same ones.
func (t *Transition) Dependence() Transition {
	d := Transition{
		Decision: Decision{Goroutine: t.Goroutine}, Op: t.Op, Object: t.Object, Offset: t.Offset, Cells: t.Cells, From: t.From,
		Partner: t.Partner, Bubble: t.Bubble, Queue: t.Queue,
		Spins: t.Spins, Commutes: t.Commutes, Contingent: t.Contingent, Queued: t.Queued,
	}
	if t.Spins || t.Op == schedule.SelectDefault {
		d.Awaits = t.Awaits
	}
	switch t.Op {
	case schedule.AtomicRead:
		d.Op = schedule.Read
	case schedule.AtomicWrite, schedule.AtomicUpdate:
		d.Op = schedule.Write
	case schedule.TryFail, schedule.SelectDefault:
		d.Delta = t.Delta
	case schedule.WaitGroupAdd:
		d.State, d.Delta = t.State, t.Delta
	}
	return d
}

// IsWide reports whether t may be dependent with transitions on other objects, apart from those of
// its goroutine and its partner.
func (t *Transition) IsWide() bool {
	switch t.Op {
	case schedule.TimePass, schedule.BubbleIdle:
		return true
	case schedule.SelectDefault:
		if t.Delta > 1 {
			return true
		}
	}
	return t.Contingent || t.Queue != ObjectID{} || t.From.Cells > 0 || len(t.Awaits) > 0 || t.Object == GoroutinesObject
}

// shareGoroutine reports whether some goroutine takes part in both transitions.
func shareGoroutine(a, b *Transition) bool {
	return a.Goroutine == b.Goroutine && a.Goroutine >= 0 ||
		a.Partner >= 0 && (a.Partner == b.Goroutine || a.Partner == b.Partner) ||
		b.Partner >= 0 && b.Partner == a.Goroutine
}

// awaits reports whether b may enable or disable a, a transition of a spinning
// goroutine, by changing a cell other than the one that a operates on.
func (a *Transition) awaits(b *Transition) bool {
	if !a.Spins {
		return false
	}
	for _, r := range a.Awaits {
		if r.Object == GoroutinesObject || !b.readsOnly() && !r.disjoint(cellsOf(b)) {
			return true
		}
	}
	return false
}

// readsOnly reports whether t changes nothing that another goroutine can see.
func (t *Transition) readsOnly() bool {
	switch t.Op {
	case schedule.Read, schedule.AtomicRead, schedule.TryFail, schedule.LenChan, schedule.SelectDefault, schedule.Yield:
		return true
	}
	return false
}

// cellsOf returns the cells that t operates on.
func cellsOf(t *Transition) Range { return Range{t.Object, t.Offset, t.Cells} }

// disjoint reports whether r and s have no cell in common.
func (r Range) disjoint(s Range) bool {
	return r.Object == NoObject || r.Object != s.Object || r.Cells == 0 || s.Cells == 0 ||
		r.Offset+r.Cells <= s.Offset || s.Offset+s.Cells <= r.Offset
}

// conflict reports whether one of two accesses writes a cell that the other accesses. Additions whose results nobody
// reads leave the same sum behind in any order.
func conflict(a, b *Transition) bool {
	if a.Commutes && b.Commutes {
		return false
	}
	aWrites, bWrites := dependence.IsWrite(a.Op), dependence.IsWrite(b.Op)
	x, y := cellsOf(a), cellsOf(b)
	return (aWrites || bWrites) && !x.disjoint(y) ||
		aWrites && !x.disjoint(b.From) ||
		bWrites && !y.disjoint(a.From)
}

// dependentOnIdle is Dependent for a transition that waits until its bubble is idle: every
// step of a goroutine in the bubble is ordered before it or after it. The partner in a
// rendezvous may be in the bubble, too.
func dependentOnIdle(idle, t *Transition) bool {
	return t.Bubble == idle.Bubble || t.Partner >= 0
}

// usesTime reports whether t uses a timer or the virtual time, outside of bubbles.
func usesTime(t *Transition) bool {
	if (t.Bubble != ObjectID{}) {
		return false
	}
	return t.Op == schedule.Sleep || t.Op == schedule.TimerSet || t.Op == schedule.TimerFire || t.Object == ClockObject
}

// shareQueue reports whether two communications may be with the same waiting goroutines, of
// which there are some. Whether somebody waits at a channel decides how communications
// there, and on the channels linked to it, are carried out.
func shareQueue(a, b *Transition) bool {
	switch {
	case !usesQueue(a.Op) || !usesQueue(b.Op), a.Op == schedule.SelectDefault && b.Op == schedule.SelectDefault:
		return false
	case a.Op == schedule.SelectDefault && a.Delta > 1: // it does not list its channels
		return b.Queued
	case b.Op == schedule.SelectDefault && b.Delta > 1:
		return a.Queued
	}
	return a.Object == b.Object && a.Object != NoObject || a.Queue == b.Queue && a.Queue != ObjectID{}
}

// usesQueue reports whether operations of a kind depend on who waits at channels, or make
// those go on.
func usesQueue(op schedule.Op) bool {
	switch op {
	case schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.Close, schedule.SelectDefault, schedule.TimerFire:
		return true
	}
	return false
}

// dependentOnDefault is Dependent for the default case of a select and another
// transition. The default case is possible if no case is ready, and has no effect. So it
// depends on steps that can make a case ready or unready, which are on the channel of the
// case.
func dependentOnDefault(a, b *Transition) bool {
	if a.Op != schedule.SelectDefault {
		a, b = b, a
	}
	return dependence.Dependent(a.operation(), b.operation()) && a.looksAt(b.Object)
}

// looksAt reports whether t, the default case of a select, may depend on whether a channel is
// ready.
func (t *Transition) looksAt(channel ObjectID) bool {
	switch {
	case t.Delta <= 1:
		return t.Delta == 1 && t.Object == channel
	case t.Spins || len(t.Awaits) == 0:
		return true // its channels are not listed
	}
	return slices.ContainsFunc(t.Awaits, func(r Range) bool { return r.Object == channel })
}

// At returns the transition as it would be if the object that it operates on were in the
// given state, encoded as in Transition.State, and the goroutine were at the same
// operation. The result is false if the operation would then be disabled. Partners are
// assumed to be waiting still, and whatever State does not describe to be unchanged.
func (t Transition) At(state int64) (Transition, bool) {
	t.State = state
	possible := true
	switch t.Op {
	case schedule.AtomicRead, schedule.AtomicUpdate:
		if t.Compares {
			t.Op = schedule.AtomicRead
			if t.State == t.Delta {
				t.Op = schedule.AtomicUpdate
			}
		}
	case schedule.Lock, schedule.LockIntent:
		switch LockKind(t.Delta & (1<<LockKindBits - 1)) {
		case LockMutex, LockRWTry:
			possible = state == 0
		case LockRW:
			possible = state&RWWriter == 0
			t.Op = schedule.Lock
			if state&RWReaders > 0 {
				t.Op = schedule.LockIntent
			}
		case LockRWAnnounced:
			possible = state&RWReaders == 0
		case LockMonitor:
			possible = MonitorFree(state, t.Delta>>LockKindBits)
		}
	case schedule.RLock:
		possible = state&RWWriter == 0
	case schedule.TryFail:
		possible = state&t.Delta != 0
	case schedule.WaitGroupWait:
		possible = state == 0
	case schedule.SemAcquire:
		possible = state > 0
	case schedule.Send:
		possible = t.Partner >= 0 || state < t.Delta // or closed: it panics
	case schedule.Recv, schedule.RecvClosed:
		possible = state != 0
		if state > 0 {
			t.Op = schedule.Recv
		}
	}
	if t.Spins && len(t.Awaits) == 0 && (t.Op == schedule.TryFail || t.Op == schedule.AtomicRead && (t.Compares || state == t.Delta)) {
		possible = false
	}
	t.Enabled = possible
	return t, possible
}

// After returns the state, encoded as in Transition.State, in which t leaves the object
// that it operates on, if that follows from the state in which it found it.
func (t Transition) After() (state int64, known bool) {
	switch t.Op {
	case schedule.AtomicRead, schedule.TryFail, schedule.WaitGroupWait, schedule.LenChan:
		return t.State, true
	case schedule.WaitGroupAdd:
		return t.State + t.Delta, true
	case schedule.RLock, schedule.SemRelease:
		return t.State + 1, true
	case schedule.RUnlock, schedule.SemAcquire:
		return t.State - 1, true
	case schedule.Unlock:
		return t.Delta, true
	case schedule.LockIntent:
		return t.State | RWWriter, true
	case schedule.Lock:
		switch LockKind(t.Delta & (1<<LockKindBits - 1)) {
		case LockMutex:
			return 1, true
		case LockMonitor:
			return t.State | MonitorHeld, true
		}
		return RWWriter | RWHeld, true
	case schedule.Close:
		return -1, true
	case schedule.Send:
		if t.State < 0 || t.Partner >= 0 {
			return t.State, true
		}
		return t.State + 1, true
	case schedule.Recv:
		if t.State <= 0 {
			return t.State, t.State == 0 // closed: State does not say how many are left
		}
		return t.State - 1, true
	case schedule.RecvClosed:
		return -1, true
	}
	return 0, false
}
