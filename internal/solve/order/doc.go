// Package order decides whether events can be brought into a total order that
// respects given constraints, and finds such an order.
//
// A constraint is a clause over literals "event i before event j", such as:
// this read comes after that write, or that other write before it. Constraints
// that always hold between two events, program order above all, are not
// clauses but fixed: see [Order.Fix].
//
// The clauses are those of a SAT solver, package sat; that the order has no
// cycle is a theory there. The theory keeps a graph of the events with an edge
// for each literal that is true, and a topological order of the graph. An edge
// that agrees with that order costs nothing. One that does not starts a search
// of the events between its ends, forwards and backwards, which ends with a
// cycle, whose literals explain the conflict, or with the order mended (the
// algorithm of Pearce and Kelly). Edges can go without the order being touched,
// so backtracking is free; and decisions follow the order, so that they need
// no search.
package order
