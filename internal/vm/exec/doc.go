// Package exec executes register code.
//
// [Interpreter.Execute] is the dispatch loop (loop.go): it executes one goroutine up to
// its next visible operation. What it does not do itself is in a file for each concept:
// access.go for loads and stores, slice.go, string.go, maps.go, types.go, chan.go,
// select.go, call.go, panic.go. Functions are linked when they are first called (link.go):
// they then have numbers, their constants are words, and frequent pairs of instructions
// are fused (package variant).
//
// Registers with symbolic values are handled in symbolic.go, and in merge.go, which
// represents both sides of a small branch as one expression. Accesses to maps at symbolic
// keys and to arrays at symbolic indices are in mapkey.go and element.go.
//
// A function without a Go body is implemented by a [Primitive]. It is called with a [Call],
// which holds its arguments, and neither blocks nor calls Go code. The primitives are in
// the packages below internal/vm/prim.
package exec
