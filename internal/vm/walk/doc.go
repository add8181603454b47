// Package walk has machines walk the summaries of functions (package summary) in the place of
// executing code: algorithm 2 in section 5.1.2 of Sun's thesis (UC Riverside 2023).
//
// The dispatch loop calls [Walker.Enter] when a goroutine begins with a function, or goes on after
// an instruction that has done more than compute. If there is a tree for that place, the values at
// its root are read from the registers, and the goroutine follows the path that its concrete values
// have. Where the path is left, the registers and memory are brought up to date, and the code goes
// on: at the return, in front of a visible operation, or in the middle of the function if the tree
// has no node for what comes.
//
// # A run is the same with and without
//
// Nothing that a run shows depends on whether a tree was walked: conditions, their order and
// expressions, choices of pointers, accesses and events, objects and their names, the number of
// instructions, coverage, findings. So it makes no difference either which trees a machine has, and
// runs can be replayed and searches resumed without any. For that,
//
//   - a step computes symbolic values with the same constructors as the instruction that it stands
//     for, and the expressions that no instruction needs are the only ones that are not built. The
//     arena orders operands by structure, not by age;
//   - conditions are added where the code adds them, at the same places of the same frames, and so
//     the search can negate each. Frames are pushed for calls;
//   - while accesses are watched, because other goroutines live, every access is made as the code
//     makes it, and memory is written at once. Otherwise, only first reads are made and, when the
//     path is left, last writes;
//   - an access that the plan makes visible is left to the code, as a conditional jump is whose
//     sides the code may merge;
//   - a tree is not walked where more depends on each instruction: in runs with read symbols, with
//     a debugger, a profile or places to stop.
//
// Package internal/oracle/summaries compares the runs of generated functions, and the search the
// replays of a sample of its runs.
//
// # What pays
//
// A tree is asked for when goroutines have come to a place a number of times, and dropped when it
// has not paid in a number of walks. Both are counts, not times. Whether a machine walks trees at
// all, and makes any, a [Gain] decides by the time that runs take with and without.
package walk
