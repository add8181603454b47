package run

import "github.com/everyway-go/everyway/schedule"

// A Goal is a state of a run: different goroutines are at all of its places at the same time. A run in
// which the goal is reached ends there.
//
// If there is more than one place, goroutines take two steps at each: they arrive, and they leave. A goroutine that
// has arrived and has not left is there. The steps are dependent with each other, so that runs in which the places
// are passed in another order are different ones.
type Goal struct {
	// Places are lists of sites: a goroutine is at a place if it is at one of them. A statement of
	// a generic function is at several.
	Places [][]SiteID
	// Waits are, for each place, the operations of its statement in which a goroutine may wait: it
	// is at the place then, too. It arrives and leaves for each part of an operation, such as Wait
	// of a condition variable, that has several.
	Waits [][]SiteID
}

// Reached describes the state in which a goal has been reached.
type Reached struct {
	// Goroutines are where the goroutines are that have reached the places of the goal, in their order.
	Goroutines []StackTrace
}

// IsStop reports whether t is a step in which a goroutine goes on from a stop (Visible.Stops) or
// from a place of the goal.
func (t *Transition) IsStop() bool {
	return t.Op == schedule.Yield && t.Delta != 0 || t.Object == GoalObject
}

// What Transition.Delta says of a goroutine at a stop.
const (
	// Stops is one at a stop of the plan. Whether it takes the jump that is the instruction there,
	// is in Transition.State.
	Stops = 1
	// Arrives is one that is about to arrive at a place of a goal, and Leaves one that is about to leave it.
	Arrives = 2
	Leaves  = 3
)

// What Transition.State says of a goroutine at a stop: whether its instruction is a conditional jump, and whether it
// will be taken. If the jump compares numbers, Transition.Offset is by how much they differ, at a stop of the plan.
const (
	NoJump   = 0
	JumpTo   = 1
	JumpPast = 2
)
