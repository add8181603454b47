package con2colic

import "github.com/everyway-go/everyway/schedule"

// onLocation reports whether events of op are on a location.
func onLocation(op schedule.Op) bool {
	return op >= schedule.Read && op <= schedule.TimerFire && op != schedule.SelectDefault
}

// visible reports whether an event of op is a step of its own.
func visible(op schedule.Op) bool {
	return op >= schedule.Read && op <= schedule.TimerFire || op == schedule.Yield
}

// reads reports whether an event of op takes something from an event of another
// kind: a value, the fact that a channel is closed, or that a lock is held.
func reads(op schedule.Op) bool {
	switch op {
	case schedule.Read, schedule.AtomicRead, schedule.AtomicUpdate, schedule.Recv, schedule.RecvClosed, schedule.TryFail, schedule.LockIntent:
		return true
	}
	return false
}

// readsCell reports whether op reads memory.
func readsCell(op schedule.Op) bool {
	return op == schedule.Read || op == schedule.AtomicRead || op == schedule.AtomicUpdate
}

// writes reports whether op writes memory.
func writes(op schedule.Op) bool {
	return op == schedule.Write || op == schedule.AtomicWrite || op == schedule.AtomicUpdate
}

// feeds reports whether an event of op write can be what one of op read takes
// its value from.
func feeds(write, read schedule.Op) bool {
	switch read {
	case schedule.Recv:
		return write == schedule.Send
	case schedule.RecvClosed:
		return write == schedule.Close
	case schedule.TryFail:
		return write == schedule.Lock || write == schedule.RLock
	case schedule.LockIntent:
		return write == schedule.RLock
	}
	return readsCell(read) && writes(write)
}

// helps reports whether an event of op helper can enable one of op blocked, or
// keep it from being a misuse.
func helps(helper, blocked schedule.Op) bool {
	switch blocked {
	case schedule.Lock:
		return helper == schedule.Unlock || helper == schedule.RUnlock
	case schedule.RLock:
		return helper == schedule.Unlock || helper == schedule.RUnlock
	case schedule.Send, schedule.Recv, schedule.RecvClosed:
		return helper == schedule.Recv
	case schedule.SelectDefault:
		return helper == schedule.Recv || helper == schedule.Send
	case schedule.Unlock:
		return helper == schedule.Lock
	case schedule.RUnlock:
		return helper == schedule.RLock
	case schedule.WaitGroupWait, schedule.WaitGroupAdd:
		return helper == schedule.WaitGroupAdd
	case schedule.CondWake:
		return helper == schedule.CondSignal
	case schedule.SemAcquire:
		return helper == schedule.SemRelease
	case schedule.Sleep:
		return helper == schedule.Sleep // one that ends earlier
	}
	return false
}

// interferes reports whether taking a value from another goroutine by a read of
// op counts as an interference.
func interferes(op schedule.Op) bool { return op != schedule.TryFail && op != schedule.LockIntent }

// waits reports whether operations of op, or others because of them, can be
// blocked, or misused, until another goroutine does something.
func waits(op schedule.Op) bool {
	switch op {
	case schedule.Lock, schedule.RLock, schedule.Send, schedule.WaitGroupWait, schedule.CondWake,
		schedule.SemAcquire, schedule.Sleep, schedule.SelectDefault, schedule.Unlock, schedule.RUnlock, schedule.WaitGroupAdd:
		return true
	}
	return false
}

// produces reports whether another goroutine can read from events of op or wait for them.
func produces(op schedule.Op) bool {
	switch op {
	case schedule.Write, schedule.AtomicWrite, schedule.AtomicUpdate,
		schedule.Send, schedule.Recv, schedule.Close,
		schedule.Lock, schedule.RLock, schedule.Unlock, schedule.RUnlock,
		schedule.WaitGroupAdd, schedule.CondSignal, schedule.SemRelease, schedule.Sleep:
		return true
	}
	return false
}

func isAcquire(op schedule.Op) bool { return op == schedule.Lock || op == schedule.RLock }

func isRelease(op schedule.Op) bool { return op == schedule.Unlock || op == schedule.RUnlock }

func isWriteAcquire(op schedule.Op) bool { return op == schedule.Lock || op == schedule.LockIntent }

func isWriteRelease(op schedule.Op) bool { return op == schedule.Unlock }

func isReadAcquire(op schedule.Op) bool { return op == schedule.RLock }

func isReadRelease(op schedule.Op) bool { return op == schedule.RUnlock }

func isSend(op schedule.Op) bool { return op == schedule.Send }

func isClose(op schedule.Op) bool { return op == schedule.Close }

func isRecv(op schedule.Op) bool { return op == schedule.Recv }

func none(schedule.Op) bool { return false }

const (
	// broadcast is the alt of the label of a CondSignal that wakes all.
	broadcast = -1
	// misuse is the alt of the label of a WaitGroupAdd that makes the counter
	// negative.
	misuse = -2
)

func isReceive(op schedule.Op) bool {
	return op == schedule.Recv || op == schedule.RecvClosed
}
