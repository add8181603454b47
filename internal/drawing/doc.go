// Package drawing shows the shape of the objects that are inputs of a run: as a tree of text, as a graph in the DOT
// language, and as Go statements that build it.
//
// [Of] puts the inputs together: those whose names begin with &2 are the parts of the second
// object, and the value of a pointer says to which object it leads. The objects of package shape's
// symbolic heap are meant.
package drawing
