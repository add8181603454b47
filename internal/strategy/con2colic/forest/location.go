package forest

import "github.com/everyway-go/everyway/internal/run"

// A LocID names a location: a cell, lock, channel or the like; 0 is none.
type LocID int32

// An Address is what an operation is on in a run.
type Address struct {
	Object run.ObjectID
	Offset int32
}

// A Location is what is known of a cell, lock, channel or the like.
type Location struct {
	Address
	// Initial is the value of a memory cell before any write that is an event.
	Initial      uint64
	InitialKnown bool
	// Capacity is that of a channel, -1 while unknown. That a channel has no buffer shows in
	// a rendezvous or a send that blocks at once.
	Capacity int
	// Timer says that a timer sends on the channel.
	Timer bool
}
