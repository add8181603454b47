package vm

import "github.com/everyway-go/everyway/schedule"

// Dependent reports whether the order of two steps can matter, when both are
// possible in one state: whether one of them can change the other's effect, its
// result, whether or in which ways it is enabled, or what happens before what.
// It errs on the side of true.
//
// It may be asked of an option a that was possible in an earlier state and has
// since stayed possible, because only steps that are not dependent with it were
// taken, and of an option b of the present state.
func Dependent(a, b Option) bool {
	switch {
	case shares(a, b):
		return true
	case a.Object == GoroutinesObject || b.Object == GoroutinesObject:
		return true // any step may start or end goroutines
	case timed(a) && timed(b):
		return dependentInTime(a, b)
	case a.Contingent && changesChannel(b.Op) || b.Contingent && changesChannel(a.Op):
		return true // of which channels, the options do not tell
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
func shares(a, b Option) bool {
	return a.Goroutine == b.Goroutine ||
		a.Partner >= 0 && (a.Partner == b.Goroutine || a.Partner == b.Partner) ||
		b.Partner >= 0 && b.Partner == a.Goroutine
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
func cellsOf(o Option) Range { return Range{o.Object, o.Offset, o.Cells} }

// apart reports whether no cell is in both r and s.
func (r Range) apart(s Range) bool {
	return r.Object == NoObject || r.Object != s.Object || r.Cells == 0 || s.Cells == 0 ||
		r.Offset+r.Cells <= s.Offset || s.Offset+s.Cells <= r.Offset
}

// overlap reports whether one of two accesses writes a cell that is in the other.
func overlap(a, b Option) bool {
	aWrites := a.Op != schedule.Read && a.Op != schedule.AtomicRead
	bWrites := b.Op != schedule.Read && b.Op != schedule.AtomicRead
	x, y := cellsOf(a), cellsOf(b)
	return (aWrites || bWrites) && !x.apart(y) ||
		aWrites && !x.apart(b.From) ||
		bWrites && !y.apart(a.From)
}

// dependentOnChannel is Dependent for operations on one channel. While there is
// something to receive and room to send, the two ends of the buffer do not meet.
func dependentOnChannel(a, b Option) bool {
	switch {
	case a.Op == schedule.LenChan && b.Op == schedule.LenChan,
		a.Op == schedule.RecvClosed && b.Op == schedule.RecvClosed:
		return false
	case a.Op == schedule.Send && b.Op == schedule.Recv, a.Op == schedule.Recv && b.Op == schedule.Send:
		return a.State < 0 || b.State < 0
	}
	return true
}

// commute reports whether two operations on one primitive may be exchanged: both
// only look, or both add their share to the same.
func commute(a, b Option) bool {
	switch a.Op {
	case schedule.RLock:
		return b.Op == schedule.RLock || b.Op == schedule.TryFail
	case schedule.TryFail:
		return b.Op == schedule.TryFail
	case schedule.WaitGroupAdd:
		if b.Op != schedule.WaitGroupAdd {
			return false
		}
		// The counter must neither go below zero nor leave zero in one of the orders.
		left := min(a.State, b.State) + min(a.Delta, 0) + min(b.Delta, 0)
		return left > 0 || left == 0 && a.Delta < 0 && b.Delta < 0
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

// timed reports whether o works with the virtual time.
func timed(o Option) bool {
	return o.Op == schedule.Sleep || o.Op == schedule.TimerSet || o.Op == schedule.TimerFire || o.Object == ClockObject
}

// dependentInTime is Dependent for steps that work with the virtual time. Timers
// that fire and sleepers that wake move it; setting a timer can keep others from
// being due first.
func dependentInTime(a, b Option) bool {
	moves := func(o Option) bool { return o.Op == schedule.TimerFire || o.Op == schedule.Sleep }
	if moves(a) || moves(b) {
		return true
	}
	return a.Op == schedule.TimerSet && b.Op == schedule.TimerSet && a.Object == b.Object && a.Object != NoObject
}

// dependentOnDefault is Dependent for a default case and another step. A default
// case looks at the channels of all cases of its select; it names them only when there
// is one.
func dependentOnDefault(a, b Option) bool {
	if a.Op != schedule.SelectDefault {
		a, b = b, a
	}
	return changesChannel(b.Op) && (a.Object == NoObject || a.Object == b.Object)
}

// changesChannel reports whether op can make communications ready or unready.
func changesChannel(op schedule.Op) bool {
	switch op {
	case schedule.Send, schedule.Recv, schedule.Close, schedule.TimerFire, schedule.TimerSet:
		return true
	}
	return false
}
