// Package solve answers whether a conjunction of expressions is satisfiable,
// and by what.
//
// A [Solver] works over one [expr.Arena]. [Solver.Check] is given conjuncts, such
// as those of a path condition, and answers Sat with a [Model], Unsat, or Unknown
// when its budget is spent; after Unsat, [Solver.Core] names the conjuncts to
// blame. [Solver.CheckNear] looks for a model close to given values, such as
// the input of the run that a query was derived from.
//
// A query goes through these stages:
//
//   - slice.go: conjuncts that share no variable, even indirectly, are
//     independent. Each slice is answered by itself.
//   - cache.go: answers are remembered. When one branch is flipped, most slices
//     are those of the query before. A slice that contains a refuted one is
//     Unsat, too; one that a known model satisfies is Sat, if that is all the
//     caller wants to know ([Solver.Satisfiable]).
//   - package localsearch: a few steps from given values. Most satisfiable queries
//     end here.
//   - package bounds: bounds and known bits of all expressions of the slice. They
//     refute some slices, and are constants of the circuits of others.
//   - package substitute: the other conjuncts are rewritten by equations. What is
//     left can fall into slices again, of which each takes the stages above.
//   - package bitblast: the slice as a circuit of gates, and the gates as clauses for
//     package sat.
//   - retry.go: a slice for which the budget does not suffice is solved once more in
//     a fresh solver that searches elsewhere. The last resort is to make factors and
//     divisors concrete: a model found so is one, and without one the answer is
//     Unknown.
//
// solve.go and decide.go take a slice from one stage to the next. A [Backend], such
// as a pool of package external, can answer what the built-in stages cannot.
//
// The answer to a query depends on the query alone, not on those before, but for
// Unknown. So a search that is resumed, or spread over workers with arenas of
// their own, meets the same models. For that,
//
//   - every slice is solved from nothing, in an order given by the structure of
//     its conjuncts (ordered.go), and only that is remembered: a model is given
//     again for the same slice, and not for another that it satisfies;
//   - a slice that contains a refuted one has no model. From nothing the
//     answer would be Unsat, too, or Unknown where the budget does not suffice;
//   - Satisfiable gives no model. That a model satisfies a slice shows that the
//     answer from nothing would be Sat, or Unknown;
//   - a core is computed from the slice when [Solver.Core] is called.
//
// An Unknown that history has spared a search is one that would have been given
// up. The users that explore a tree call [Solver.Reset] between runs, so that
// history is that of one run: then this, too, is the same for all workers.
//
// The order of events is decided by package order, over the same core.
package solve
