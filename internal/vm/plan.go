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
	// Record asks for Trace.Events; without it only decisions, findings and
	// the path condition are kept.
	Record bool
	// RecordPlain adds the plain accesses that are not visible operations to
	// the events, as soon as there is more than one goroutine: for reports.
	RecordPlain bool
}

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

// A Decision is one answer of a scheduler.
type Decision struct {
	Kind DecisionKind
	// Goroutine takes the step (Step); -1 for a timer.
	Goroutine int32
	// Alt tells apart the ways in which the goroutine can take the step (Step:
	// the select case, the partner of a rendezvous, the waiter to wake), or is
	// the chosen value (Value).
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

// A Point is a place at which a run can go on in more than one way. For Step
// points, Options are all enabled operations, ordered by goroutine and
// alternative; for Value points, Options is empty and N is the bound.
type Point struct {
	Kind    DecisionKind
	Options []Option
	N       int
	// Last is the goroutine that took the last step, -1 at the start.
	Last int32
	// Pending holds the next operation of every goroutine that has not ended,
	// enabled or not, by goroutine index.
	Pending []Option
	Trace   *Trace // so far
}

// An Option is an operation that a goroutine is about to do.
type Option struct {
	Decision
	Op      schedule.Op
	Object  ObjectID // of the primitive or cell
	Offset  int32    // cell in the object
	Partner int32    // goroutine that a rendezvous completes, else -1
	Site    SiteID
	Enabled bool
}
