package forest

import "github.com/everyway-go/everyway/schedule"

// onLocation reports whether events of op are on a location.
func onLocation(op schedule.Op) bool {
	return op >= schedule.Read && op <= schedule.TimerFire && op != schedule.SelectDefault
}

// Reads reports whether an event of op depends on an event of another kind: on the value
// that it wrote, on its having closed the channel or taken the lock.
func Reads(op schedule.Op) bool {
	switch op {
	case schedule.Read, schedule.AtomicRead, schedule.AtomicUpdate, schedule.Recv, schedule.RecvClosed, schedule.TryFail, schedule.LockIntent:
		return true
	}
	return false
}

// Interferes reports whether a read of op that takes its value from another goroutine counts
// as an interference.
func Interferes(op schedule.Op) bool { return op != schedule.TryFail && op != schedule.LockIntent }

// IsAcquire reports whether op acquires a lock.
func IsAcquire(op schedule.Op) bool { return op == schedule.Lock || op == schedule.RLock }

// IsRelease reports whether op releases a lock.
func IsRelease(op schedule.Op) bool { return op == schedule.Unlock || op == schedule.RUnlock }

const (
	// Broadcast is the Alt of a CondSignal that wakes all.
	Broadcast = -1
	// Misuse is the Alt of a WaitGroupAdd that makes the counter negative.
	Misuse = -2
)
