package fragment

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A Debt is a call of Done that a goroutine has still to make, of a wait group that counts it for sure.
type Debt struct {
	// Frame is the index in the stack of the function in which Root is a value: a pointer to what
	// the wait group is in. Fields lead from there to it.
	Frame  int
	Root   ssa.Value
	Fields []int
}

// An Open is a channel that is not closed, since the goroutine has still to close it.
type Open struct {
	// Frame is the index in the stack of the function in which Root is a value: the channel or, if
	// it is a captured variable, the address of the variable that has it. If there are Fields, it
	// points to a struct in which they lead to the channel, or is nil.
	Frame  int
	Root   ssa.Value
	Fields []int
}

// A Guarded says that a channel in a field of a struct is open as long as a sync.Once in another
// field, with which alone it is closed, has not been done.
type Guarded struct {
	Struct        types.Type
	Once, Channel int // fields
}

// Uses says which kinds of synchronisation the code may use that is executed from a context on. The
// state of others is no input.
type Uses struct {
	Groups bool // wait groups
	Conds  bool // conditions
	// Others says that nothing is known of goroutines that are not of the context: they may hold
	// any lock for ever, and wait at any condition, be it of the input or one of Waited, which are
	// package variables. It is for measurements.
	Others bool
	Waited []*ssa.Global
}

// A Field is one of a struct, to which fields lead.
type Field struct {
	Struct types.Type
	Fields []int
}

// A Bound says between which numbers a package variable is or, if that is nil, a field of any struct of the input.
type Bound struct {
	Variable *ssa.Global
	Field    Field
	Range    Range
}

// A Relation says that a sum of numbers is 0 or, if Modulo is not 0, a multiple of that: of package
// variables, or of fields of any struct of the input.
type Relation struct {
	Terms  []Term
	Modulo int64
}

// A Term is a package variable or, if that is nil, a field, and in a sum perhaps minus that.
type Term struct {
	Variable *ssa.Global
	Field    Field
	Minus    bool
}

// A Condition is a condition variable in a struct, or one to which a field of it points, of which
// the lock is in the same struct.
type Condition struct {
	Struct types.Type
	// Cond are the fields that lead to the condition or, if it is a pointer, to that. Lock are
	// those that lead to the lock.
	Cond, Lock []int
	Pointer    bool
}
