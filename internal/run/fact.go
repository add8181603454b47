package run

// What a run did that a judgement of it rests on. These are facts: package check
// says what is wrong with a run that shows them.

// A StackTrace says where a goroutine was.
type StackTrace struct {
	Goroutine int32
	Site      SiteID  // the place in the code under test
	Frames    []Frame // the innermost first
}

// A Frame is a line of a call stack.
type Frame struct {
	Func string
	Site SiteID
}

// A Failure is something that the program said of itself where it went wrong.
type Failure struct {
	StackTrace
	Message string // as Go prints it, without the goroutine dump
}

// An Exit is the end of a run by os.Exit with a status that is not zero.
type Exit struct {
	StackTrace
	Status int
}

// Stuck says that goroutines of a run would never have got further.
type Stuck struct {
	// Returned says that the target had returned.
	Returned bool
	// Period is the number of steps after which the state of the whole program
	// repeats under this schedule, 0 when nothing was possible any more.
	Period int
	// Goroutines are those that had not ended or, when the state repeats, that
	// took part in it.
	Goroutines []StuckGoroutine
}

// A StuckGoroutine is a goroutine that would never have got further.
type StuckGoroutine struct {
	StackTrace
	Spins bool   // it waits in a loop that only looks at shared state
	For   string // what it waits for, in the words of a Go goroutine dump where it has some; what it looks at when it spins
}

// An AccessPair is a pair of accesses to the same cell of memory, at least one of
// them a write and not both atomic, that happens-before does not order.
type AccessPair struct {
	Earlier, Later MemoryAccess
}

// A MemoryAccess is an access to memory.
type MemoryAccess struct {
	StackTrace
	Write bool
}
