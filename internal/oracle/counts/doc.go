// Package counts holds programs for which it is known how many executions an
// optimal search makes: one for each class of executions, where two are of one
// class when the same operations are in the same order on each object. A search
// that makes fewer misses behaviour, one that makes more does work twice.
//
// The programs are Go functions of a parameter, in testdata. [Table] lists them
// with the executions for some parameters. [Load] loads them all at once,
// [Suite.Machine] gives a machine for one of them and [Search] lets a strategy
// search it. The tests compare; bench/search takes the time.
package counts
