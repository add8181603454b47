// Package recording makes schedules of native runs.
//
// A [Session] has the go command build tests with another version of a few files of the standard
// library, which it sees through an overlay: the hooks of the race detector in package runtime,
// channels, package sync and package sync/atomic then record what goroutines do. The compiler
// instruments plain accesses as it does for the race detector, which itself is not part of the
// program; so neither cgo nor a C compiler is needed, and all packages are recorded, whatever their
// sources. What assembly and C do to memory is not. A goroutine that C calls in a thread of its own
// is there from then on.
//
// The program writes what it records into a file that it maps into memory, so that nothing is lost if it is killed. A
// [File] is that file. [File.WriteSchedule] orders the records, and leaves out accesses to memory that
// only one goroutine uses, or to which none of them writes.
package recording
