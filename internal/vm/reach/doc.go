// Package reach finds what can be reached in the memory of a machine.
//
// [Objects] is the set of objects that can be reached from the roots that have been added
// to it: goroutines, package variables, timers, or single objects. It contains what a
// precise garbage collector would keep. Of a goroutine's frames only the registers count
// that are still needed; of a channel only the elements in its buffer.
//
// [Live] says which goroutines may ever take a step again. A goroutine that is blocked is
// live if something live can reach what it waits for; this is how the goroutine leak
// profile of Go's runtime defines it (Saioc, Shirchenko and Chabbi, Dynamic Partial
// Deadlock Detection and Recovery via Garbage Collection, ASPLOS 2025).
//
// [ForgetTimers] removes timers that nobody can see fire.
//
// A package variable reaches a goroutine only through code that refers to it. [Code] knows
// what functions and types refer to, so that Live can count the variables to which the code
// refers that live goroutines can still execute: the functions on their stacks, those
// that they can reach as values, the methods of the types of the values that they can
// reach, and what all of these call, refer to and convert to interfaces (Bacon and Sweeney,
// Fast Static Analysis of C++ Virtual Function Calls, OOPSLA 1996).
package reach
