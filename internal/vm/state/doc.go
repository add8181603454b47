// Package state holds the state of a machine: memory, goroutines with their frames, and
// the run that is being made, as far as it has come.
//
// A [State] has what scheduling, the primitives and the dispatch loop share. A [Goroutine]
// has a stack of registers, with symbolic values beside them, and a [Frame] for each
// [Function] that it is in; [State.Park] makes it wait at a visible operation. Whatever it
// does is recorded: events (event.go), conditions of the path (condition.go), accesses to
// memory (race.go), what it has merely looked at (spin.go), and how it failed (fault.go).
// A [Mark] is a state to come back to.
package state
