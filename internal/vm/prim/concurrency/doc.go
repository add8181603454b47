// Package concurrency implements the primitives of packages sync, sync/atomic, time,
// runtime and testing/synctest by which goroutines synchronise. Each of them is a visible
// operation on a memory cell, a timer, the clock or a bubble, and is enabled when it can
// be carried out.
package concurrency
