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
package reach
