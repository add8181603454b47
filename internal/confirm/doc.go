// Package confirm has the ordinary toolchain build and run a program under the schedule of a
// recorded run, and judges whether it fails as the finding of that run says.
//
// [Confirm] has package instrument put control points into copies of the sources, builds the
// package's test binary (under the race detector for a data race) and runs it with the input of
// the run, a few times if need be. Its output decides: the message of a panic or of a failed test,
// the reports of the race detector, and for deadlocks and leaks the stacks of the goroutines that
// get no further.
package confirm
