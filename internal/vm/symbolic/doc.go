// Package symbolic holds the arithmetic of symbolic values, and that of the words beside
// them.
//
// A symbolic value is an expression of package expr that stands beside a word: an
// [Operand] is the two together, [Operands] are those of a run of registers or cells. A value
// of an integer kind is a bit-vector of the kind's width, a bool has width 1, a pointer is
// its code (heap.Word.PointerCode) in 64 bits. Expressions are built in the width of the
// kind; what comes in another one (out of an interface, or through a pointer that
// package unsafe made) is fitted first, by [Fit].
//
// [Result] gives what an instruction makes of its operands, [Comparison] is what a
// conditional jump asks. A [Text] has searches that are summed up in one expression, and
// the decoding of characters; a [Table] is memory at a symbolic index. Divide, Rotate,
// ConvertWord and others that take words do on words what the machine's instructions do.
//
// Nothing here knows the machine. Functions that make expressions take the arena in which
// they make them; where the form of a result depends on a condition, the caller passes a
// [Brancher], which makes the condition part of the path.
package symbolic
