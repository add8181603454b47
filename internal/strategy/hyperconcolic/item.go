package hyperconcolic

import (
	"github.com/everyway-go/everyway/internal/run"
)

// An item is a run that has not been made: the input, and its first moves.
type item struct {
	kind  kind
	input run.Input
	// The moves are those of head, which are the first ones of run's, and then those of
	// tail. Of them, steps are steps.
	head, tail []move
	run        *runMoves // nil when the item has head to itself
	steps      int
	// edges are the places where the moves are not the default.
	edges []edge
	// flips are the conditions that were made to go another way, in order, in
	// events that were taken by default.
	flips []flip
	// path is the number of conditions that belong to other items, when that
	// does not follow from the kind.
	path int
	// preemptions counts the places among the moves at which another goroutine goes
	// on although the one before could have, as far as the run that led to the item
	// can tell.
	preemptions int32
	// late are goroutines to go on last: their next step ends the run.
	late []int32
}

// A kind says what is new about an item.
type kind uint8

const (
	root      kind = iota
	revisited      // the last step comes first at the node of the last edge
	valued         // the last move is a value other than the default
	flipped        // the input makes the last flip's condition go another way
	delayed        // the last late goroutine goes on last, from the end of the moves on
)

// An edge says that at a node, where the default is to let a goroutine go on,
// the events from position to winner come instead.
type edge struct {
	position, winner int32
	goroutine        int32
}

// A flip is a condition of the path that does not go as it went first.
type flip struct {
	event int32 // whose condition it is, -1 at the start
	index int   // in the path
	kind  run.ConditionKind
	// values are, for an address, the conditions that name the values that it had
	// before, in the text form of package expr.
	values []string
}

func (it *item) moves() int { return len(it.head) + len(it.tail) }

func (it *item) move(i int) move {
	if i < len(it.head) {
		return it.head[i]
	}
	return it.tail[i-len(it.head)]
}
