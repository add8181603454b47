// Package reaching finds out where what an instruction reads may have been written.
//
// The registers of SSA have one definition each, so that what remains is memory. [Of] has the
// reaching definitions of a function (Aho, Lam, Sethi and Ullman, Compilers, section 9.2.4): for each
// instruction that reads memory, the instructions that may have written there last ([Function.Reads]). They
// are searched for backwards from the read, over the nodes of the control flow, when they are asked for.
// A definition is a store, a call that may write there, the instruction that makes the variable, or the start of the
// function, which stands for all that was written before. The store with which go/ssa puts back into a result variable
// what was read from it is none: see evalorder.StoresBack.
//
// Which accesses may be to the same variable is asked of an [Aliases]. [Types] needs nothing but
// the function: variables whose address stays in the function are told from all others, and others by
// their types and fields.
// Package pointsto has one that knows more.
//
// # What is assumed
//
// Another goroutine may write shared memory between any two instructions. Function.Reads says what this
// goroutine wrote. Types assumes that a variable is accessed with its own type, which package unsafe does
// not care for.
package reaching
