package run

import (
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/expr"
)

// A Trace is the record of a run. It is valid until the machine's next run, except for
// Seeds and the facts about how the run ended, which stay valid. Its expressions are
// handles of the machine's arena.
type Trace struct {
	Outcome         Outcome
	Decisions       []Decision // all decisions; as the Prefix of a plan they reproduce the run
	Events          []Event    // when Plan.Record is set
	Inputs          []InputVar // in the order in which they were drawn
	Path            []Condition
	Correspondences []Correspondence // when Plan.InputToState is set; distinct, and up to a bound
	GivenUp         []GivenUp
	PlacedBounds    []PlacedBound

	// Facts about how the run ended, if it did not simply finish, and about what went
	// wrong on the way.
	Panic        *Failure // the unrecovered panic that ended the run
	FatalError   *Failure // the misuse of a primitive that ended the run
	Exit         *Exit
	Stuck        *Stuck
	Reached      *Reached     // the goal, if it was reached
	TestFailures []Failure    // as the test reported them
	Symmetric    []Symmetric  // pairs of goroutines that have been started so far, in order; it is not changed but replaced
	Tests        []int32      // of a target that is several tests: the goroutines that were started for them, in order
	Subtests     []Subtest    // that were started; set if Plan.RecordPlain is
	Unfinished   []Unfinished // the goroutines that had not ended; likewise. It stays valid.
	Unjudged     []Failure    // likewise, after the test had counted allocations, which the machine does not know
	Unordered    []AccessPair // data races, one for each pair of sites
	// ClosedSends are sends on channels and their closes that nothing orders, one for each pair of
	// sites: sends that have panicked because they came later, although the program may have
	// recovered from that, and those that came earlier because of the time only, which is more than
	// Settings.Stall.
	ClosedSends []AccessPair

	// Accesses lists which goroutines read and wrote which objects while there was more
	// than one goroutine. It is sorted, and set if Plan.Record is.
	Accesses []Access
	Covered  []uint64 // bit set over code.Program.Branches
	// Stall is how long goroutines that could run were kept waiting while time passed, at
	// most. With such a Settings.Stall the run is possible.
	Stall time.Duration
	// Pending holds the pending operation of every goroutine that has not ended, like
	// SchedulingPoint.Pending. It is set whenever a Watcher sees a step, and at the end of
	// a run that was stopped or in which no transition was enabled any more, so that it
	// shows the operations that block forever.
	Pending      []Transition
	Flow         *Flow  // when Plan.ForgetKnowledge is set, and otherwise nil
	Instructions uint64 // number of instructions executed
	Initialisers int32  // number of goroutines that package initialisers started: the first children of the main one
	Collected    bool   // runtime.GC was called when there had been other goroutines, and there was something to be collected
	AddsMatter   bool   // although Plan.AddsCommute is set, the order of Adds may make a difference
	Added        bool   // there was an addition to an atomic variable that commutes with others, by Plan.AddsCommute
	LogsMatter   bool   // although Visible.HideLogs is set, nothing orders a log of a test with its end, or it came after that
	// Atomics are the sites, each once, of atomic operations that Visible.HideAtomics hides, or
	// that WatchAtomics watches, although nothing orders them with what changes the variable, or
	// depends on the sum. QuietAtomics says that WatchAtomics has watched others, which are
	// ordered.
	Atomics      []SiteID
	QuietAtomics bool
	// GoroutinesMatter says that the program has seen how many goroutines there are, or where they
	// are. Unless GoroutinesObject is among Visible.Objects, a goroutine ends, and starts others,
	// in the step of its last visible operation before.
	GoroutinesMatter bool
	NamesMatter      bool         // the program has seen the number of a goroutine or in which order they were started, or used the address of an object as a number
	PlacesMatter     bool         // the program has seen at which of several places it is from which it continues in the same way
	Unprotected      []Allocation // see Plan.ForgetAccesses
	LocksMatter      bool         // a goroutine has unlocked what another one had locked, or locked what had been overwritten while it was locked
	UsesMatter       bool         // there was a plain access to a cell that others had used for a primitive or accessed atomically, or a send on a closed channel
	TimersHeld       bool         // a timer waited for its time while something else could happen, or the clock was read more than once (see Settings.Stall)
	TimeCut          bool         // the run was cut short: the target had returned, and goroutines or timers went on to wait for a time again and again
	Bounds           Bounds       // what the run did not do, although it could have
	Skipped          bool         // the test skipped itself
	Parallel         bool         // a test that the target started called T.Parallel
	Shape            uint64       // of the objects that are inputs: different for runs in which pointers were chosen differently, 0 if there are none
	Seeds            []Input      // inputs that the target provides (F.Add)
	Params           []Param      // of the function passed to F.Fuzz
	Message          string       // for outcomes Unsupported and Bounded: what happened, where, and the call chain
}

// A Condition is an element of the path condition.
type Condition struct {
	Event     int32 // index in Trace.Events, -1 without Plan.Record
	Decision  int32 // number of decisions taken before it
	Goroutine int32
	Site      SiteID
	Cond      expr.ID // holds in this run
	Value     expr.ID // Concretized: the expression that was made concrete; Cond says that it equals its value in this run
	Kind      ConditionKind
	Negated   bool // Cond is the negation of the condition in the code
}

// A ConditionKind says where a condition comes from.
type ConditionKind uint8

// The kinds of conditions.
const (
	Jump        ConditionKind = iota // a conditional jump of the code
	Check                            // an implicit check: nil, index, division, close
	Concretized                      // an address, length or map key was fixed to its value in this run
	Assumed                          // holds by construction (bounds of an input); a search does not negate it
)

// An InputVar is a drawn input variable.
type InputVar struct {
	Name  string
	Width uint8
	Kind  uint8 // a code.Kind, 0 if only the width is known
	Value uint64
	Sym   expr.ID
	// Absent is the value that the variable has if the plan gives none.
	Absent uint64
	// Type is the type as Go writes it, that of x for a variable named len(x), if the machine knows it.
	Type string
	// Choice says that the variable is no part of a value: it is a boolean that says
	// which of the values that are alike is meant.
	Choice bool
	// Ranged says that the variable was drawn as a number that is at most Size above Low.
	Ranged    bool
	Low, Size uint64
	// Site is where the program drew a random number. Other variables have none.
	Site SiteID
}

// TypesPrefix begins the type of the input that says which dynamic type an interface has.
const TypesPrefix = "type "

// DynamicTypes returns the types of which the variable chooses one, from 1 on, if it is the dynamic
// type of an interface. 0 stands for nil.
func (v *InputVar) DynamicTypes() (list []string, ok bool) {
	text, ok := strings.CutPrefix(v.Type, TypesPrefix)
	if !ok {
		return nil, false
	}
	return strings.Split(text, "|"), true
}

// GivenUp records that something was not treated in full, so that the verdict cannot be
// "holds".
type GivenUp struct {
	What   string // for example "value of a shared variable made concrete"
	Site   SiteID // the innermost one outside the standard library
	Called int32  // the function of the standard library that was called there, -1 if it was none
}

// What is given up at an access to a table at an index that depends on the input, if another
// goroutine accesses the table at the same time: in runs with other inputs, the accesses may race.
const (
	WrittenIndexed = "access to a table that another goroutine writes at an index that depends on the input"
	ReadIndexed    = "write to a table that another goroutine reads at an index that depends on the input"
)

// Races reports whether nothing but data races was given up: in a program without any, the run is exact.
func (g GivenUp) Races() bool { return g.What == WrittenIndexed || g.What == ReadIndexed }

// An Access says that a goroutine accessed an object, and whether it wrote it.
type Access struct {
	Object    ObjectID
	Goroutine int32
	Wrote     bool
}

// A Symmetric is a goroutine and one that was started before it, in the place of which it could
// have been started: the two can do the same.
type Symmetric struct{ Goroutine, Earlier int32 }

// Cover marks a branch of the program as covered.
func (t *Trace) Cover(branch int32) {
	for int(branch)>>6 >= len(t.Covered) {
		t.Covered = append(t.Covered, 0)
	}
	t.Covered[branch>>6] |= 1 << (branch & 63)
}

// Clone returns a copy of t that stays valid during later runs, except for its
// expressions, which belong to the machine's arena.
func (t *Trace) Clone() *Trace {
	c := *t
	c.Decisions = slices.Clone(t.Decisions)
	c.Events = slices.Clone(t.Events)
	c.Inputs = slices.Clone(t.Inputs)
	c.Path = slices.Clone(t.Path)
	c.Correspondences = slices.Clone(t.Correspondences)
	c.GivenUp = slices.Clone(t.GivenUp)
	c.PlacedBounds = slices.Clone(t.PlacedBounds)
	c.Accesses = slices.Clone(t.Accesses)
	c.Covered = slices.Clone(t.Covered)
	c.TestFailures = slices.Clone(t.TestFailures)
	c.Tests = slices.Clone(t.Tests)
	c.Subtests = slices.Clone(t.Subtests)
	c.Unjudged = slices.Clone(t.Unjudged)
	c.Unordered = slices.Clone(t.Unordered)
	c.ClosedSends = slices.Clone(t.ClosedSends)
	c.Seeds = slices.Clone(t.Seeds)
	return &c
}

// keptEvents is the largest capacity of Events that Reset keeps for the next run. More
// memory than that is left to the garbage collector.
const keptEvents = 1 << 16

// Reset makes t the trace of a run that has not begun. It reuses the memory of those
// parts of the old trace that are no longer valid.
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
		PlacedBounds:    t.PlacedBounds[:0],
		Accesses:        t.Accesses[:0],
		Covered:         t.Covered[:0],
	}
}
