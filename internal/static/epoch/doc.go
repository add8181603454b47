// Package epoch places the markers that cut runs of a program into bounded epochs (Bergan, section
// 3.3.1, Fig. 3.2): between two of them, a goroutine carries out a bounded number of operations of
// synchronisation.
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
// Sets of schedules are right wherever markers are. Only for epochs to be bounded does each way
// round a loop that synchronises have to pass one. The argument that a set covers all runs (package
// engine/covering) uses only this: whether a goroutine that comes to a marker stops or passes it
// depends on what it has done in the epoch, that is, on its nodes, of which passing a marker is
// one. This is true of any place.
//
// A program that is built from a set has its markers in the source, at the beginning of a body,
// while the machine has them where the code of the body begins. Two things have to be the same at
// both:
//
//   - Operations and decisions come before both or after both. The beginning of a body is that of
//     its block, before which there is no branch. The first code of an instruction of the block
//     comes before all operations of the block, also if loads come later that were before them in
//     SSA (place.EntryOf).
//   - Conditions are about values that are the same at both. In between, the program has set the
//     variables of its loop, such as i in for i = range n, and the machine may not have. A
//     condition is about what is read after the marker of the machine and before it is written. In
//     this goroutine nothing reads these variables in between. If another goroutine reads them, an
//     operation has to order that with the setting, or the program has a race; so the read comes
//     after the program's marker, too, and sees what was set. The number of iterations follows from
//     the marker, and not from a variable: the copy of a function counts those that have begun.
package epoch
