// Package schedule is a language for schedules of concurrent programs, and the format of run
// files. Other programs may read, write and analyse both.
//
// # Schedules
//
// A schedule is a sequence of events, each of a goroutine: what it did to memory, locks and
// channels, what it started, and, in a symbolic schedule, how it computed values and which
// branches it took because of them. docs/schedules.md describes the operations and the
// two encodings of an [Event], as a line of text and in binary, which takes two to six bytes.
//
// A [Reader] reads a schedule in either encoding, event by event, and a [Writer] writes it.
// Events refer to names and to locations in the program by their numbers in a [Table]. A [State]
// follows a schedule: it says why an event is not possible after those before it, and
// from which event each read, receive and the like got its value. All three keep no events, so
// that a schedule may be longer than memory.
//
// The language is that of symbolic schedules (Kalhauge: Hyperconcolic, M.Sc. thesis, Technical
// University of Denmark 2015), with goroutines, and with what else Go has.
//
// # Run files
//
// A run file is the recorded run of a finding: the input, the decisions that replay it, and the
// events that reports show. It is JSON, one object a line: a [Header] first, then a [RunEvent] for
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
