package run

import "github.com/everyway-go/everyway/schedule"

// An Option is an operation that a goroutine is about to do.
type Transition struct {
	Decision
	Op      schedule.Op
	Object  ObjectID // of the primitive or cell; NoObject when there is none
	Offset  int32    // cell in the object
	Cells   int32    // number of cells from Offset on: Read, Write; else 1
	From    Range    // Write that copies: the cells it reads; otherwise From.Cells is 0
	Partner int32    // goroutine that a rendezvous or a signal completes, else -1
	Bubble  ObjectID // synctest bubble of the goroutine or timer; zero when it is in none
	// State is what the operation finds: the number of elements or, closed, -1
	// (operations on channels); otherwise what is in the cell. Delta is what an
	// WaitGroupAdd adds, the capacity (operations on channels), the number of
	// channels (SelectDefault), the value
	// compared with (Compares), which step a lock operation is (see lockKind), the
	// conditions that an Unlock leaves behind, or
	// the bits that keep a TryLock out (TryFail), or the value that a spinning
	// goroutine wants to see another than (AtomicRead).
	State, Delta int64
	// Spins says that the goroutine is in a loop that only looks at shared state: the
	// operation waits until something that the loop looks at looks otherwise. That is
	// the operation's own cell or channel or, if there are any, the cells in Awaits.
	Spins      bool
	Awaits     []Range
	Site       SiteID
	Compares   bool // a CompareAndSwap, its Op as it would turn out now, of values that are not symbolic
	Select     bool // a case of a select
	Contingent bool // a rendezvous of two selects: possible while one of them has no case ready without a partner
	Enabled    bool
}

// A Range is a run of cells of an object.
type Range struct {
	Object ObjectID
	Offset int32
	Cells  int32
}
