package constraint

import "github.com/everyway-go/everyway/internal/strategy/con2colic/forest"

// A Blocking is an order of events that blocks an operation: it stays blocked as long as
// all of before come before it, all of after come after it, the pairs in flips are in
// their order, and none of causes is lifted.
type Blocking struct {
	Blocked forest.NodeID
	Causes  []forest.Cause
	Before  []forest.NodeID
	After   []forest.NodeID
	flips   []pair
}

// A pair is two events in their order.
type pair struct{ first, second forest.NodeID }
