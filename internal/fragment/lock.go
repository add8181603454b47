package fragment

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A Lock is one that a goroutine holds where it begins, or may hold.
type Lock struct {
	// Frame is the index in the stack of the function in which Root is a value: a pointer to what
	// the lock is in. Fields lead from there to it. If Root is nil, it is not known which lock it
	// is, but that it is a part of an input: one of In.
	Frame  int
	Root   ssa.Value
	Fields []int
	In     []Part
	// Read says that it is held for reading, of an RWMutex.
	Read bool
	// It is held at least Least and at most Most times. Only readers hold a lock more than once.
	Least, Most int
	// Inherited says that a caller holds it that is not in the stack. It is unlocked when the
	// outermost function returns.
	Inherited bool
	Name      string // for the names of inputs, and for messages
}

// A Part is a part of a variable.
type Part struct {
	Type types.Type // of the variable
	Path string     // the fields that lead to the part, as ".mu"
}
