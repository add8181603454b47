// Package localsearch looks for a model of a conjunction by changing the value of one
// variable after another.
//
// A [Search] begins with values for all variables ([Search.Start]). Each move of
// [Search.Run] takes a conjunct that is false down to a variable that can mend it.
// Most satisfiable queries need a few moves; one without a model looks like a hard one.
//
// search.go has the operators on bit-vectors, float.go those on floats, and array.go
// the elements of arrays.
package localsearch
