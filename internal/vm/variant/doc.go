// Package variant transforms compiled functions into the code that the dispatch loop runs.
//
// [Fuse] replaces frequent pairs of instructions by single opcodes, which saves a dispatch.
// A [Variant] is code for frames with symbolic registers: it marks the instructions that
// use such a register, so that all others run as fast as in concrete frames. A function
// has several variants, which differ in the registers that are symbolic.
//
// Instructions stay in their places, so that program counters, positions and jump targets
// are those of the compiled code.
package variant
