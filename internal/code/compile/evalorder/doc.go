// Package evalorder gives the instructions of go/ssa functions the order of evaluation
// of the gc compiler.
//
// When a statement reads a variable and also calls functions, the Go specification
// leaves open which comes first ("Order of evaluation"). Package go/ssa reads from left
// to right; gc makes all calls and receives of the statement first, and reads what else
// the statement needs when they are done (cmd/compile/internal/walk, order.go). So for
//
//	return id, parse(text, &id)
//
// they give different results, and a program that never fails under go test would fail.
// [Function.Instrs] returns the instructions of a block in gc's order: those that only
// select, load and compute are delayed until an instruction of the same statement that
// gc does not delay needs their values. The operands of len, append, slice expressions
// and conversions to []byte, for instance, are read where they stand.
//
// What gc itself does in one way or another, depending on its flags (a map lookup, a
// type assertion, the conversion of a struct to an interface), stays where go/ssa has
// it, and so do statements that extend over several blocks: those with && and ||.
//
// [Function.Unevaluated] finds what gc does not evaluate at all, and [StoresBack] the stores that go/ssa adds.
package evalorder
