// Package solve answers whether a conjunction of expressions is satisfiable,
// and by what.
//
// A [Solver] works over one [expr.Arena]. [Solver.Check] is given the conjuncts
// of a path condition, say, and answers Sat with a [Model], Unsat, or Unknown
// when its budget is spent; after Unsat, [Solver.Core] names the conjuncts to
// blame. [Solver.CheckNear] looks for a model close to given values, such as
// the input of the run that a query was derived from.
//
// A query goes through these stages, each in a file of its own:
//
//   - slice.go: conjuncts that share no variable, even indirectly, are
//     independent. Each slice is answered by itself and remembered; when one
//     branch is flipped, most slices are those of the query before.
//   - guess.go, guessfloat.go, guessarray.go: a few steps of local search. A violated conjunct
//     is followed down to a variable that can mend it. Most satisfiable queries
//     end here.
//   - blast.go, words.go, float.go, circuit.go: the slice as a circuit of gates,
//     and the gates as clauses for package sat; array.go adds clauses about what is
//     read from arrays as models violate them.
//
// The answer to a query depends on the query alone, not on those before:
// every slice is solved from nothing, in an order given by the structure of
// its conjuncts, and what is remembered is just that. So a search that is
// resumed, or spread over workers with arenas of their own, meets the same
// models.
//
// The order of events is decided by package order, over the same core.
package solve
