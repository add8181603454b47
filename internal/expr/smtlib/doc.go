// Package smtlib writes expressions in SMT-LIB 2, the language of solvers, and
// reads them.
//
// A single expression goes to text with [WriteTerm] and comes back with
// [ParseTerm]: this is how one outlives its arena. A conjunction goes to another
// solver with [WriteScript] or, command by command, with [WriteDeclarations] and
// [WriteAssertion]; package external does that. [ParseScript] reads the queries
// of a script, whoever has written it.
//
// Bits are bits: SMT-LIB has a sort Bool, expressions of package expr have
// bit-vectors of width 1, and terms turn one into the other. Floats are
// bit-vectors here and a sort there: see [Function]. Arrays are constant arrays
// with what is stored into them: see array.go.
//
// write.go prints terms; script.go reads commands, and term.go, sort.go and
// operator.go the terms in them, from the s-expressions of package sexpr.
package smtlib
