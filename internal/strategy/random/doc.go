// Package random draws schedules and inputs at random, from a seed.
//
// A [Sampling] says how schedules are drawn. A random walk ([run.RandomWalk]) takes each
// enabled transition with equal probability. [PCT] runs the goroutine with the highest
// priority and lowers priorities at a few random steps; it finds a bug that depends on d
// orders with at least the probability [Bound], which Status reports. [POS] gives priorities
// to operations, so that different partial orders come up more evenly. [SURW] makes all
// orders of selected operations equally likely.
//
// Inputs are the seeds, then mutations (package mutate) of those that covered something new.
package random
