// Package exprtest has expressions for tests, and what they mean.
//
// A [Tree] is an expression before any simplification. [Tree.Build] makes it in
// an arena, and [Tree.Eval] computes it straight from the definitions of SMT-LIB
// and IEEE 754, over big numbers. Trees are written in a notation of their own
// ([Parse]) or made of random bytes ([Program]).
package exprtest
