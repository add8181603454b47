package run

// A Plan says how a run is to go: the input and the schedule. It is
// self-contained data: the same plan gives the same trace.
type Plan struct {
	Input Input
	// Prefix holds the decisions to take first, in order; after them the
	// Scheduler given to Run decides. A decision that is not possible
	// when its turn comes ends the run with outcome Infeasible.
	Prefix []Decision
	// Visible names the plain memory accesses that are visible operations.
	Visible Visible
	// ReadSymbols makes every read of a shared object yield a fresh symbol,
	// named by the reader and its count of events (con2colic, section 4).
	ReadSymbols bool
	// Merge says of which small branches both sides are carried out, so that what they
	// compute is an expression and the path condition says nothing of them.
	Merge Merging
	// Record asks for Trace.Events; without it only decisions, findings and
	// the path condition are kept.
	Record bool
	// RecordPlain adds the plain accesses that are not visible operations to
	// the events, as soon as there is more than one goroutine: for reports.
	RecordPlain bool
	// InputToState asks for Trace.Correspondences.
	InputToState bool
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
	Func  int32 // index in the machine's table of functions
	Instr int32
}

// An Input gives values to input variables by name. Variables it does not name
// are zero.
type Input map[string]uint64

// Shared returns how many of the variables that a run with input in has drawn have the
// same value in a run with input other that draws them too, up to the first that has not.
func (in Input) Shared(other Input, drawn []InputVar) int {
	for i := range drawn {
		v, ok := in[drawn[i].Name]
		if u, given := other[drawn[i].Name]; u != v || given != ok {
			return i
		}
	}
	return len(drawn)
}

// A Decision is one answer of a scheduler. Where only one transition is
// enabled, no decision is taken and none is recorded: replay arrives at the same
// transition by itself.
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
