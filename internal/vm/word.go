package vm

// A Word is what a register or a memory cell holds: a scalar in N, or a pointer
// as an object and an offset in cells. Floats are their IEEE bits, integers
// are sign- or zero-extended from their kind. The nil pointer has a nil P and
// N = 0. Which of the two a word is, is static: its code.Kind.
//
// The dynamic type of an interface is a Word whose P is the type's object.
type Word struct {
	N uint64
	P *Object
}
