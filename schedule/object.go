package schedule

// An ObjectKind says what an object is. Its name in the text is the comment on its line.
type ObjectKind uint8

//go:generate go tool stringer -type=ObjectKind,LockKind -linecomment -output=kind_string.go

// The kinds of objects.
const (
	// Memory consists of cells. Locks, wait groups, condition variables, semaphores and atomic
	// variables are cells of memory.
	Memory ObjectKind = iota // memory
	// Channel is a channel; Event.Number of its New is the capacity.
	Channel // chan
	// TimerObject is a timer that calls a function. A timer that sends is its channel.
	TimerObject // timer
	// Bubble is a bubble of testing/synctest.
	Bubble // bubble
	// Environment is what is outside of memory and changes by itself, such as a clock.
	Environment // environment

	numObjectKinds
)

// A LockKind says what a lock is. Its name in the text is the comment on its line.
type LockKind uint8

// The kinds of locks.
const (
	Mutex     LockKind = iota // mutex
	RWMutex                   // rwmutex
	Monitor                   // monitor
	Reentrant                 // reentrant

	numLockKinds
)
