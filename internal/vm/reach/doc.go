// Package reach finds what can be reached in the memory of a machine.
//
// [Objects] is the set of objects that can be reached from the roots that have been added
// to it: goroutines, package variables, timers, or single objects. It contains what a
// precise garbage collector would keep. Of a goroutine's frames only the registers count
// that are still needed; of a channel only the elements in its buffer.
package reach
