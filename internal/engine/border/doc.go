// Package border describes the states of runs at the borders of epochs, where each goroutine is at
// a marker or waits, as far as they have an influence on what synchronises from there on.
//
// A [State] has cells: numbers in registers of goroutines and in memory, which package
// synchronisation says that its slice reads. All else that matters is its shape: where goroutines
// are, which objects there are and where pointers between them lead, lengths of slices, texts, and
// how locks, wait groups, conditions and channels are. Objects are named by the order in which they
// are reached from goroutines and package variables, so that two states have equal shapes if they
// are the same up to names. What the slice does not read is left out: it can be anything.
//
// Cells can be set, also to symbolic values, so that a run goes on from another state of the same shape.
package border
