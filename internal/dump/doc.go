// Package dump reads goroutine dumps: what a Go program prints that has crashed, that is stuck in a
// deadlock, or that was sent SIGQUIT, and what runtime.Stack and the goroutine profile of
// net/http/pprof with debug=2 have.
//
// [Parse] finds the last dump in a text, which may have anything before and after it, and returns a [Dump]: the
// goroutines with their frames, as the runtime names these. Nothing is known here of the program that has printed it;
// package engine/program finds the code.
package dump
