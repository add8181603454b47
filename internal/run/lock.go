package run

// The state of a RWMutex. A writer first announces itself, which keeps later readers
// out, and then waits for the readers that hold the lock.
const (
	RWReaders = 1<<29 - 1 // number of readers
	RWWriter  = 1 << 29   // a writer has announced itself
	RWHeld    = 1 << 30   // a writer holds the lock
)

// A LockKind says which step of taking a lock a transition is. It is in Transition.Delta.
type LockKind int64

const (
	LockMutex       LockKind = iota // takes a Mutex, or tries to take it
	LockRW                          // takes a RWMutex or, while readers hold it, announces the writer
	LockRWAnnounced                 // takes the RWMutex at which it has announced itself
	LockRWTry                       // tries to take a RWMutex
	LockMonitor                     // takes a monitor on conditions, whose bits are above the kind in Transition.Delta
)

// MonitorHeld is the bit of a monitor's cell that is set while the monitor is locked. The
// bits above it are those of the monitor's conditions, set while a condition holds.
const MonitorHeld = 1

// LockKindBits is how many bits of Transition.Delta hold the LockKind.
const LockKindBits = 8

// MonitorFree reports whether a monitor in the given state can be taken: it is not
// locked, and one of conditions holds unless conditions is 0.
func MonitorFree(state, conditions int64) bool {
	return state&MonitorHeld == 0 && (conditions == 0 || state&conditions != 0)
}
