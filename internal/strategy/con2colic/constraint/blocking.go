package constraint

import "github.com/everyway-go/everyway/internal/strategy/con2colic/forest"

// A Blocking is a partial order of events that blocks an operation. It stays blocked as long
// as all of Before come before it, all of After come after it, the pairs in flips are in
// their order, and none of Causes is removed.
type Blocking struct {
	Blocked forest.NodeID
	Causes  []forest.Cause
	Before  []forest.NodeID
	After   []forest.NodeID
	flips   []pair
}

// A pair is two events in their order.
type pair struct{ first, second forest.NodeID }
