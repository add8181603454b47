// Package goroot makes modules of programs in GOROOT whose bugs are known: the tests of Go's race detector, which say
// in their names whether they have a race, and the kernels of the test of Go's goroutine leak profile, which says
// what leaks in each.
package goroot
