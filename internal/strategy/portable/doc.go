// Package portable writes what a search has left to do, and reads it again: in the same process or
// in another one, for the same build.
//
// The form is a list of numbers, as varints, and strings, preceded by their lengths. Goroutines, which have other
// numbers in another process, are numbered in the order in which they appear; their names come first.
package portable
