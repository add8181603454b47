package run

// The state of a RWMutex. A writer first announces itself, which keeps later
// readers out, and then waits for the readers that are in.
const (
	RWReaders = 1<<29 - 1 // number of readers
	RWWriter  = 1 << 29   // a writer has announced itself
	RWHeld    = 1 << 30   // and holds the lock
)

// A LockKind says which step of taking a lock a transition is. It is in Transition.Delta.
type LockKind int64

const (
	LockFree  LockKind = iota // takes a Mutex, or tries to
	LockFirst                 // takes a RWMutex or, when readers are in, announces the writer
	LockLast                  // takes the RWMutex that it has announced itself at
	LockTry                   // tries to take a RWMutex
	LockWhen                  // takes a monitor on conditions, which Transition.Delta has above the kind
)

// A monitor is a cell that holds the bit MonitorHeld while it is locked and, above it,
// those of the conditions that hold.
const MonitorHeld = 1

// LockKindBits is how many bits of Transition.Delta hold the LockKind.
const LockKindBits = 8

// MonitorFree reports whether a monitor in a state can be taken on some of
// conditions, or on none if that is 0.
func MonitorFree(state, conditions int64) bool {
	return state&MonitorHeld == 0 && (conditions == 0 || state&conditions != 0)
}
