// Package recursion finds recursion that does not end.
//
// Go ends a program with a fatal error when the stack of a goroutine exceeds 1 GB, which is
// millions of frames. A frame of the machine takes more than a native one, so the machine's
// limit on the depth of a stack is far below. Beyond that limit a [Detector] lets a
// goroutine make some more calls, to show that its recursion does not end: a function
// calls itself, directly or through others, with the same arguments while everything that it
// can read is as it was. It will then do again what it has just done, so that the native
// stack overflows, whatever its frames take. If this is not shown, the run ends because the
// limit is exceeded.
//
// What a function can read is its arguments and memory. Objects made since the first of
// these calls do not count: arguments that point to one are not compared, and if all older
// objects are unchanged, nothing else that the function is given points there. Inputs, the
// path condition and the clock must not have been used in between. If the goroutine has
// taken steps in between, no other one must be able to, now or when time passes.
package recursion
