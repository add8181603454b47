// Package symbolic implements arithmetic on symbolic values and on the concrete words beside
// them.
//
// A symbolic value is an expression of package expr that belongs to a word. An [Operand] is
// the two together, and [Operands] are those of a sequence of registers or cells. A value of
// an integer kind is a bit-vector of the kind's width, a bool has width 1, and a pointer is
// its code (heap.Word.PointerCode) in 64 bits. Expressions are built in the width of the
// kind. Values of another width, which come out of interfaces or through pointers made by
// package unsafe, are converted by [Fit] first.
//
// [Result] returns the result of an instruction as an expression, and [Comparison] is the
// condition of a conditional jump. A [Text] is a string with symbolic bytes; searches in it
// are summarised by single expressions, and its characters can be decoded. A [Table] is an
// array that is accessed at a symbolic index. Divide, Rotate, ConvertWord and other
// functions on words compute what the machine's instructions compute.
//
// The package does not depend on the machine. Functions that make expressions take the
// arena for them as an argument. Where the form of a result depends on a condition, the
// caller passes a [Brancher], which adds the condition to the path condition.
package symbolic
