// Package sat decides propositional formulas in conjunctive normal form: a
// conflict-driven clause-learning solver in the line of MiniSat.
//
// Clauses are added at any time; [Solver.Solve] looks for a model of all of
// them under some assumptions. After [Sat], [Solver.Value] gives the model;
// after [Unsat], [Solver.Core] gives the assumptions that were to blame. A
// [Theory] judges assignments by more than clauses: the order of events is
// one.
//
// The solver is deterministic. Its answers depend on the calls made since New
// or [Solver.Reset], in their order, and on nothing else; work is limited by a
// budget of counted steps, not by time.
//
// solver.go holds the state and the search, propagate.go the two watched
// literals, analyze.go learning from a conflict, reduce.go forgetting what was
// learned, heap.go the order of decisions. An answer of unsat comes with a proof on
// request (proof.go), which checker.go checks.
package sat
