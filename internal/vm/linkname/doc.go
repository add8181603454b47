// Package linkname finds the function that runs in place of one without a body, because a
// go:linkname directive says so, because the linker binds the two, or because a model of
// the standard library provides it.
package linkname
