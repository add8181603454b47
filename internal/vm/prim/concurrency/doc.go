// Package concurrency has the primitives that packages sync, sync/atomic, time,
// runtime and testing/synctest wait with. Each is a visible operation: a step on the cell
// of memory, or the timer, that it is about, which is enabled when it can be carried out.
package concurrency
