// Package border describes the states in which epochs begin and end, as far as they decide what
// synchronises from there on. At such a border, each goroutine is at a marker or waits.
//
// A [State] has cells: numbers in registers of goroutines and in memory that the slice of package
// synchronisation reads. All else that matters is its shape: where goroutines are, which objects
// there are and where pointers between them lead, lengths of slices, texts, and the states of
// locks, wait groups, conditions and channels. Objects are named by the order in which they are
// reached from goroutines and package variables, so two states have equal shapes if they are the
// same up to names. What the slice does not read can be anything, and is left out.
//
// Cells can be set, also to symbolic values, so that a run goes on from another state of the same
// shape.
package border
