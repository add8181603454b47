package dependence

import "github.com/everyway-go/everyway/schedule"

// An Operation is what [Dependent] has to know of one.
type Operation struct {
	Op schedule.Op
	// Meets is set if it sends to, or receives from, a goroutine that waits at the channel, which it leaves as it was.
	Meets bool
	// Sums is set if it adds to a wait group or an atomic variable, and nobody sees in which order
	// that was done, or signals where nobody waits.
	Sums bool
	// Readers is set if a TryLock fails only because of writers, so that readers make no difference.
	Readers bool
	// Unknown is set if it is not known whom a signal wakes.
	Unknown bool
	// Before and Delta are the counter that an Add of a wait group finds, and what it adds.
	Before, Delta int64
}

// OperationOf returns what the others see of an event of a schedule, in orders in which there is
// with each event what it needs (package analysis/ideal): with each Done what was added before it,
// so that nobody sees in which order a wait group was added to.
func OperationOf(e *schedule.Event) Operation {
	o := Operation{Op: e.Op}
	switch e.Op {
	case schedule.WaitGroupAdd:
		o.Sums = true
	case schedule.CondSignal:
		o.Unknown = e.Child == schedule.NoGoroutine
	}
	return o
}

// IsRead reports whether an operation reads memory.
func IsRead(op schedule.Op) bool {
	return op == schedule.Read || op == schedule.AtomicRead || op == schedule.AtomicUpdate
}

// IsWrite reports whether an operation writes memory.
func IsWrite(op schedule.Op) bool {
	return op == schedule.Write || op == schedule.AtomicWrite || op == schedule.AtomicUpdate
}

// IsAccess reports whether an operation reads or writes memory, atomically or not.
func IsAccess(op schedule.Op) bool { return IsRead(op) || IsWrite(op) }

// IsChannel reports whether an operation is one on a single channel.
func IsChannel(op schedule.Op) bool {
	switch op {
	case schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.Close, schedule.LenChan:
		return true
	}
	return false
}

// ChangesChannel reports whether an operation can make communications ready or unready.
func ChangesChannel(op schedule.Op) bool {
	switch op {
	case schedule.Send, schedule.Recv, schedule.Close, schedule.TimerFire, schedule.TimerSet:
		return true
	}
	return false
}

// Dependent reports whether the order of two operations of different goroutines on the same cell,
// channel or timer can matter. When in doubt it returns true. It does not report that one enables
// another when the two are never possible in the same state: a value has to be sent before it is
// received.
func Dependent(a, b Operation) bool {
	switch {
	case IsAccess(a.Op) && IsAccess(b.Op):
		return (IsWrite(a.Op) || IsWrite(b.Op)) && !(a.Sums && b.Sums)
	case a.Op == schedule.SelectDefault:
		return onDefault(b)
	case b.Op == schedule.SelectDefault:
		return onDefault(a)
	case IsChannel(a.Op) && IsChannel(b.Op):
		return onChannel(a, b)
	}
	return !commute(&a, &b) && !commute(&b, &a)
}

// Exclude reports whether critical sections of a lock, of different goroutines, cannot overlap:
// both only if they are for reading.
func Exclude(shared, otherShared bool) bool { return !shared || !otherShared }

// onDefault is Dependent for the default case of a select, which is possible if no case is ready, and has no effect. A
// rendezvous leaves nothing ready.
func onDefault(b Operation) bool {
	return ChangesChannel(b.Op) && !(b.Op == schedule.Send && b.Meets)
}

// onChannel is Dependent for operations on one channel. A send and a receive work on different ends
// of a buffer, and an element in the buffer is received whether or not the channel has been closed
// since. A rendezvous leaves the channel unchanged.
func onChannel(a, b Operation) bool {
	if b.Op < a.Op {
		a, b = b, a
	}
	switch a.Op {
	case schedule.Send:
		if a.Meets && (b.Op == schedule.Send && b.Meets || b.Op == schedule.LenChan) {
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

// commute reports whether two operations on one primitive can be exchanged because both only read its state, or because
// their updates add up to the same state in either order.
func commute(a, b *Operation) bool {
	switch a.Op {
	case schedule.RLock, schedule.RUnlock:
		// Readers do not affect each other, and a TryRLock fails only because of writers.
		return b.Op == schedule.RLock || b.Op == schedule.RUnlock || b.Op == schedule.TryFail && b.Readers
	case schedule.TryFail:
		return b.Op == schedule.TryFail
	case schedule.WaitGroupAdd:
		return b.Op == schedule.WaitGroupAdd && (a.Sums && b.Sums || a.Delta < 0 && b.Delta < 0 && !countNegative(a, b))
	case schedule.WaitGroupWait:
		return b.Op == schedule.WaitGroupWait
	case schedule.CondWait:
		return b.Op == schedule.CondWait
	case schedule.CondWake:
		// A waiter that wakes up has been notified already: neither signals nor new
		// waiters change that.
		return b.Op == schedule.CondWake || b.Op == schedule.CondWait || b.Op == schedule.CondSignal && !b.Unknown
	case schedule.CondSignal:
		return b.Op == schedule.CondSignal && a.Sums && b.Sums
	case schedule.SemRelease:
		return b.Op == schedule.SemRelease
	}
	return false
}

// countNegative reports whether two Dones make the counter of a wait group negative,
// so that the later one panics. Two that found the same counter are enabled in the same
// state, and the later one finds less than its Before says.
func countNegative(a, b *Operation) bool {
	left := min(a.Before+a.Delta, b.Before+b.Delta)
	if a.Before == b.Before {
		left = a.Before + a.Delta + b.Delta
	}
	return left < 0
}
