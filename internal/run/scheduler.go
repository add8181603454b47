package run

// A Scheduler takes the decisions that the plan leaves open.
type Scheduler interface {
	// Choose returns the index of one of p.Enabled, or a negative number to
	// end the run here with outcome Stopped. p is valid during the call only.
	Choose(p *SchedulingPoint) int
}

// A Continuing scheduler makes the choice of NonPreemptive at most scheduling points, and
// knows where without seeing the transitions. The machine then does not compute them.
type Continuing interface {
	Scheduler
	// Continues reports whether the next choice of a step is the one of NonPreemptive.
	Continues() bool
	// Continued is called instead of Choose when the machine has made that choice itself.
	Continued()
}

// A Watcher is a Scheduler that sees every step, including the steps of the plan's
// prefix and those where only one transition is enabled. Searches that compute the
// dependences between steps need them all.
type Watcher interface {
	Scheduler
	// Stepping is called when transition t is about to be carried out. If it was a
	// decision, trace.Decisions already contains it. If Stepping returns false the run
	// ends before the step, with outcome Stopped. Both arguments are valid during the
	// call only.
	Stepping(t *Transition, trace *Trace) bool
}

// A Resumer is a Watcher whose consecutive runs share prefixes, so that the machine can
// resume a run at a checkpoint of the previous one. Its dynamic type must be comparable.
type Resumer interface {
	Watcher
	// Resume is called at the start of a run. If the machine's previous run had the same
	// Resumer, last is the trace of that run, otherwise nil. The result is the number of
	// steps that the new run shares with it, 0 if last is nil; Stepping and Choose are
	// called only for the steps after those.
	//
	// The previous run must have had at least one more step. The machine's settings must
	// not have changed, and the two plans, which have no prefix, may differ only in inputs
	// that are not drawn in the shared steps.
	Resume(last *Trace) int
}

// A SchedulingPoint is a state of a run in which there is a choice. If its Kind is Step,
// Enabled holds all enabled transitions, in the order in which their goroutines were
// created and then by alternative, with timers last. If it is Value, Enabled is empty and
// the choice is a number below N.
type SchedulingPoint struct {
	Kind    DecisionKind
	Enabled []Transition
	N       int
	// Last is the goroutine that took the last step, -1 at the start and after
	// a timer.
	Last int32
	// Goroutine is the goroutine that needs the value, if Kind is Value, -1 for a timer. That needs
	// to know to which of N Receivers, which have waited for it, it sends.
	Goroutine int32
	Receivers []int32
	// Pending holds the pending operation of every goroutine that has not ended, enabled
	// or not, in the same order as Enabled. A select has an entry for each case. An
	// operation that can be completed in several ways, with several partners, has one
	// entry here and several in Enabled.
	Pending []Transition
	Trace   *Trace // of the run so far
	// Overdue is the index in Enabled of a transition of the goroutine that has waited
	// longest, if this is a Step of a run that has become long, and otherwise -1. A
	// scheduler that would keep running one goroutine as long as possible should take it,
	// since a run that starves the other goroutines shows nothing.
	Overdue int
	// Fingerprint returns the fingerprint of the state of the run, false if the state has none.
	// It is nil if Kind is Value, unless the value says which entry of a map is next. The Naming
	// is nil if states with that fingerprint have the same names; it is valid until the next
	// call. All is computed when Fingerprint is called, which may be done during a call of Choose
	// or, for the state before the step, of Watcher.Stepping.
	Fingerprint func() (Fingerprint, *Naming, bool)
	// Known returns who knows of which access, with Plan.ForgetKnowledge. It may be called after Fingerprint
	// has returned true, for the same state. The result is valid until the next call. It is nil if Fingerprint
	// is. Which accesses it lists follows from what wants says.
	Known func(wants func(of Allocation, kind AccessKind) Interest) *Knowledge
	// Words returns the words of memory, among those of the state, to which goroutines come by
	// plain reads and writes, in an order that is the same for states that differ only in what is
	// in them, with Plan.ForgetUnread. It may be called after Fingerprint has returned true, for
	// the same state, and is nil if Fingerprint is. The result is valid until the next call.
	Words func() []PlainWord
	// Turned says whether goroutines are alike: those of the last Naming that have one Like, which
	// is first. It may be called after Fingerprint has returned a Naming, for the same state, and
	// ends what Known and the Naming are valid for. It is true if the state stays the same when
	// each of them takes the place of the one before it, and the first that of the last. Then
	// objects has those that take the places of the Objects of the Naming.
	Turned func(first int32) (objects []ObjectID, ok bool)
}

// Continue returns the index of the first enabled transition of the goroutine that took the
// last step, 0 if it has none.
func (p *SchedulingPoint) Continue() int {
	for i := range p.Enabled {
		if p.Enabled[i].Goroutine == p.Last {
			return i
		}
	}
	return 0
}
