// Package state holds the state of a machine: memory, goroutines with their frames, and
// the run that is in progress.
//
// A [State] is what the scheduler, the primitives and the dispatch loop share. A
// [Goroutine] has a stack of registers, with symbolic values beside them, and a [Frame]
// for each active call of a [Function]. [State.Park] makes it wait at a visible operation.
//
// A State also records what the goroutines do: events (event.go), the path condition
// (condition.go), accesses to memory (race.go), steps that only read (spin.go), and
// failures (fault.go). [State.CheckpointState] returns a [Mark], to which
// [State.RewindState] takes the state back.
package state
