// Package schedule is the format of a recorded run: the input, the decisions
// that replay it, and the events that happened, goroutine by goroutine.
// Other programs may read, write and analyse it.
//
// A run file is JSON, one object a line: a [Header] first, then an [Event] for
// each thing that happened, in the order in which it happened. [ReadRun] and
// [WriteRun] convert between a file and a [Run]. [Version] is the version of the format.
//
// # Names
//
// Names mean the same thing in different runs of one build. A goroutine is named by its
// chain of spawns: "0" runs the target, "0.1" is the first goroutine that it starts, and
// "0.1.2" is the second one that "0.1" starts. An [Object] is named by the goroutine that
// allocated it and that goroutine's count of allocations. A position is file:line:column;
// the file is relative to the module's root, or begins with "$GOROOT/".
//
// # Input
//
// The input is a list of variables of at most 64 bits each, such as n, len(s) and s[0].
// [Variables] puts them together as the code under test sees them.
package schedule
