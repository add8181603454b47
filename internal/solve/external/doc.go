// Package external has queries answered by other solvers, each a process that
// reads SMT-LIB 2 from its standard input.
//
// A [Process] is one such solver. It is queried incrementally: what a query has in
// common with the one before, from the front, stays asserted. A [Pool] starts as
// many as are busy at the same time and can be shared by all workers of a search;
// it is a [solve.Backend].
//
// Nothing a process says is taken on trust where it can be checked: a model is
// evaluated. Its answers depend on its version and, as their time is limited by
// the clock, on the machine; so a search that uses one is repeatable only as
// far as the process is.
package external
