// Package random draws schedules and inputs at random, from a seed.
//
// Schedules are drawn in one of the ways that [Sampling] names. A walk takes any
// of the possible operations with equal chance. [PCT] runs the goroutine with the
// highest priority and lowers priorities at a few random steps; it finds a bug
// that needs d orders to be right with a probability that [Bound] gives, and
// Status promises. [POS] gives priorities to operations, so that orders that make
// a difference come up more evenly. [SURW] makes all orders of some operations
// equally likely.
//
// Inputs are the given ones, then mutations (package mutate) of those that
// covered something new.
package random
