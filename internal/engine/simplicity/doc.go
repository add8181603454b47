// Package simplicity says which of two inputs is the simpler one, and proposes inputs that are simpler than
// the one that a run with a finding had.
//
// An [Input] is simpler than another if its strings and slices are shorter; if it is no longer, if fewer of its
// values differ from the simplest one of their type; and else, if they differ by less. [Input.Size] measures that.
// The simplest number is 0, and others are the simpler the nearer they are to it; whole numbers are simpler than
// others. Of a string or a slice of bytes that came from a seed, the simplest byte is that of the seed at this place,
// otherwise a digit, so that what can be read remains so.
//
// [Simplify] is given a function that makes a run with an input and says whether it is a better one. It proposes ever
// simpler inputs, in the manner of delta debugging (Zeller and Hildebrandt, Simplifying and Isolating
// Failure-Inducing Input, IEEE Transactions on Software Engineering 28(2), 2002, section 3): large parts first, then
// smaller ones, then single values.
package simplicity
