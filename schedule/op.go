package schedule

// An Op says what an event does.
type Op uint8

// The operations. Those before Spawn, and Yield, are visible operations; the rest
// mark the run's structure.
const (
	NoOp Op = iota

	// Memory: plain accesses and package sync/atomic.
	Read
	Write
	AtomicRead
	AtomicWrite
	AtomicUpdate // read and write in one step: Add, Swap, CompareAndSwap that swaps; one that fails is an AtomicRead

	// Locks. A TryLock that fails is a TryFail.
	Lock
	Unlock
	RLock
	RUnlock
	TryFail
	LockIntent // of a RWMutex: a writer announces itself and now waits for the readers that are in; later readers wait for it

	// Channels. A select is the event of the case it chose, or SelectDefault.
	Send
	Recv       // of a sent value
	RecvClosed // of the zero value of a closed channel
	Close
	SelectDefault
	LenChan // len or cap of a channel

	// Wait groups, condition variables, semaphores.
	WaitGroupAdd
	WaitGroupWait
	CondWait   // gives up the lock and starts to wait
	CondWake   // goes on after a signal
	CondSignal // Signal or Broadcast
	SemAcquire
	SemRelease

	// Time.
	Sleep     // waits for a timer of its own
	TimerSet  // start, stop or reset of a timer
	TimerFire // the timer's action, by no goroutine

	// Bubbles of testing/synctest.
	BubbleWait // synctest.Wait begins to wait
	BubbleIdle // goes on because all else in the bubble is durably blocked: synctest.Wait, or the goroutine that moves the bubble's time

	// Structure of the run.
	Spawn  // go statement; Event.Other is the new goroutine
	Start  // first event of a goroutine
	End    // last event of a goroutine
	Branch // a condition on symbolic values
	Assume // a condition that holds by construction and is not to be flipped
	Choice // a value chosen by the run: map order, pool reuse
	Yield  // runtime.Gosched
	Fail   // a panic, a failed test, a fatal error
	NumOps
)
