package run

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/schedule"
)

// A Trace is what a run did. It is valid until the machine's next run, but for its
// findings and seeds; expressions in it are handles of the machine's arena.
type Trace struct {
	Outcome         Outcome
	Decisions       []Decision // all that were taken; as a plan's Prefix they give the same run
	Events          []Event    // when Plan.Record is set
	Inputs          []InputVar // in the order in which they were drawn
	Path            []Condition
	Correspondences []Correspondence // when Plan.Wishes is set; distinct, and up to a bound
	Findings        []Finding
	GivenUp         []GivenUp
	// Accesses lists the objects touched while there was more than one
	// goroutine: which goroutines read and wrote them. Sorted.
	Accesses []Access
	Covered  []uint64 // bit set over code.Program.Branches
	// Pending holds the next operation of every goroutine that has not ended, as
	// Point.Pending does: when a Watcher is asked about a step, and in the end of a
	// run that was stopped or in which nothing was possible any more. An operation
	// that blocks for ever is found there.
	Pending      []Transition
	Instructions uint64
	WholeReads   bool    // a read of a connection got all that had been written: the network could have brought it in pieces
	TimersHeld   bool    // a timer was due while something else could happen, and had to wait (see Machine.EagerTimers)
	TimeCut      bool    // the target has returned, and goroutines live on, waiting for a time again and again
	NeverRun     bool    // the program has set finalizers or cleanups, which are not run
	Skipped      bool    // the target skipped itself
	Seeds        []Input // inputs that the target gives to start with (F.Add)
	Message      string  // of outcomes Unsupported and Bounded: what, where, call chain
}

// An Outcome says how a run ended.
type Outcome uint8

// The outcomes.
const (
	Finished    Outcome = iota // the target returned and every goroutine ended or (a leak) is blocked
	Failed                     // a panic, fatal error or deadlock ended it; see Findings
	Stopped                    // the scheduler ended it
	Infeasible                 // the plan could not be followed; Decisions tells how far it went
	Unsupported                // the code needs what the machine does not have
	Bounded                    // a bound of steps, memory, depth or goroutines was hit
)

// An Event is something a goroutine did that another could notice, or a mark
// of the run's structure.
type Event struct {
	Goroutine int32 // index in Machine.Names; -1 for timers
	Index     int32 // in the goroutine, from 0
	Op        schedule.Op
	Object    ObjectID
	Offset    int32
	Cells     int32 // number of cells from Offset on: Read, Write; else 1
	Site      SiteID
	Caller    SiteID // innermost place outside the standard library that led to it
	Alt       int32  // select case, -1 for the default; Choice: the value; Branch: 1 for the true side; CondSignal: -1 for a Broadcast; else 0
	Other     int32  // Spawn: the new goroutine. Recv, AtomicRead, Read, …: index in Events of the one that wrote the value read, -1 for the initial value; else -1
	Select    bool   // the operation is a case of a select

	// Read is the value read (received), Wrote the one written (sent). For
	// pointers the number is the machine's code of the object and offset.
	// ReadKind and WroteKind are code.Kinds. Multi-word values give their first word
	// here and the others in Rest.
	Read, Wrote         uint64
	ReadKind, WroteKind uint8
	ReadSym             expr.ID // the fresh symbol of the read
	WroteSym            expr.ID // symbolic value written, None when concrete
	Cond                expr.ID // Branch, Assume: holds in this run
	// Rest describes the further words of a multi-word value.
	Rest []EventWord
}

// An EventWord is a word of a value read or written, but the first.
type EventWord struct {
	Value uint64
	Kind  uint8   // a code.Kind
	Sym   expr.ID // read: the fresh symbol; written: the symbolic value; None when concrete
}

// A Condition is an element of the path condition.
type Condition struct {
	Event     int32 // index in Events, -1 without Record
	Decision  int32 // number of decisions taken before it
	Goroutine int32
	Site      SiteID
	Cond      expr.ID // holds in this run
	Value     expr.ID // Address: what had to be concrete; Cond says that it has the value it had
	Kind      ConditionKind
	Negated   bool // Cond is the negation of what the code asked
}

// A ConditionKind says where a condition comes from.
type ConditionKind uint8

// The kinds of conditions.
const (
	Jump        ConditionKind = iota // a conditional jump of the code
	Check                            // an implicit check: nil, index, division, close
	Concretized                      // a value that an address, length or map key had to be
	Assumed                          // holds by construction (bounds of an input); not to be flipped
)

// An InputVar is a drawn input variable.
type InputVar struct {
	Name  string
	Width uint8
	Value uint64
	Sym   expr.ID
}

// A Finding is something wrong with the run.
type Finding struct {
	Kind      FindingKind
	Message   string // as Go prints it, without the goroutine dump
	Goroutine int32
	Site      SiteID
	Stack     []Frame
	Other     *Finding // the other access of a race, …
}

// A FindingKind classifies findings.
type FindingKind uint8

// The kinds of findings.
const (
	Panic FindingKind = iota
	TestFailure
	FatalError // misuse of a primitive: unlock of unlocked mutex, concurrent map writes, …
	Deadlock
	Leak
	Race
	Livelock // goroutines run for ever and get nowhere
)

// A Frame is a line of a call stack.
type Frame struct {
	Func string
	Site SiteID
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
