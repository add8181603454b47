package code

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/fragment"
)

// A Middle is a way to be in the middle of a function: a frame of it that is at an instruction, without
// that what comes before has been executed.
//
// Its Code prepares the registers of the frame. It follows the blocks that every path to the
// instruction goes through: it executes what only computes, takes the branches that lead there, and
// defers the calls that every path has deferred outside of loops. What depends on memory, on calls
// or on the way that was taken is an input. In static single assignment form that is sound: a value
// whose definition is on every path to an instruction is what its operands, as they are there,
// give.
type Middle struct {
	Of   *Func // the function in whose middle the frame is
	PC   int32 // the instruction of Of at which it is: a call if there is a frame above it
	Code *Func // has the registers of Of, one more, and this Middle
	// Unknown are, of the outermost frame, the locks that the goroutine may hold and that cannot be told from others.
	Unknown []UnknownLock

	Inner *Middle // of the function that is called at PC, nil if there is no frame above it
	// Made are variables that every path makes and to which pointers of the input may lead. They are made before
	// anything else is prepared, and numbered through all frames of all goroutines, from First on.
	Made  []Made
	First int
	// Steps are what Code cannot do with instructions: it calls the function that it was compiled with
	// for that, with the index of a step.
	Steps []Step
	// Unheld are the locks of the context that the goroutine does not hold, since nothing in the
	// code has their addresses.
	Unheld []string
}

// Assumes says what is taken for granted that the context has otherwise, a line each.
func (m *Middle) Assumes() []string {
	var list []string
	for ; m != nil; m = m.Inner {
		for _, name := range m.Unheld {
			list = append(list, fmt.Sprintf("%s does not hold %s", m.Of.SSA.Name(), name))
		}
	}
	return list
}

// A Made is a variable that every path to an instruction makes.
type Made struct {
	Type   *Type
	Region fragment.Region // in which it is
}

// A Step is a part of the preparation of a frame.
type Step struct {
	Kind StepKind
	Reg  int32  // StepDraw, StepContent, StepElements, StepEmpty, StepBuffer: the first register
	Type *Type  // StepDraw: of what is drawn; StepContent: of the variable; StepElements, StepEmpty, StepBuffer: of what was made
	Off  int    // StepContent: where in the variable that is which becomes an input
	Name string // of the input; of a StepReject, what does not hold
	Set  bool   // StepDraw, StepContent: a pointer, or what leads to something else, that is not nil
	// From and To are, for StepDraw of an integer, between which numbers it is, if To is more than From.
	From, To int64
	// Of is, for StepWithin, a register that has a length, and If one that says whether register
	// Reg has an index; -1 if it always has.
	Of, If int32
	// Points says where the pointers of a StepDraw may lead, by their slots; Region, of a
	// StepContent, in which region the variable is, and Slot where in it the part begins. For
	// StepElements, it is that of the array, and for StepBuffer that of the channel.
	Points []fragment.Region
	Region fragment.Region
	Slot   int
	Made   int // StepMade: the index of the variable in Middle.Made
	// Parts are of StepBindings, the inputs that the function has captured.
	Parts []Step
	// Lock is of StepHold: register Reg has its address, as it has that of the wait group of a StepCount.
	Lock *HeldLock
	// Waits says of a StepEnter that the goroutine waits at a condition. Register Reg has the
	// address of what names the condition (sync.condWait), and From is where in the condition that
	// is, in words.
	Waits bool
}

// An UnknownLock is a lock that a goroutine may hold where it begins, of which no frame has the
// address: it is in an object of the input.
type UnknownLock struct {
	HeldLock
	Name  string // who has locked it
	Parts []LockPart
}

// A LockPart is where in a variable a lock may be.
type LockPart struct {
	Type *Type
	Path string // the fields that lead to it, perhaps with those of the lock
}

// A HeldLock is a lock that a goroutine holds where it begins.
type HeldLock struct {
	Read        bool // for reading
	Least, Most int  // how often it is held: see fragment.Lock
	Inherited   bool
}

// A Condition is a fragment.Condition: where it is in a struct, and where its lock is, in words.
type Condition struct {
	At, Lock int
	Path     string // the fields that lead to the condition
	Pointer  bool
	Locker   int   // where the condition has its lock
	LockType *Type // of a pointer to the lock
}

// A Guarded is a fragment.Guarded: where the number of the sync.Once is that says whether it is
// done, in words, and the field that is the channel.
type Guarded struct {
	Done    int
	Channel string
}

// A Relation is a fragment.Relation of fields of one struct: where they are in it, in words.
type Relation struct {
	At     []int
	Minus  []bool
	Kind   Kind // of the fields
	Modulo int64
}

// A StepKind says what a step does.
type StepKind uint8

// The kinds of steps.
const (
	StepDraw     StepKind = iota // registers become an input
	StepBindings                 // the variables that the function has captured become inputs
	StepMade                     // a register becomes the address of a variable that has been made
	StepContent                  // the variable to which a register points, or a part of it, becomes an input
	StepElements                 // the elements of a slice that has just been made become inputs
	StepEmpty                    // a map that has just been made stays empty
	StepBuffer                   // what is in a channel that has just been made becomes an input
	StepWithin                   // the index in a register is less than a length, or equal if there need be no element
	StepHold                     // the goroutine holds a lock
	StepCount                    // a wait group counts the goroutine
	StepOpen                     // the channel in a register is not closed
	StepReject                   // no run is in this state: a branch would not have led here
	StepEnter                    // the frame is complete, with those below it
)
