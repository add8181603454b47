// Package compile compiles go/ssa functions to the register code of package code.
//
// [NewProgram] returns a [code.Program] that compiles its functions with this package
// when they are first called. A function takes these steps:
//
//   - its blocks are put in the order of their code (blocks), and their instructions in
//     gc's order of evaluation (package evalorder);
//   - a classifier decides how each SSA value is kept (values): in registers of its own,
//     as a part of another value, or not at all because the instruction that uses it
//     does its work;
//   - package regalloc gives registers to the values by their live ranges, so that the
//     copies of a loop variable share one;
//   - an emitter writes the instructions.
package compile
