// Package synchronisation finds the operations with which the goroutines of a program synchronise,
// and what decides which of them a run makes.
//
// [Find] lists the operations: go statements, operations on channels, and calls of packages sync
// and sync/atomic that the program makes itself, outside of the standard library. What the standard
// library does for its own data is not among them (Bergan, section 3.4.1.2). What is not covered is
// an [Unsupported].
//
// A [Slice] has all instructions that may decide which operations are carried out, in which
// goroutine, and on which objects: it is a backward slice from the operations, over data and
// control. A branch that is not in it can go either way, and the synchronisation of the goroutine
// is the same. It is the static counterpart of the synchronisation-preserving slice of section
// 3.3.2, which is made of one run: that one's branches are among its branches, since
//
//   - what an operation depends on by control (Postdominates, in Fig. 3.3) depends on it in every
//     run (package control),
//   - what may write a variable that is read in the slice (WritesLiveVarBetween) is in the slice,
//     whichever path leads there (packages reaching and pointsto), with what decides whether it is
//     carried out,
//   - and so is what decides whether an operation is carried out on another path (SyncOpBetween),
//     as all operations are.
//
// Calls are not told apart by their callers, which makes the slice larger than it need be.
//
// Branches of which one side ends the process before it synchronises are left out (section
// 3.4.1.1): the schedule of the other side has that of this one for a beginning. So are implicit
// checks, such as that of an index, which panic. That holds if nothing recovers from a panic. A
// slice can be made that has them.
//
// A slice is no better than what is known of the sources of its values. [Slice.Sources] are those that no
// input stands for: what the time, a file or the order of a map decides.
package synchronisation
