package con2colic

import "github.com/everyway-go/everyway/internal/run"

// A locID names a cell, lock, channel or other thing that visible operations
// are on; 0 is none.
type locID int32

// A location is what an operation is on.
type location struct {
	object run.ObjectID
	offset int32
}

// A loc is what is known of a location.
type loc struct {
	location
	// initial is the value of a memory cell before any write that is an event.
	initial      uint64
	initialKnown bool
	// capacity of a channel, -1 while unknown. A channel without a buffer has
	// shown a rendezvous or a send that blocked at once.
	capacity int
	// timer says that a timer sends on the channel.
	timer bool
}
