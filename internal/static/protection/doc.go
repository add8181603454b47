// Package protection finds out which memory a lock protects, and what follows from that: how long
// what a goroutine has read or written stays there, and between which numbers a variable is.
//
// A lock protects what is at an address if all who write there hold it: one package variable, or
// the lock in the same struct as the address. Whoever writes before there are other goroutines, or
// before others can know of a variable, needs no lock. All calls that may unlock it unlock what
// their own goroutine has locked; else nothing is said.
//
// While a goroutine holds the lock, nobody else writes there. So what it has read or written is
// there until it unlocks or writes itself: an interference-free region ([Program.Stays];
// Effinger-Dean, Boehm, Chakrabarti and Joisha, Extended sequential reasoning for data-race-free
// programs, 2011, as Bergan 2014, section 2.6.2, uses it). There the regions follow from the
// assumption that programs have no data races; here they are proved.
//
// [Program.Bounds] has the bounds of numbers: two intervals for each, one of what is there while
// nobody holds the lock, and one of all that is ever there. They are the least that an abstract
// interpretation of the functions finds that write the number (Miné, Relational thread-modular
// static value analysis by abstract interpretation, 2014, has invariants of locks of this kind):
// who locks finds a number of the first interval, computes, and what is there when it unlocks,
// waits for a condition, or may panic, is of the first interval. What grows without an end grows to
// the next constant that the program compares with.
//
// [Program.Relations] has sums of such numbers that are always 0, or a multiple of something, while
// nobody holds the lock: that of a ring's ends and of how much is in it. Each critical section
// makes of the numbers what they were and a constant, in some ways (Granger, Static analysis of
// linear congruence equalities among variables of a program, 1991, has relations of this kind);
// what all of these leave as it is, and is so at first, when all are 0, is so whenever the section
// is over. What a section writes and is not of this form, or writes with the lock of its caller and
// unlocks, is in no relation.
//
// [Program.At] and [Program.BegunWith] have the course of a package variable that only the
// goroutine in which a target begins writes: which numbers it has where that goroutine is at an
// instruction, and where it starts others. What the goroutine executes is gone through from the
// target on, from call to call, with one interval on entry to each function and one when it
// returns; a function that does not lead to a store leaves the variable as it is.
package protection
