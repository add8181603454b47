// Package bounds bounds the values of expressions in all models of a conjunction.
//
// [Analysis.Refute] takes what each conjunct implies for its operands down to the
// variables, and what these imply up again, until nothing changes. Where no value
// is left for an expression, there is no model. Otherwise [Analysis.Range] and
// [Analysis.KnownBits] return what has been found out.
//
// domain.go has the sets of values and the operators on them, forward.go and
// backward.go the way from operands to results and back.
package bounds
