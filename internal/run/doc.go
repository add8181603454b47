// Package run defines the data that describes a run: one execution of the program under
// test with a given input and schedule. It is what strategies, checkers, reports and the
// machine share, so that none of them needs to import another.
//
// A [Plan] gives the input of a run and the first decisions of its schedule. At each
// [SchedulingPoint] that follows, a [Scheduler] chooses one of the enabled [Transition]
// values. The machine (package vm) carries out the plan and returns a [Trace]: the
// decisions, the events, the path condition, the [Outcome], and a record of everything
// that was not treated in full. [Settings] are what all runs of a search have in common.
//
// Goroutines, objects and places in the code have identities that are the same in every
// interleaving of a path. [Names] numbers goroutines by their chains of spawns, an
// [ObjectID] consists of the allocating goroutine and its count of allocations, and a
// [SiteID] of a function and an instruction.
//
// [Dependent] is the dependence relation on transitions that partial-order reduction is
// based on: it reports whether the order of two transitions can matter.
package run
