// Package variant has the code that the dispatch loop runs in the place of what package
// code's compiler has made.
//
// [Fuse] gives frequent pairs of instructions an opcode of their own, which saves the
// way from one to the other. A [Variant] is for frames with symbolic registers: it
// marks the instructions that touch one, so that all others run as in any other frame.
// There are several of a function, by which registers are symbolic where.
//
// Instructions stay at their places, so that program counters, positions and jumps are
// those of the compiled code.
package variant
