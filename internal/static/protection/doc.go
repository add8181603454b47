// Package protection finds out which memory a lock protects, and what follows from that: how long
// what a goroutine has read or written stays there, and between which numbers a variable is.
//
// A lock protects an address if all who write there hold the lock, which is a package variable or
// in the same struct as the address. Whoever writes before there are other goroutines, or before
// others can know of the variable, needs no lock. Nothing is said unless all calls that may unlock
// the lock unlock what their own goroutine has locked.
//
// # What stays
//
// While a goroutine holds the lock, nobody else writes there. So what it has read or written stays
// there until it unlocks or writes itself: an interference-free region ([Program.Stays];
// Effinger-Dean, Boehm, Chakrabarti and Joisha, Extended sequential reasoning for data-race-free
// programs, 2011, as Bergan 2014, section 2.6.2, uses it). There, the regions follow from the
// assumption that programs have no data races; here they are proved.
//
// # Bounds
//
// [Program.Bounds] has two intervals for each number: one of its values while nobody holds the
// lock, and one of all its values. They are the least that an abstract interpretation of the
// functions that write the number finds (Miné, Relational thread-modular static value analysis by
// abstract interpretation, 2014, has such invariants of locks). Whoever locks finds a number of the
// first interval and computes; the value when it unlocks, waits for a condition, or may panic, is
// of the first interval again. An interval that grows without end is extended to the next constant
// with which the program compares.
//
// # Relations
//
// [Program.Relations] has sums of such numbers that are always 0, or a multiple of something, while
// nobody holds the lock, such as the sum of a ring's ends and its length. Each critical section
// adds constants to the numbers, in one of a few ways (Granger, Static analysis of linear
// congruence equalities among variables of a program, 1991, has relations of this kind). A relation
// that is true at first, when all numbers are 0, and that all of these ways preserve, is true
// whenever the section is over. A number is in no relation if a section writes something of another
// form, or writes with the lock of its caller and unlocks.
//
// # Package variables
//
// [Program.At] and [Program.BegunWith] follow a package variable that only the goroutine in which a
// target begins writes: which values it can have where that goroutine is at an instruction, and
// where it starts others. They follow the goroutine from the target on, from call to call, with one
// interval on entry to each function and one when it returns; a function that does not lead to a
// store leaves the variable as it is.
package protection
