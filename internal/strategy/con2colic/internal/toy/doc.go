// Package toy is a miniature of the machine for the tests of con2colic: small
// concurrent programs, an interpreter that runs them under a plan and a
// scheduler and yields traces with the meaning that package vm gives them, and
// an enumerator of all their inputs and interleavings.
//
// The interpreter and the enumerator share the transition rules in state.go.
// Neither shares code with the machine or with the strategy, so that what they
// agree on is unlikely to be a common mistake.
//
// A [Program] is a list of functions; function 0 is the main goroutine. All
// values are bytes. [Run] carries out a plan; [Enumerate] gives the least number
// of interferences with which each side of each branch can be reached;
// [Generate] draws a program from a seed.
package toy
