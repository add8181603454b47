// Package regalloc allocates registers by live ranges.
//
// A compiler describes what it compiles as a [Function]: which [Node] each instruction
// reads and writes, where values move from one node to another, and which values calls
// pass and return. [Allocate] computes when each node holds something that is still
// needed, merges nodes between which values move, and gives registers to them in the
// order in which their ranges begin (linear scan; Poletto and Sarkar, 1999), so that two
// nodes share a register only when their ranges do not overlap. There is no spilling:
// the number of registers is not limited.
//
// The [Allocation] that it returns then follows the compiler through the instructions
// and says which registers are free at each: for scratch values, and for the window in
// which a call passes its arguments, which lies above everything that is live across
// the call.
package regalloc
