package frontier

import (
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/schedule"
)

// produces reports whether other goroutines can read from events of op or wait for them.
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

// feeds reports whether an event of op read can take its value from one of op write.
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
	return dependence.IsRead(read) && dependence.IsWrite(write)
}

// enables reports whether an event of op enabler can enable one of op blocked, or keep it
// from being a misuse.
func enables(enabler, blocked schedule.Op) bool {
	switch blocked {
	case schedule.Lock:
		return enabler == schedule.Unlock || enabler == schedule.RUnlock
	case schedule.RLock:
		return enabler == schedule.Unlock || enabler == schedule.RUnlock
	case schedule.Send, schedule.Recv, schedule.RecvClosed:
		return enabler == schedule.Recv
	case schedule.SelectDefault:
		return enabler == schedule.Recv || enabler == schedule.Send
	case schedule.Unlock:
		return enabler == schedule.Lock
	case schedule.RUnlock:
		return enabler == schedule.RLock
	case schedule.WaitGroupWait, schedule.WaitGroupAdd:
		return enabler == schedule.WaitGroupAdd
	case schedule.CondWake:
		return enabler == schedule.CondSignal
	case schedule.SemAcquire:
		return enabler == schedule.SemRelease
	case schedule.Sleep:
		return enabler == schedule.Sleep // one that ends earlier
	}
	return false
}
