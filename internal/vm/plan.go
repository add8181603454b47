package vm

import "github.com/everyway-go/everyway/schedule"

// A Plan says how a run is to go: the input and the schedule. It is
// self-contained data: the same plan gives the same trace.
type Plan struct {
	Input Input
	// Prefix holds the decisions to take first, in order; after them the
	// Scheduler given to Run decides. A decision that is not among the options
	// of its point ends the run with outcome Infeasible.
	Prefix []Decision
	// Visible names the plain memory accesses that are visible operations.
	Visible Visible
	// ReadSymbols makes every read of a shared object yield a fresh symbol,
	// named by the reader and its count of events (con2colic, section 4).
	ReadSymbols bool
	// Merge says of which small branches both sides are carried out, so that what they
	// compute is an expression and the path condition says nothing of them: see merge.go.
	Merge Merging
	// Record asks for Trace.Events; without it only decisions, findings and
	// the path condition are kept.
	Record bool
	// RecordPlain adds the plain accesses that are not visible operations to
	// the events, as soon as there is more than one goroutine: for reports.
	RecordPlain bool
	// Wishes asks for Trace.Wishes.
	Wishes bool
}

// Merging says which branches are merged.
type Merging uint8

// The choices of branches to be merged.
const (
	MergeNone    Merging = iota
	MergeLibrary         // those that are not counted (code.Program.Branches): a search covers the others by running them
	MergeAll
)

// Visible says which plain accesses are visible operations: those at a site in
// Sites and those to an object in Objects.
type Visible struct {
	Sites   map[SiteID]bool
	Objects map[ObjectID]bool
}

// A SiteID is a function and an instruction: it names a place in the code.
type SiteID struct {
	Func  int32 // index in Machine.Funcs
	Instr int32
}

// An Input gives values to input variables by name. Variables it does not name
// are zero.
type Input map[string]uint64

// A Decision is one answer of a scheduler. Where only one option exists no
// decision is taken and none is recorded: replay comes to the same single
// option by itself.
type Decision struct {
	Kind DecisionKind
	// Goroutine takes the step (Step); -1 for a timer.
	Goroutine int32
	// Alt tells apart the ways in which the goroutine can take the step (Step:
	// the select case, the partner of a rendezvous, the waiter to wake, the
	// timer; see alt.go), or is the chosen value (Value).
	Alt int32
}

// A DecisionKind says what was decided.
type DecisionKind uint8

// The kinds of decisions.
const (
	Step  DecisionKind = iota // which enabled operation is next
	Value                     // a number below a bound: map order, pool reuse
)

// A Scheduler answers where the plan is silent.
type Scheduler interface {
	// Choose returns the index of one of p.Options, or a negative number to
	// end the run here with outcome Stopped. p is valid during the call only.
	Choose(p *Point) int
}

// A Watcher is a Scheduler that is told of every step, those of the plan's
// prefix and those without a choice included. Sleep sets need this: a step
// without alternatives wakes sleeping operations too, or is one of them.
type Watcher interface {
	Scheduler
	// Stepping is called when step o is about to be carried out. If the step
	// was a decision, t.Decisions holds it already. When it returns false the
	// run ends before the step, with outcome Stopped. o and t are valid
	// during the call only.
	Stepping(o *Option, t *Trace) bool
}

// A Point is a place at which a run can go on in more than one way. For Step
// points, Options are all enabled operations, ordered by creation of the
// goroutine and then by alternative, timers last; for Value points, Options is
// empty and N is the bound.
type Point struct {
	Kind    DecisionKind
	Options []Option
	N       int
	// Last is the goroutine that took the last step, -1 at the start and after
	// a timer.
	Last int32
	// Goroutine is, for Value points, the goroutine that asks.
	Goroutine int32
	// Pending holds the next operation of every goroutine that has not ended,
	// enabled or not, in the order of Options. A select has an entry for each
	// case; an operation that can be completed in several ways (by several
	// partners) has one here and several among Options.
	Pending []Option
	Trace   *Trace // so far
	// Overdue is, for Step points of a run that has become long, the index of an option of the
	// goroutine that has waited for the longest, otherwise -1. A scheduler that goes
	// on with a goroutine as long as it can had better take it: a run that keeps others
	// waiting for ever tells nothing.
	Overdue int
}

// An Option is an operation that a goroutine is about to do.
type Option struct {
	Decision
	Op      schedule.Op
	Object  ObjectID // of the primitive or cell; NoObject when there is none
	Offset  int32    // cell in the object
	Cells   int32    // number of cells from Offset on: Read, Write; else 1
	From    Range    // Write that copies: the cells it reads; otherwise From.Cells is 0
	Partner int32    // goroutine that a rendezvous or a signal completes, else -1
	Bubble  ObjectID // synctest bubble of the goroutine or timer; zero when it is in none
	// State is what the operation finds: the number of elements or, closed, -1
	// (operations on channels); otherwise what is in the cell. Delta is what an
	// WaitGroupAdd adds, the capacity (operations on channels), the number of
	// channels (SelectDefault), the value
	// compared with (Compares), which step a lock operation is (see lockKind), the
	// conditions that an Unlock leaves behind, or
	// the bits that keep a TryLock out (TryFail), or the value that a spinning
	// goroutine wants to see another than (AtomicRead).
	State, Delta int64
	// Spins says that the goroutine is in a loop that only looks at shared state: the
	// operation waits until something that the loop looks at looks otherwise. That is
	// the operation's own cell or channel or, if there are any, the cells in Awaits.
	Spins      bool
	Awaits     []Range
	Site       SiteID
	Compares   bool // a CompareAndSwap, its Op as it would turn out now, of values that are not symbolic
	Select     bool // a case of a select
	Contingent bool // a rendezvous of two selects: possible while one of them has no case ready without a partner
	Enabled    bool
}

// A Range is a run of cells of an object.
type Range struct {
	Object ObjectID
	Offset int32
	Cells  int32
}
