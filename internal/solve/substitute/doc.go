// Package substitute simplifies a conjunction by its own equations.
//
// [Reducer.Reduce] replaces x by t in all conjuncts when one of them is x == t. What is left has fewer
// variables, may fall into independent parts, and has a model if and only if the
// conjunction has: [Reducer.Complete] extends a model of what is left to the
// variables that are gone.
package substitute
