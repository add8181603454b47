// Package gated compares exhaustive searches with each other on programs whose races depend on who did
// something first.
//
// [Generate] draws a [Program] from a seed. One of two goroutines that are alike, or one goroutine at one of
// two times, accesses an object, with or without a lock. Then it passes a gate: it adds to a counter, or
// sends. Another goroutine, or a timer, looks at the gate, and accesses the object in another way if it is
// open. So two orders lead to states that differ in little more than who knows of the first access: what
// a search may forget of a state, and under which names states are the same, decides whether it
// finds the race.
//
// [Compare] searches the programs with the strategy that remembers states, with all its reductions, and with
// the one that makes a run for each class of orders, without any. The verdicts must be the same.
package gated
