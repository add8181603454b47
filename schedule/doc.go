// Package schedule is the format of a recorded run: the input, the decisions
// that replay it, and the events that happened, goroutine by goroutine.
//
// A run file is JSON, one object a line: a [Header] first, then an [Event] for
// each thing that happened, in the order in which it happened. [ReadRun] and
// [WriteRun] convert between a file and a [Run]. Names mean the same thing in
// different runs of one build: a goroutine is named by its chain of spawns
// ("0", "0.1", "0.1.2"), an object by the goroutine that allocated it and that
// goroutine's count of allocations.
//
// Others may write and analyse this format; Version says which one it is.
package schedule
