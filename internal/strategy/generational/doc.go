// Package generational searches inputs. It runs the target on an input and then, for each
// condition of the run, queries the solver for an input that satisfies the conditions before
// it and negates it (Godefroid, Levin, Molnar: Automated Whitebox Fuzz Testing, NDSS 2008).
// The first inputs are the seeds and the empty input.
//
// All runs have the same schedule, [run.NonPreemptive]. So this is the search for code whose
// behaviour depends on its input, such as a parser; other strategies look for other
// schedules, and a finished search proves nothing.
//
// A flip is a run and the index of a condition to be negated. After a run only the
// conditions behind the flipped one are flipped, so that no path below a seed is met twice.
// A run has some hundred flips; a flip is solved when its turn comes, not before. The queue
// (queue.go) decides which flip is next. Sites take turns, the one with the fewest flips so
// far first, so that new code is explored at once. At a site, conditions that no run has met
// come first. An origin (origin.go) is what is kept of a run until then.
//
// Branches that only choose between values are merged ([run.MergeAll]): they are no
// conditions, so that a query does not fix, say, the class of a byte before it matters.
//
// A flip keeps the path before the condition. Three things help where that has to change
// (relax.go):
//
//   - A run that came to a site where few runs were, and where none took the other side, has
//     neighbours: its input with an element of a string or slice repeated or left out. Every
//     other item is a neighbour, those of the rarest runs first.
//   - If no run has an outcome yet, and a flip for it is unsatisfiable, conditions before are
//     dropped: those in an unsatisfiable core, until there is a solution. (This is the
//     optimistic solving of Yun, Lee, Xu, Jang, Kim: QSYM, USENIX Security 2018, except that
//     it keeps the conditions outside the core.)
//   - A string that was compared with one of another length is replaced by that in the input
//     (input-to-state correspondence: Aschermann, Schumilo, Blazytko, Gawlik, Holz: REDQUEEN,
//     NDSS 2019).
//
// Queries for outcomes that no run has yet have a larger budget than others, until some of
// them at the same site were not answered.
package generational
