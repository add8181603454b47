// Package toy takes the place of the machine in the tests of con2colic. It has small concurrent
// programs, an interpreter that runs them under a plan and a scheduler and returns traces as
// package vm does, and an enumerator of all their inputs and interleavings.
//
// The interpreter and the enumerator share the transition rules in state.go. Neither shares
// code with the machine or with the strategy, so that a mistake is unlikely to be in both.
//
// A [Program] is a list of functions; function 0 is the main goroutine. All values are bytes.
// [Machine.Run] carries out a plan. [Enumerate] returns the least number of interferences with
// which each side of each branch can be reached. [Generate] draws a program from a seed.
package toy
