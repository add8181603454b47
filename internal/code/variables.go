package code

import (
	"go/token"
	"go/types"
)

// Variables say where a function has the variables of its source. A value that no instruction
// needs any more may not be anywhere, so they do not say where a variable is, but when it
// changes and where its new value is to be had at that time: see [Assignment]. Who follows
// a frame from its beginning knows the values of all variables.
type Variables struct {
	List []Variable
	// Assignments are in the order in which they happen: by PC and, at one PC, one after another.
	Assignments []Assignment
	// Statements has for each instruction where the statement begins that it is a part of: the innermost one
	// that is not a block, the end of the function if it returns there, invalid for what belongs to none or of
	// which it is not known.
	Statements []token.Pos
}

// A Variable is a local variable, a parameter or a result of a function, or one that the function
// has captured.
type Variable struct {
	*types.Var
	Type *Type // which has no type parameters, other than that of Var
	// Param is the first register in which the function is given the variable, -1 if it is no parameter.
	Param int32
	// Captured is the word of the function's bindings that is the address of the variable, -1 if it
	// is not captured.
	Captured int32
}

// An Assignment is a change of a variable.
type Assignment struct {
	// The assignment happens before the instruction at PC is executed, if that is reached as From says.
	PC   int32
	From Origin
	Var  int32     // index in Variables.List
	Pos  token.Pos // of the statement that makes it, if no instruction is a part of that; otherwise invalid
	// Off is the first word of the variable that changes, and Words how many do. If Off is negative, nothing
	// changes: a goroutine comes to the statement at Pos, which needs no code.
	Off, Words int32
	Place
}

// An Origin says in which cases an assignment happens when the instruction at its PC is reached.
// Several blocks may begin at one instruction, when no code is needed for the first of them.
type Origin uint8

// The origins.
const (
	FromAnywhere Origin = iota
	FromBefore          // if the instruction before it was executed last
	FromEntry           // if the function has been entered
	FromUnknown         // if the instruction before it was executed last; otherwise it cannot be told
)

// A Place says where a value is.
type Place struct {
	Kind  PlaceKind
	Reg   int32      // InRegisters: the first of them; InMemory: that of the address; IsPart: that of a pointer
	Plus  int32      // IsPart: what is to be added to the pointer, in words
	Const ConstValue // IsConstant
	// Op, Left and Right are of a comparison of words of a kind, which is made by the jump that depends on it.
	Op          token.Token
	Of          Kind
	Left, Right *Place
}

// A PlaceKind is a kind of places.
type PlaceKind uint8

// The kinds of places.
const (
	Nowhere     PlaceKind = iota
	InRegisters           // the value is in registers
	InMemory              // the variable is in memory from now on, at the address in a register
	IsConstant            // the value is a constant
	IsZero                // the value is zero
	IsPart                // the value is a pointer to a part of what a pointer points to
	IsCompared            // the value is the result of a comparison
)
