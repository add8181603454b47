// Package fragment says where a fragment of a program's execution begins: in the middle, with goroutines at
// instructions, in states of which something is known.
//
// A [Context] is data. Package static/initial makes one of instructions, with what a static
// analysis knows of the states in which goroutines are there; others can make one themselves. The
// machine starts in it (vm.Entry.Context), and then each run is one from a state of the context, as
// a run of a function is one with some arguments.
//
// The method is that of Bergan, Avoiding State-Space Explosion in Multithreaded Programs with
// Input-Covering Schedules and Symbolic Execution (2014), chapter 2. The state at the beginning is
// more than what runs come to, never less, but for what [Context.Assumes] says:
//
//   - What a goroutine has in registers follows from the definitions that every path goes through
//     (section 2.3.3). In static single assignment form these are the instructions that dominate
//     the one at which it is; code.Middle executes what of these only computes, and takes the
//     branches that lead there. All else is an input. What is in [Context.NotNil] and
//     [Context.Same] comes from callers.
//   - Memory is the symbolic heap of package vm/shape, which grows as it is used (section 2.4.1).
//     It is common to all goroutines, so that pointers of one may lead to what another one uses,
//     and to what code.Middle.Made has; [Context.Pointers] says which may be the same. What every
//     path has stored or loaded, and what is there still, is in [Context.Memory] (section 2.4.2):
//     code.Middle makes these stores and loads once more.
//   - Callers that are not given are not made up: a goroutine ends with its outermost frame (section 2.3.2).
package fragment
