// Package epoch places the markers that cut runs of a program into bounded epochs (Bergan, section 3.3.1,
// Fig. 3.2): between two of them, a goroutine carries out a bounded number of operations of synchronisation.
//
// [Place] goes through the functions that synchronise, callees before callers, and through the loops of each, inner ones
// before outer ones. A loop that may synchronise gets a marker at the beginning of its body, unless
//
//   - it is trivial: all that it does is to wait for a condition variable, which what notifies it bounds, or to start goroutines, or to wait
//     for them, of which there is a bounded number;
//   - each iteration passes another marker: that of an inner loop, or one in a function that it calls;
//   - each iteration passes a barrier, a function that the user names. Calls of it are markers.
//
// Each of the three can be switched off.
package epoch
