// Package generational searches inputs: it runs the target on an input and then
// asks, for each condition that the run met, for an input that comes that far and goes
// the other way (Godefroid, Levin, Molnar: Automated Whitebox Fuzz Testing, NDSS
// 2008). The inputs to begin with are those given, and the empty one.
//
// All runs take the same schedule, the one that switches between goroutines only when
// it must. So this is the search for code that is about its input, such as a
// parser; a goroutine more or less, or an order, is left to other strategies, and a
// finished search proves nothing.
//
// A flip is a run and the number of the condition that is to go the other way. Only
// those behind the one that was flipped to get to the run are flipped when it has been
// made, so that no path is met twice on the way down from a seed. A run leaves some
// hundred flips behind; the solver is asked when a flip's turn comes, not before. Which
// flip is next (queue.go): the places in the code take turns, the one whose flips were
// tried least often first, so that new code is gone into at once; at a place, conditions
// that no run has met before come first. What runs keep until then is in origin.go.
//
// Branches that only choose between values are merged (run.MergeAll): they are no
// conditions, and a byte's class is not settled before it is asked what follows from it.
//
// A condition says what to do with the path as it is. Three things help where a path has
// to become another one (leap.go):
//
//   - A run that came to a place where few runs were, and from which none went the
//     other way, has neighbours: its input with an element of a string or slice twice,
//     or left out. They have every second turn, those of the rarest runs first.
//   - Where no run has gone, and a flip has no solution because of conditions before,
//     these are given up: those in an unsatisfiable core, until there is a solution. (This
//     is the optimistic solving of Yun, Lee, Xu, Jang, Kim: QSYM, USENIX Security 2018,
//     but for what does not stand in the way.)
//   - A string that was compared with another of another length is replaced by it, in
//     the input (Aschermann, Schumilo, Blazytko, Gawlik, Holz: REDQUEEN,
//     NDSS 2019).
//
// Questions that lead where no run has been are given more time by the solver than
// the others, until some at the same place could not be answered.
package generational
