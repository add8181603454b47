// Package racing generates functions in which two goroutines work on the objects that their
// parameters lead to, with locks at some of the accesses. The tests compare the races that strategy
// racing confirms in them with those that an exhaustive search finds, over every shape to a bound.
package racing
