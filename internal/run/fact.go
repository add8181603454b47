package run

// The types below describe what a run did that may be a bug. They state facts only:
// package check decides what is wrong with a run.

// A StackTrace says where a goroutine was.
type StackTrace struct {
	Goroutine int32
	Site      SiteID  // the place in the code under test
	Frames    []Frame // innermost first
	Events    int     // number of events of the trace before it, if Plan.Record is set
}

// Innermost returns the site that the goroutine was at, which may be in the standard library.
func (t *StackTrace) Innermost() SiteID {
	if len(t.Frames) == 0 {
		return t.Site
	}
	return t.Frames[0].Site
}

// A Frame is a line of a call stack.
type Frame struct {
	Func string
	Site SiteID
}

// A Failure is an error that the program itself reported: a panic, a fatal error or a
// failure of the test.
type Failure struct {
	StackTrace
	Message string // as Go prints it, without the goroutine dump
	Test    string // of a failure of the test: the name of the test or subtest, if it is known
	Again   bool   // by Fail or FailNow of a test that had failed before, or a subtest of it
}

// A Subtest is a subtest that was run, on a goroutine of its own.
type Subtest struct {
	Goroutine int32
	Name      string // as T.Name returns it
}

// An Exit is the end of a run by os.Exit with a status that is not zero.
type Exit struct {
	StackTrace
	Status int
	// OfTests says that TestMain has exited after it had run the tests, so that the status may say
	// how these have ended.
	OfTests bool
}

// Stuck describes goroutines of a run that could never have made progress again.
type Stuck struct {
	// Returned says whether the target had returned.
	Returned bool
	// Period is the number of steps after which the state of the whole program
	// repeats under this schedule. It is 0 if no transition was enabled any more.
	Period int
	// InStep says that a goroutine never ends its step, since its own state repeats.
	InStep bool
	// Partial says that other goroutines could have gone on, but none that could have
	// woken one of these.
	Partial bool
	// Goroutines are the goroutines that had not ended or, if the state repeats, those
	// that took part in the cycle or, if Partial is set, those that nothing could wake.
	Goroutines []StuckGoroutine
}

// Repeats reports whether goroutines go on for ever and come back to the same state.
func (s *Stuck) Repeats() bool { return s.Period > 0 || s.InStep }

// A StuckGoroutine is a goroutine that could never have made progress again or, if the
// target had returned, one that remained.
type StuckGoroutine struct {
	StackTrace
	Waker Waker
	Spins bool // it waits in a loop that only reads shared state
	// For is what the goroutine waits for, in the words of Go's goroutine dump where it
	// has any. For a goroutine that spins it is what the loop reads.
	For string
}

// An AccessPair is a pair of accesses to the same memory cell that happens-before does
// not order. At least one of them is a write, and they are not both atomic.
type AccessPair struct {
	Earlier, Later MemoryAccess
}

// A MemoryAccess is an access to memory, or to a channel: its close is a write, and a send a read.
type MemoryAccess struct {
	StackTrace
	Write bool
}

// A Waker says what could wake a goroutine that remains when the target has returned.
type Waker uint8

// The wakers.
const (
	NoWaker       Waker = iota // nothing: nothing that is live can reach what it waits for
	VariableWaker              // package variables can reach what it waits for, but no goroutine that lives on timers can; or a package initialiser started it
	TimerWaker                 // it waits for time to pass, or for something that a timer or a goroutine that lives on timers can reach
	Running                    // none is needed: it could have taken steps when the run was cut short
)
