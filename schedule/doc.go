// Package schedule reads and writes schedules of concurrent programs, and run files, which are
// schedules, too. Other programs may read, write and analyse both.
//
// # Schedules
//
// A schedule is a sequence of events, each of a goroutine: what it did to memory, locks and
// channels, what it started, and, in a symbolic schedule, how it computed values and which branches
// it took because of them. docs/format.md describes the operations and the two encodings of an
// [Event]: a line of text, or two to six bytes.
//
// A [Reader] reads a schedule in either encoding, event by event, and a [Writer] writes it. Events
// refer to names and to locations in the program by their numbers in a [Table]. A [State] follows a
// schedule: it says why an event is not possible after those before it, and from which event each
// read, receive and the like got its value. All three keep no events, so a schedule may be larger
// than memory.
//
// The language is that of symbolic schedules (Kalhauge: Hyperconcolic, M.Sc. thesis, Technical
// University of Denmark 2015), with goroutines, and with what else Go has.
//
// # Run files
//
// A run file is the recorded run of a finding. It is a schedule in the text encoding, whose
// properties say what was run, with which input, which decisions of the scheduler replay it, and
// what was found: docs/runfiles.md lists them. [ReadRun] and [WriteRun] convert between a file and
// a [Run], which has a [Header] and a [RunEvent] for each step, as reports show it. The steps
// follow from the events.
//
// [NewRun] makes a Run of the events of a schedule, and [Reader.Header] returns the header of any
// schedule. [Version] is the version of schedules and run files alike. ReadRun also reads run files
// of versions 1 and 2, which were JSON.
//
// # Names
//
// Names mean the same thing in different runs of one build. A goroutine is named by its chain of
// spawns: "0" runs the target, "0.1" is the first goroutine that it starts, and "0.1.2" is the
// second one that "0.1" starts. An [Object] is named by the goroutine that allocated it and that
// goroutine's count of allocations. [Names] follows a schedule and knows the names in it. A
// position is file:line:column; the file is relative to the module's root, or begins with
// "$GOROOT/".
//
// # Input
//
// The input is a list of variables of at most 64 bits each, such as n, len(s) and s[0]. [Variables]
// puts them together as the code under test sees them.
package schedule
