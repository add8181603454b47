package con2colic

import "github.com/everyway-go/everyway/schedule"

// onLocation reports whether events of op are on a location.
func onLocation(op schedule.Op) bool {
	return op >= schedule.Read && op <= schedule.TimerFire && op != schedule.SelectDefault
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

// interferes reports whether taking a value from another goroutine by a read of
// op counts as an interference.
func interferes(op schedule.Op) bool { return op != schedule.TryFail && op != schedule.LockIntent }

func isAcquire(op schedule.Op) bool { return op == schedule.Lock || op == schedule.RLock }

func isRelease(op schedule.Op) bool { return op == schedule.Unlock || op == schedule.RUnlock }

const (
	// broadcast is the alt of the label of a CondSignal that wakes all.
	broadcast = -1
	// misuse is the alt of the label of a WaitGroupAdd that makes the counter
	// negative.
	misuse = -2
)
