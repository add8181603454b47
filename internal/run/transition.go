package run

import "github.com/everyway-go/everyway/schedule"

// A Transition is a step that a goroutine or a timer can take next: a visible operation,
// and one of the ways to carry it out.
type Transition struct {
	Decision
	Op      schedule.Op
	Object  ObjectID // the object operated on; NoObject if there is none
	Offset  int32    // first cell in the object
	Cells   int32    // number of cells from Offset on (Read, Write); otherwise 1
	From    Range    // cells that a copying Write reads; otherwise From.Cells is 0
	Partner int32    // goroutine that a rendezvous completes or a signal wakes; otherwise -1
	Bubble  ObjectID // synctest bubble of the goroutine or timer; zero if it is in none
	// State is the state in which the operation finds its object: the number of elements
	// in the buffer of a channel (0 for a close), -1 if the channel is closed, the time, in
	// nanoseconds after the last quiescent point, at which a timer or sleeper is due, and
	// otherwise the content of the cell.
	//
	// Delta depends on the operation. It is the number that a WaitGroupAdd adds,
	// the capacity of the channel, the number of channels of a SelectDefault, the
	// value that a CompareAndSwap compares with, the LockKind of a lock operation,
	// the conditions that an Unlock leaves behind, the bits that make a TryLock
	// fail, the value that a spinning AtomicRead waits to see replaced, or the goroutine
	// that has set a timer.
	State, Delta int64
	// Awaits are the cells that the loop of a goroutine that spins reads; see Spins. Of a
	// SelectDefault that does not spin, they are the channels of its select if there are
	// several.
	Awaits []Range
	Site   SiteID
	// Queue is the name of a set of linked channels, zero for a channel that is linked to no
	// other; see Queued.
	Queue ObjectID

	// The flags are together, since transitions are copied at each step.

	// Spins says that the goroutine is in a loop that only reads shared state. The
	// operation is enabled once something that the loop reads has changed: one of the
	// cells in Awaits or, if there are none, the operation's own cell or channel.
	Spins      bool
	Compares   bool // a CompareAndSwap of concrete values; Op says whether it would swap now
	Select     bool // the operation is a case of a select
	Default    bool // that has a default case
	Commutes   bool // a WaitGroupAdd, an AtomicUpdate that adds, or a CondSignal that wakes nobody, that commutes with others, by Plan.AddsCommute
	Contingent bool // a rendezvous of two selects, possible as long as one of them has no case that is ready without a partner
	Enabled    bool
	// Waits says, of a communication, which side is known to wait in the queue of the
	// channel: see package queue. Of a communication without a partner, that is the goroutine
	// itself.
	Waits Waiting
	// Queued says that goroutines are known to wait at the channel, or at one that is
	// linked to it: some goroutine waited at both of them at the last quiescent point.
	Queued bool
}

// A Waiting says which goroutine of a communication is known to wait for it.
type Waiting uint8

const (
	NoneWaits     Waiting = iota
	ReceiverWaits         // the one that receives
	SenderWaits           // the one that sends
	Served                // the goroutine has waited, and another channel of its select has been closed or has got a value from a timer
)

// A Range is a range of consecutive cells of an object.
type Range struct {
	Object ObjectID
	Offset int32
	Cells  int32
}
