// Package epoch places the markers that cut runs of a program into bounded epochs (Bergan, section 3.3.1,
// Fig. 3.2): between two of them, a goroutine carries out a bounded number of operations of synchronisation.
//
// [Place] goes through the functions that synchronise, callees before callers, and through the
// loops of each, inner ones before outer ones. A loop that may synchronise gets a marker at the
// beginning of its body, unless
//
//   - it is trivial: all that it does is to wait for a condition variable, which what notifies it
//     bounds, or to start goroutines, or to wait for them, of which there is a bounded number;
//   - each iteration passes another marker: that of an inner loop, or one in a function that it calls;
//   - each iteration passes a barrier, a function that the user names. Calls of it are markers.
//
// Each of the three can be switched off.
//
// # Where in its loop a marker may be
//
// Sets of schedules are right wherever markers are; that epochs are bounded needs that each way
// round a loop which synchronises passes one. The argument that a set covers all runs (package
// engine/covering) takes of a marker only that a goroutine which comes there stops, or passes it,
// by what it has done in the epoch: by its nodes, of which passing a marker is one. That is so for
// any place.
//
// What is built from a set has its markers in the source, at the beginning of a body, and the
// machine has them where the code of the body begins. Two things have to be the same at both.
// First, operations and decisions come before both or after both: the beginning of a body is that
// of its block, where there is no branch, and the first code that an instruction of the block has
// is before all operations of it, also if loads come later that were before them in SSA
// (place.EntryOf). Secondly, conditions have to be about values that are the same at both. In
// between, the program has set the variables of its loop, as i in for i = range n, and the machine
// may have it still to do. A condition is about what is read after the marker of the machine,
// before it is written. In this goroutine nothing reads these variables in between; and what
// another goroutine reads of them has to be ordered with their being set, by an operation, so that
// it comes after the program's marker, too, and sees what was set, or the program has a race. What
// the number of iterations is follows from the marker, and not from a variable: the copy of a
// function counts those that have begun.
package epoch
