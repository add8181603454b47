package schedule

import "fmt"

//go:generate go tool stringer -type=Op -linecomment -output=op_string.go

// An Op says what an event does. Its name in reports and run files is the comment
// on its line below.
type Op uint8

// The operations. Those before Spawn, and Yield, are visible operations, as are Join, Once and
// OnceSeen; the rest mark the structure of the run, or say how values are computed.
const (
	NoOp Op = iota // none

	// Memory: plain accesses and package sync/atomic.

	Read        // read
	Write       // write
	AtomicRead  // atomic read
	AtomicWrite // atomic write
	// AtomicUpdate is a read and a write in one step: Add, Swap, and CompareAndSwap
	// when it swaps. A CompareAndSwap that fails is an AtomicRead.
	AtomicUpdate // atomic update

	// Locks.

	Lock    // lock
	Unlock  // unlock
	RLock   // read lock
	RUnlock // read unlock
	// TryFail is a TryLock that fails.
	TryFail // try lock failed
	// LockIntent is the announcement of a writer of an RWMutex, which then waits for
	// the readers that hold the lock. Later readers wait for the writer.
	LockIntent // lock announced

	// Channels. A select is the event of the case it chose, or SelectDefault.

	Send // send
	// Recv is the receive of a value that was sent.
	Recv // receive
	// RecvClosed is the receive of the zero value from a closed channel.
	RecvClosed    // receive from closed
	Close         // close
	SelectDefault // select default
	// LenChan is len or cap of a channel.
	LenChan // channel length

	// Wait groups, condition variables, semaphores.

	WaitGroupAdd  // wait group add
	WaitGroupWait // wait group wait
	// CondWait releases the lock and starts to wait.
	CondWait // cond wait
	// CondWake resumes after a signal.
	CondWake // cond wake
	// CondSignal is Signal or Broadcast.
	CondSignal // cond signal
	SemAcquire // semaphore acquire
	SemRelease // semaphore release

	// Time.

	// Sleep waits for a timer of the goroutine's own.
	Sleep // sleep
	// TimerSet starts, stops or resets a timer.
	TimerSet // timer set
	// TimerFire is the action of a timer, by no goroutine.
	TimerFire // timer fires
	// TimePass is the passing of time while no goroutine can take a step, by no goroutine.
	TimePass // time passes

	// Bubbles of testing/synctest.

	// BubbleWait is the start of synctest.Wait.
	BubbleWait // bubble wait
	// BubbleIdle resumes because everything else in the bubble is durably blocked:
	// synctest.Wait, or the goroutine that advances the bubble's time.
	BubbleIdle // bubble idle

	// Structure of the run.

	// Spawn is a go statement; Event.Child is the new goroutine.
	Spawn // go
	// Start is the first event of a goroutine.
	Start // start
	// End is the last event of a goroutine.
	End // end
	// Branch is a condition on symbolic values.
	Branch // branch
	// Assume is a condition that holds by construction and is not to be flipped.
	Assume // assume
	// Choice is a value chosen by the run: map order, pool reuse.
	Choice // choice
	// Yield is runtime.Gosched.
	Yield // yield
	// Collect is a garbage collection.
	Collect // garbage collection
	// Fail is a panic, a failed test or a fatal error.
	Fail // fail

	// Join waits for the end of a goroutine. Go has no such operation; other languages do.
	Join // join

	// Once: the function of a Do has returned. OnceSeen is a Do that found it done.

	Once     // once done
	OnceSeen // once seen

	// Values and how they are computed. They make a schedule symbolic.

	// Let is a constant.
	Let // let
	// New makes an object known.
	New // new
	// Symbol is an input.
	Symbol // symbol
	// Binary and Unary are operations on values.
	Binary // binary operation
	Unary  // unary operation
	// Call and VoidCall are calls of functions about which nothing else is in the schedule.
	Call     // call
	VoidCall // call without result
	// Enter, Exit and VoidExit are the begin and the end of a function whose events are in
	// the schedule.
	Enter    // enter
	Exit     // exit
	VoidExit // exit without result

	// Pending is the last event of a goroutine that has not ended: it says which operations the
	// goroutine is about to do, one of which it waits for if it cannot do any.
	Pending // pending

	// NumOps is the number of operations. New ones stand before it: the numbers of the others
	// are in schedules.
	NumOps
)

// IsStep reports whether op is something that a goroutine did, or a mark of its life, and not how a value is
// computed, what an object is, or what a goroutine is about to do.
func (op Op) IsStep() bool { return op < Let }

// IsPlain reports whether op is a plain access to memory, which orders nothing.
func (op Op) IsPlain() bool { return op == Read || op == Write }

// IsLock reports whether op is an operation of a mutex or of a readers-writer lock.
func (op Op) IsLock() bool { return op >= Lock && op <= LockIntent }

// MarshalText writes the name.
func (op Op) MarshalText() ([]byte, error) {
	if op >= NumOps {
		return nil, fmt.Errorf("unknown operation %d", uint8(op))
	}
	return []byte(op.String()), nil
}

// UnmarshalText reads the name.
func (op *Op) UnmarshalText(text []byte) error {
	for i := range NumOps {
		if i.String() == string(text) {
			*op = i
			return nil
		}
	}
	return fmt.Errorf("unknown operation %q", text)
}
