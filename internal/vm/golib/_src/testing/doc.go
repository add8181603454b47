// Package testing is Go's package testing as a test sees it. What runs the tests
// is the engine outside: it starts one target, by one of the functions in
// entry.go, and learns what came of it through the functions without a body.
//
// The target runs on the first goroutine, subtests and fuzz callbacks on
// goroutines of their own, as in Go. The inputs of a fuzz callback are drawn
// from the run, by input.go.
package testing
