package forest

import "github.com/everyway-go/everyway/schedule"

// onLocation reports whether events of op are on a location.
func onLocation(op schedule.Op) bool {
	return op >= schedule.Read && op <= schedule.TimerFire && op != schedule.SelectDefault
}

// Reads reports whether an event of op takes something from an event of another
// kind: a value, the fact that a channel is closed, or that a lock is held.
func Reads(op schedule.Op) bool {
	switch op {
	case schedule.Read, schedule.AtomicRead, schedule.AtomicUpdate, schedule.Recv, schedule.RecvClosed, schedule.TryFail, schedule.LockIntent:
		return true
	}
	return false
}

// ReadsCell reports whether op reads memory.
func ReadsCell(op schedule.Op) bool {
	return op == schedule.Read || op == schedule.AtomicRead || op == schedule.AtomicUpdate
}

// Writes reports whether op writes memory.
func Writes(op schedule.Op) bool {
	return op == schedule.Write || op == schedule.AtomicWrite || op == schedule.AtomicUpdate
}

// Interferes reports whether taking a value from another goroutine by a read of
// op counts as an interference.
func Interferes(op schedule.Op) bool { return op != schedule.TryFail && op != schedule.LockIntent }

func IsAcquire(op schedule.Op) bool { return op == schedule.Lock || op == schedule.RLock }

func IsRelease(op schedule.Op) bool { return op == schedule.Unlock || op == schedule.RUnlock }

const (
	// Broadcast is the alt of the label of a CondSignal that wakes all.
	Broadcast = -1
	// Misuse is the alt of the label of a WaitGroupAdd that makes the counter
	// negative.
	Misuse = -2
)
