// Package random draws schedules and inputs at random, from a seed.
//
// Schedules are of two kinds. A random walk takes any of the possible
// operations with equal chance. Probabilistic concurrency testing (Burckhardt,
// Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs, ASPLOS 2010) runs the goroutine of the highest
// priority and lowers its priority at a few random steps; it finds a bug that
// needs d orders to be right with a probability that [Bound] gives.
//
// Inputs are the given ones, then mutations of those that covered something new.
package random
