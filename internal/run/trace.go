package run

import (
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
)

// A Trace is what a run did. It is valid until the machine's next run, but for
// the facts of how it ended and its seeds; expressions in it are handles of the machine's arena.
type Trace struct {
	Outcome         Outcome
	Decisions       []Decision // all that were taken; as a plan's Prefix they give the same run
	Events          []Event    // when Plan.Record is set
	Inputs          []InputVar // in the order in which they were drawn
	Path            []Condition
	Correspondences []Correspondence // when Plan.InputToState is set; distinct, and up to a bound
	GivenUp         []GivenUp

	// How the run ended, when it did not just finish, and what it showed on the way.
	Panic        *Failure // the panic that ended it, which nothing recovered
	FatalError   *Failure // the misuse of a primitive that ended it
	Exit         *Exit
	Stuck        *Stuck
	TestFailures []Failure    // as the test reported them
	Unordered    []AccessPair // one for each pair of sites

	// Accesses lists the objects touched while there was more than one
	// goroutine: which goroutines read and wrote them. Sorted.
	Accesses []Access
	Covered  []uint64 // bit set over code.Program.Branches
	// Pending holds the next operation of every goroutine that has not ended, as
	// SchedulingPoint.Pending does. It is set when a Watcher sees a step, and at the end of a
	// run that was stopped or in which nothing was possible any more, so that an
	// operation that blocks for ever is found there.
	Pending      []Transition
	Instructions uint64
	WholeReads   bool    // a read of a connection got all that had been written: the network could have brought it in pieces
	TimersHeld   bool    // a timer was due while something else could happen, and had to wait (see Settings.EagerTimers)
	TimeCut      bool    // the target has returned, and goroutines live on, waiting for a time again and again
	NeverRun     bool    // the program has set finalizers or cleanups, which are not run
	Skipped      bool    // the target skipped itself
	Seeds        []Input // inputs that the target gives to start with (F.Add)
	Message      string  // of outcomes Unsupported and Bounded: what, where, call chain
}

// A Condition is an element of the path condition.
type Condition struct {
	Event     int32 // index in Events, -1 without Record
	Decision  int32 // number of decisions taken before it
	Goroutine int32
	Site      SiteID
	Cond      expr.ID // holds in this run
	Value     expr.ID // Concretized: what had to be concrete; Cond says that it has the value it had
	Kind      ConditionKind
	Negated   bool // Cond is the negation of what the code asked
}

// A ConditionKind says where a condition comes from.
type ConditionKind uint8

// The kinds of conditions.
const (
	Jump        ConditionKind = iota // a conditional jump of the code
	Check                            // an implicit check: nil, index, division, close
	Concretized                      // an address, length or map key was fixed to the value it had
	Assumed                          // holds by construction (bounds of an input); not to be flipped
)

// An InputVar is a drawn input variable.
type InputVar struct {
	Name  string
	Width uint8
	Value uint64
	Sym   expr.ID
}

// GivenUp records that something was not treated in full, so that "holds"
// cannot be claimed.
type GivenUp struct {
	What string // e.g. "random number made concrete"
	Site SiteID
}

// An Access sums up what a goroutine did to an object.
type Access struct {
	Object    ObjectID
	Goroutine int32
	Wrote     bool
}

// Clone returns a copy of t that stays valid during later runs, but for its
// expressions, which live in the machine's arena.
func (t *Trace) Clone() *Trace {
	c := *t
	c.Decisions = slices.Clone(t.Decisions)
	c.Events = slices.Clone(t.Events)
	c.Inputs = slices.Clone(t.Inputs)
	c.Path = slices.Clone(t.Path)
	c.Correspondences = slices.Clone(t.Correspondences)
	c.GivenUp = slices.Clone(t.GivenUp)
	c.Accesses = slices.Clone(t.Accesses)
	c.Covered = slices.Clone(t.Covered)
	c.TestFailures = slices.Clone(t.TestFailures)
	c.Unordered = slices.Clone(t.Unordered)
	c.Seeds = slices.Clone(t.Seeds)
	return &c
}

// keptEvents is the number of events for which the next run has room: more is too
// much to hold on to.
const keptEvents = 1 << 16

// Reset makes t the trace of a run that has not begun. What is not valid any
// longer lends it its memory.
func (t *Trace) Reset() {
	if cap(t.Events) > keptEvents {
		t.Events = nil
	}
	*t = Trace{
		Decisions:       t.Decisions[:0],
		Events:          t.Events[:0],
		Inputs:          t.Inputs[:0],
		Path:            t.Path[:0],
		Correspondences: t.Correspondences[:0],
		GivenUp:         t.GivenUp[:0],
		Accesses:        t.Accesses[:0],
		Covered:         t.Covered[:0],
	}
}
