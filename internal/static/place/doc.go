// Package place finds the instructions of a place in the source, and the places that have any.
//
// An [Index] knows the lines of the functions that a program can reach, and those of the functions
// that are declared in its files and cannot be reached. [Index.Find] gives the code at a line;
// if there is none, it says why, and which lines near by have some.
package place
