// Package recursion finds recursion that does not end.
//
// Go ends a program with a fatal error when the stack of a goroutine exceeds 1 GB, which is
// millions of frames. A frame of the machine takes more than a native one, so the machine's
// limit on the depth of a stack is far below. Beyond that limit a [Detector] lets a
// goroutine make some more calls, to show that its recursion does not end. There are two
// ways to show it. Otherwise the run ends because the limit is exceeded.
//
// A function calls itself, directly or through others, with the same arguments while
// everything that it can read is as it was. It will then do again what it has just done, so
// that the native stack overflows, whatever its frames take.
//
// Or the integers among the arguments change by a constant from one such call to the next.
// Then one cycle, from a call to the next one, is run for all those that follow: with
// symbolic arguments, which depend on the number of the cycle. The number is below a bound
// that no native stack has room for. If no branch depends on the number and the next call
// has the arguments of the next cycle, the first cycle is followed by as many as that. If a
// branch does depend on it, nothing is known: the recursion may end when it goes the other
// way.
//
// What a function can read is its arguments and memory. Objects made since the first of
// these calls do not count: arguments that point to one are not compared, and if all older
// objects are unchanged, nothing else that the function is given points there. No
// input may have been drawn, nothing chosen, and the clock not read in between. If the
// goroutine has taken steps in between, no other one must be able to, now or when time
// passes.
package recursion
