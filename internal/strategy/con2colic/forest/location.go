package forest

import "github.com/everyway-go/everyway/internal/run"

// A LocID names a cell, lock, channel or other thing that visible operations
// are on; 0 is none.
type LocID int32

// A location is what an operation is on.
type Address struct {
	Object run.ObjectID
	Offset int32
}

// A loc is what is known of a location.
type Location struct {
	Address
	// Initial is the value of a memory cell before any write that is an event.
	Initial      uint64
	InitialKnown bool
	// Capacity of a channel, -1 while unknown. A channel without a buffer has
	// shown a rendezvous or a send that blocked at once.
	Capacity int
	// Timer says that a timer sends on the channel.
	Timer bool
}
