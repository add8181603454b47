// Package con2colic is the search strategy of Farzan, Holzer, Razavi and Veith,
// Con2colic Testing (FSE 2013), extended to Go's goroutines, channels and
// package sync. It covers branches in the order of the number of interferences
// that they need.
//
// An interference is a read of a value that another goroutine wrote, or the
// receipt of one that it sent. What a goroutine does follows from the inputs
// and from the values it reads; so an interference scenario, the local paths of
// some goroutines and the interferences between them, stands for all runs with
// that flow of data. The search keeps all local paths it has seen in a tree,
// the interference forest (forest.go, scenario.go). Where a path could have gone
// another way, by a branch or another case of a select, there is a dangling
// node; the scenario that leads to it is a candidate.
//
// A candidate is checked twice (section 6 of the paper). Its data constraint
// (data.go) says that the branches go its way when each read yields what the
// scenario's write wrote; a solution is an input. Its temporal constraint
// (temporal.go, enabled.go) says that the events can be ordered so that each read
// does come after its write and no operation is blocked; a solution is a
// schedule. With both, the candidate is run (follower.go) and the goroutine of
// its sink goes on alone, which shows new dangling nodes. Without, the
// unsatisfiable core tells which reads have to read something else, or which
// operations have to be enabled, and the candidate is extended (explore.go).
// Candidates of degree k, that is with k interferences, come before those of
// degree k+1 (con2colic.go).
//
// Most candidates are not realizable, and three things beyond section 7.5 of the
// paper keep them cheap. A branch that depends on constants only, such as what was
// written before there was another goroutine, is decided without the solver, and is
// no candidate until a read on which it depends can take another value
// (constants.go). A core that was found once refutes every other scenario that
// contains it (conflict.go). And interferences that are circular, in which an event
// would come before itself, make no scenario (scenario.go).
//
// Waiting is an order, not an interference. An operation that is blocked when
// its goroutine runs alone is a dangling node like any other; the core then
// names the operation, and the candidate is extended by one of another
// goroutine that may enable it, at the same degree. A wait for a wait group takes
// one of each of many goroutines (join.go). What waits for time to pass is run
// together with all that can still happen before (wide.go).
//
// Two things are beyond the constraints. A read without a symbol, of a map for
// one, is tried with every write there is (explore.go). Which plain variables are
// shared is found out on the way; a new one makes the search begin again, with
// its accesses visible.
//
// What is covered up to a degree is what an enumeration of all inputs and
// interleavings covers with that many interferences: the tests check it on
// generated programs, with a toy of their own in the place of the machine.
package con2colic
