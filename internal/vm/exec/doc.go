// Package exec executes register code.
//
// [Interpreter.Execute] is the dispatch loop (loop.go): it executes one goroutine up to
// its next visible operation. What the loop calls is in a file for each concept:
// access.go for loads and stores, slice.go, string.go, maps.go, types.go, chan.go,
// select.go, call.go, panic.go. Functions are linked when they are first called (link.go):
// they then have numbers, their constants are words, and frequent pairs of instructions
// are fused (package variant).
//
// Registers with symbolic values are the concern of symbolic.go and of merge.go, which makes
// both sides of a small branch one expression. mapkey.go and element.go are for lookups
// at symbolic keys and indexes.
//
// A function without a Go body is a [Primitive]: it is given a [Call] with its arguments,
// and does not block or call Go code. The packages below prim have them.
package exec
