// Package forest holds what a con2colic search knows of the program: the interference
// forest and the interference scenarios in it, as in section 5 of Farzan, Holzer, Razavi
// and Veith, Con2colic Testing (FSE 2013).
//
// A [Node] of the [Forest] is an event of a goroutine. The nodes of a goroutine are a tree
// (definition 5.1), with a fork wherever runs have shown that it can continue in several
// ways. A [Recorder] adds the events of runs. A [Node] that no run has shown is a dangling
// node (section 7.1): another side of a branch, another case of a select, which
// [Forest.Duals], [PendingLabels] and [Forest.Alternative] add.
//
// A [Scenario] (definitions 5.2 and 5.3) is a path in the trees of some goroutines, and an
// [Edge] for each read that takes its value from another goroutine. It stands for all runs
// with that flow of data. A [Merge] makes scenarios from others (definition 5.4, remark
// 5.5). A [Cause] names an event of a scenario that another goroutine may change when the
// scenario turns out not to be realizable.
//
// An operation is on a [Location]: a cell of memory, a lock, a channel or the like. A wide
// access is on several, and does a [Part] of its work on each.
//
// The package decides nothing: package constraint says which scenarios are realizable, and
// package frontier which of them come next.
package forest
