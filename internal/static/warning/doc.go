// Package warning lists what a target looks as if it could do wrong: pairs of accesses that may race, calls that may
// deadlock as they take locks in different orders, and instructions that may panic.
//
// A [Finder] looks at the program's own functions, of which it is told which they are. It begins
// where packages pointsto, lockset and escape end:
//
//	Races      two accesses to one abstract object, one of them a write, of which no lock is known that is held at both
//	Deadlocks  acquisitions of locks in a cycle, each made while the lock of the one before may be held
//	Panics     calls of panic, and checks of indices, divisors, types, channels and pointers that are not seen to succeed
//
// Warnings are hints where to look. They may be of what no run does, and what is not warned of may
// go wrong nevertheless: in the standard library, by other means than locks, or in an
// initialisation that is taken to come before all others. Nothing is proved by their absence.
package warning
