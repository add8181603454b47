package run

import "github.com/everyway-go/everyway/schedule"

// A Transition is a step that a goroutine, or a timer, is about to take: one visible
// operation, with one of the ways in which it can be carried out.
type Transition struct {
	Decision
	Op      schedule.Op
	Object  ObjectID // of the primitive or cell; NoObject when there is none
	Offset  int32    // cell in the object
	Cells   int32    // number of cells from Offset on: Read, Write; else 1
	From    Range    // Write that copies: the cells it reads; otherwise From.Cells is 0
	Partner int32    // goroutine that a rendezvous or a signal completes, else -1
	Bubble  ObjectID // synctest bubble of the goroutine or timer; zero when it is in none
	// State is what the operation finds: the number of elements of a channel, -1
	// when it is closed, and otherwise what is in the cell.
	//
	// Delta depends on the operation. It is the number that a WaitGroupAdd adds,
	// the capacity of the channel, the number of channels of a SelectDefault, the
	// value that a CompareAndSwap compares with, the LockKind of a lock operation,
	// the conditions that an Unlock leaves behind, the bits that make a TryLock
	// fail, or the value that a spinning AtomicRead waits to see replaced.
	State, Delta int64
	// Spins says that the goroutine is in a loop that only reads shared state: the
	// operation is enabled once something that the loop reads has changed. That is
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
