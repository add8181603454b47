package fragment

import "golang.org/x/tools/go/ssa"

// A Range is from the first of two numbers to the second.
type Range struct{ Least, Most int64 }

// A Content is what is known of what is in a variable: that it is not nil or, if that is not nil,
// that it is a constant.
type Content struct {
	NotNil bool
	Same   *ssa.Const
}

// A Round says what a variable of a loop is: a number that all goroutines have in common in which
// it has this name, and a constant.
type Round struct {
	Name string
	Add  int64
}

// CondWait is the function at whose beginning a goroutine waits at a condition: its frame is above
// that of (*sync.Cond).Wait.
const CondWait = "sync.condWait"

// Waits reports whether the innermost frame of a stack is one of (*sync.Cond).Wait that waits.
func Waits(stack []ssa.Instruction) bool {
	call, ok := stack[0].(*ssa.Call)
	if !ok {
		return false
	}
	fn := call.Call.StaticCallee()
	return fn != nil && fn.String() == CondWait
}

// A Context is where goroutines of a program are at one time, and what is known of the state then.
type Context struct {
	// Stacks are those of the goroutines: the instructions at which their frames are, innermost first, as far as they
	// are known. All but the first are calls.
	Stacks [][]ssa.Instruction
	// NotNil has the pointers that are not nil wherever the program comes to them, and Same those
	// values that are the same constant everywhere.
	NotNil map[ssa.Value]bool
	Same   map[ssa.Value]*ssa.Const
	// Order is the order in which goroutines are prepared, if it is not theirs: who makes a
	// variable comes before those who may know of it. Where two may know of what the other one has
	// made, Unmade has variables that are no others than those of the input.
	Order  []int
	Unmade map[*ssa.Alloc]bool
	// Ranges has the numbers between which variables of loops are.
	Ranges map[ssa.Value]Range
	// AtLeast has, of variables of loops, signed integers, the value with which the loop began, which is never more.
	AtLeast map[*ssa.Phi]ssa.Value
	// Memory is what is known of memory, for each frame of each goroutine; it may be nil.
	Memory [][]Memory
	// Variables are package variables that are inputs. All others are as their initialisation leaves them.
	Variables []*ssa.Global
	// Pointers says where the pointers of the state may lead; it may be nil.
	Pointers *Pointers
	// NoDefinitions makes everything an input that an instruction before has computed. It is for measurements.
	NoDefinitions bool
	// Locks are those that goroutines hold, by goroutine. Others are free.
	Locks [][]Lock
	// Debts are the calls of Done that goroutines have still to make, by goroutine. Wait groups
	// count these, and perhaps others.
	Debts [][]Debt
	// Open are the channels that goroutines have still to close, by goroutine.
	Open [][]Open
	// Guarded are the channels that are open as long as a sync.Once has not been done, in any struct of the input.
	Guarded []Guarded
	// Set are the fields that are not nil in any struct that may be known to more than the function which makes it.
	Set []Field
	// Zero are the fields that are 0 in any struct of which the input says nothing else: they count
	// those who are where no goroutine of the context is.
	Zero []Field
	// Bounds says between which numbers variables and fields are.
	Bounds []Bound
	// Relations are sums of these that are the same in all states.
	Relations []Relation
	// Structures are those of which each has one owner.
	Structures []Structure
	// Rounds has, by goroutine, variables of loops in which the goroutines wait for one another in
	// each iteration; it may be nil.
	Rounds []map[ssa.Value]Round
	// Conditions are those whose locks are known.
	Conditions []Condition
	// Uses says which synchronisation is an input.
	Uses Uses
	// Awaited are operations at which goroutines may wait for one that is not of the context, so
	// that one which waits there is not stuck.
	Awaited map[ssa.Instruction]bool
	// Excluded says why no run has goroutines at all of these places at once. It is empty if nothing excludes that.
	Excluded string
	// Assumes says what is taken for granted of the state, a line each.
	Assumes []string
}
