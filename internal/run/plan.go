package run

import "maps"

// A Plan says how to carry out a run: with which input and, at the beginning, with which
// schedule. It is self-contained: the same plan with the same scheduler gives the same
// trace.
type Plan struct {
	Input Input
	// Prefix holds the first decisions of the run, in order; after them the Scheduler
	// decides. A decision that is not possible when its turn comes ends the run with
	// outcome Infeasible.
	Prefix []Decision
	// Visible names the plain memory accesses that are visible operations.
	Visible Visible
	// ReadSymbols makes every read of a shared object yield a fresh symbol, named after
	// the reader and its count of events (con2colic, section 4).
	ReadSymbols bool
	// Merge says which small branches are merged: the machine carries out both sides and
	// represents their results as an if-then-else expression, so that the branch does not
	// add to the path condition.
	Merge Merging
	// OneOrder says that nothing is concluded from the run about runs in another order of steps. So
	// who else uses the elements of an array does not matter where one of them is accessed at an
	// index that is an input. A race that is seen there may be one with some inputs only of those
	// that take the path.
	OneOrder bool
	// AddsCommute says that the order of the Adds and Dones of a wait group makes no difference,
	// nor that of additions to an atomic variable whose results nobody reads, nor that of signals
	// of a condition variable for which nobody waits ([Transition.Commutes]). Trace.AddsMatter is
	// set if the run shows that it does.
	AddsCommute bool
	// ForgetUses says that fingerprints leave out who has used a lock or another primitive, or
	// accessed a cell atomically, and when. They say only whether there are such uses that not all
	// know of: a plain access to the same cell can race with them. Nor do they say who knows that a channel
	// has been closed. Trace.UsesMatter is set if there is such an access, or a send on a closed channel.
	ForgetUses bool
	// ForgetAccesses says that fingerprints leave out who knows of accesses that cannot race as long as
	// the program goes on as it has done since there are several goroutines: of plain reads of an object to
	// which nobody writes after that, and of accesses to an object that all are made with the same lock held. If
	// somebody accesses such an object in another way, its allocation is added to Trace.Unprotected. Of objects of
	// the allocations in Unprotected, which is not changed in place, the same holds for each cell by itself, if they
	// are small variables, and else they are left alone. Trace.LocksMatter is set if a
	// goroutine unlocks what another one has locked, or locks what is locked already and has been overwritten.
	ForgetAccesses bool
	Unprotected    map[Allocation]bool
	// ForgetKnowledge says that fingerprints leave out who knows of which access, as far as that only
	// decides what races: [SchedulingPoint].Known says it. Trace.Flow is recorded. ForgetUses only concerns the
	// Adds of wait groups and the closes of channels then.
	ForgetKnowledge bool
	// ForgetUnread has fingerprints made so that words which nobody reads any more can be left out:
	// [SchedulingPoint].Words says what they add. It needs ForgetKnowledge.
	ForgetUnread bool
	// Rename says that fingerprints do not say which of the program's goroutines and objects is
	// which, as far as that only shows in their names. Trace.NamesMatter is set if the program
	// has seen them.
	Rename bool
	// MergePlaces says that fingerprints do not tell places in the code apart from which a
	// goroutine continues in the same way. Trace.PlacesMatter is set if the program has seen at
	// which of them it is.
	MergePlaces bool
	// Symmetry makes the machine fill Trace.Symmetric.
	Symmetry bool
	// Record makes the machine fill Trace.Events and Trace.Accesses. Without it the trace has only the
	// decisions, the path condition and how the run ended.
	Record bool
	// RecordPlain adds plain accesses that are not visible operations to the events, from
	// the time at which there is more than one goroutine. Reports use it.
	RecordPlain bool
	// RecordAllocations has the machine know where objects are allocated, as RecordPlain does.
	RecordAllocations bool
	// InputToState makes the machine fill Trace.Correspondences.
	InputToState bool
}

// Merging says which branches are merged.
type Merging uint8

// The choices of branches to be merged.
const (
	MergeNone    Merging = iota
	MergeLibrary         // only branches that do not count as coverage (code.Program.Branches); a search takes the others one by one
	MergeAll
)

// Visible says which plain accesses are visible operations: those at a site in Sites and those to
// an object in Objects. If CollectorObject is in Objects, it is visible what goroutines hold on to:
// a collection can come before the invisible code in which they let go of it. If GoroutinesObject
// is in Objects, it is visible how many goroutines there are: somebody can ask for the number
// before the invisible code in which a goroutine starts others, or ends.
//
// At the sites in Stops goroutines stop before they carry out the instruction there, whatever it is, until it is
// their turn: see stop.go.
type Visible struct {
	Sites   map[SiteID]bool
	Objects map[ObjectID]bool
	Stops   map[SiteID]bool
	// HideLogs says that it is no visible operation to write to the log of a test, as t.Log does.
	// Trace.LogsMatter is set if something may be written there after the test is done, which
	// panics.
	HideLogs bool
	// HideAtomics says that it is no visible operation to load a variable by package sync/atomic
	// or, with HideAdds, to add to one where nobody uses the result, unless that is at one of the
	// sites in Atomics: those of the innermost calls that are not in that package. Trace.Atomics
	// has those at which it should be one. A search that leaves out orders hides additions only
	// with Plan.AddsCommute.
	HideAtomics, HideAdds bool
	Atomics               map[SiteID]bool
	// WatchAtomics says that Trace.Atomics and Trace.QuietAtomics are wanted although nothing is hidden.
	WatchAtomics bool
}

// Clone returns a copy of v that shares nothing with it.
func (v Visible) Clone() Visible {
	return Visible{Sites: maps.Clone(v.Sites), Objects: maps.Clone(v.Objects), Stops: maps.Clone(v.Stops), HideLogs: v.HideLogs, HideAtomics: v.HideAtomics, HideAdds: v.HideAdds, Atomics: maps.Clone(v.Atomics), WatchAtomics: v.WatchAtomics}
}

// Equal reports whether two plans make the same visible.
func (v Visible) Equal(w Visible) bool {
	return maps.Equal(v.Sites, w.Sites) && maps.Equal(v.Objects, w.Objects) && maps.Equal(v.Stops, w.Stops) && v.HideLogs == w.HideLogs &&
		v.HideAtomics == w.HideAtomics && v.HideAdds == w.HideAdds && maps.Equal(v.Atomics, w.Atomics) && v.WatchAtomics == w.WatchAtomics
}

// Pauses reports whether goroutines pause between a visible operation and the invisible code that
// follows, since Objects says that what they do there is visible. Then no atomic operation is
// hidden.
func (v Visible) Pauses() bool { return v.Objects[CollectorObject] || v.Objects[GoroutinesObject] }

// Size returns how much is visible that need not be.
func (v Visible) Size() int { return len(v.Sites) + len(v.Objects) + len(v.Stops) }

// A SiteID names a place in the code by its function and instruction.
type SiteID struct {
	Func  int32 // index in the machine's table of functions
	Instr int32
}

// An Input gives values to input variables by name. Variables it does not name
// are zero.
type Input map[string]uint64

// Shared compares the variables that a run with input in has drawn, in order, with their
// values in input other. It returns the number of variables before the first difference.
func (in Input) Shared(other Input, drawn []InputVar) int {
	for i := range drawn {
		v, ok := in[drawn[i].Name]
		if u, given := other[drawn[i].Name]; u != v || given != ok {
			return i
		}
	}
	return len(drawn)
}

// A Decision is one choice of a scheduler. Where only one transition is enabled, no
// decision is taken and none is recorded: a replay takes the same transition anyway.
type Decision struct {
	Kind DecisionKind
	// Goroutine is the goroutine that takes the step (Step), or that needs
	// the value (Value), -1 for a timer.
	Goroutine int32
	// Alt distinguishes the alternatives that the goroutine has for the step (Step: the
	// select case, the partner of a rendezvous, the waiter to wake, the timer; see
	// alt.go), or is the chosen value (Value).
	Alt int32
}

// A DecisionKind says what was decided.
type DecisionKind uint8

// The kinds of decisions.
const (
	Step  DecisionKind = iota // which enabled transition is next
	Value                     // a number below a bound, for example for map order or the reuse of pooled objects
)
