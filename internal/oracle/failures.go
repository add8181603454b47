package oracle

// The failures that are not those of one body.
const (
	Deadlock = "deadlock"
	Leak     = "leak"
	// The panics of synctest.Test.
	BubbleBlocked = "panic: deadlock: all goroutines in bubble are blocked"
	BubbleRemains = "panic: deadlock: main bubble goroutine has exited but blocked goroutines remain"
)

// Negative is the failure of who takes too much from a wait group.
const Negative = "panic: sync: negative WaitGroup counter"

// LateLog is the failure of a goroutine that writes to the log of a test that is done.
const LateLog = "panic: Log in goroutine after the test has completed"
