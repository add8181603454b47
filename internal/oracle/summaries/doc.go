// Package summaries generates functions over small structures, whose runs are compared with and
// without summaries (package internal/vm/walk). The test searches each function twice, once on a
// machine that executes all of the code and once on one that walks summaries, and compares the
// traces of all runs: inputs, conditions with their expressions, events, accesses, findings, the
// number of instructions, and the state at the end.
//
// The functions read and write numbers, pointers and small arrays of nodes that are inputs,
// compare, compute, loop, call each other, and some of them do so in two goroutines, with locks or
// without.
package summaries
