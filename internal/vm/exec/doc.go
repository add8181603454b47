// Package exec executes register code.
//
// [Interpreter.Execute] is the dispatch loop (loop.go): it executes one goroutine up to
// its next visible operation. What it does with values (loads and stores, slices, strings,
// maps, interfaces) is in package value. The rest is in a file for each concept: chan.go,
// select.go, call.go, panic.go. Functions are linked when they are first called (link.go):
// they then have numbers, their constants are words, and frequent pairs of instructions
// are fused (package variant).
//
// Registers with symbolic values are handled in symbolic.go, and in merge.go, which
// represents both sides of a small branch as one expression.
//
// A function without a Go body is implemented by a [Primitive]. It is called with a [Call],
// which holds its arguments, and neither blocks nor calls Go code. The primitives are in
// the packages below internal/vm/prim.
package exec
