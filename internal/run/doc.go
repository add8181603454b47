// Package run holds the data of a run: what strategies, checkers and the machine
// share, without any of them knowing another.
//
// A [Plan] says how a run is to go: the input, and the first decisions of its
// schedule. A [Scheduler] takes the decisions that the plan leaves open, at each
// [SchedulingPoint] among the [Transition] values that are enabled there. The machine
// (package vm) carries the plan out and yields a [Trace]: decisions, events, the
// path condition, how the run ended, and what was given up. [Settings] are what all runs of a
// search have in common.
//
// Goroutines and objects have the same identity in every interleaving of a path:
// [Names] numbers goroutines by their chains of spawns, an [ObjectID] is a
// goroutine and its count of allocations, a [SiteID] a function and an instruction.
//
// [Dependent] is the relation on transitions that partial-order reduction is
// built on: whether the order of two of them can matter.
package run
