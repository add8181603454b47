// Package search takes a target to a verdict: it has strategies plan runs and learn from
// them, judges what the runs show, and ends when a strategy has covered everything,
// something is found or the budget is spent.
//
// A search has phases, each a strategy's turn (mix.go). A strategy that is
// [strategy.Divisible] searches in rounds of tasks, which a pool of workers explores
// (divide.go, pool.go); any other one searches alone with the first worker (alone.go). The
// state of the search, what was done and what is left, is saved while it goes on, so that
// it can be resumed (state.go, file.go), and how many runs are left is estimated
// (estimate.go). A finding is confirmed, minimised and written to disk by a worker, and
// then reported (findings.go).
//
// What a search gives is a [verdict.Result]; it calls a [verdict.Observer] as it goes on.
package search
