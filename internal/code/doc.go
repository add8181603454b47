// Package code compiles go/ssa functions to register code.
//
// The path of a value: load gives an [ssa.Program]; [Program.Func] compiles one
// [ssa.Function], lazily and once, to a [Func]: a flat slice of [Instr] over
// numbered registers. Every Go value is flattened to words (a string is two, a
// slice three, an interface two, a struct the words of its fields in order), and
// a [Type] says how. Package vm runs the result; nothing here knows how.
//
// [Func.WriteTo] prints a function in a readable form, and [Sanity] checks
// what the interpreter relies on. [Program.Regions] finds the small branches on both
// sides of which a function only computes.
package code
