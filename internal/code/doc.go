// Package code has the register code that the machine runs: instructions, types and
// functions.
//
// A [Program] stands for an [ssa.Program]. [Program.Func] returns the [Func] of an
// [ssa.Function], a slice of [Instr] over numbered registers; the function is compiled
// when it is first asked for, by the [Compiler] that the program was made with (package
// compile). Every Go value is flattened to words: a string has two, a slice three, an
// interface two, a struct the words of its fields in order. A [Type] says how.
//
// [Func.WriteTo] prints a function in a readable form, [Sanity] checks what the machine
// relies on, and [Func.Needed] says which registers are live. Package region finds the
// small branches on both sides of which a function only computes. Nothing here knows how
// the code is run.
package code
