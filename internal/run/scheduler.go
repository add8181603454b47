package run

// A Scheduler takes the decisions that the plan leaves open.
type Scheduler interface {
	// Choose returns the index of one of p.Enabled, or a negative number to
	// end the run here with outcome Stopped. p is valid during the call only.
	Choose(p *SchedulingPoint) int
}

// A Continuing scheduler chooses as NonPreemptive does at most scheduling points, and knows
// when without having seen the transitions. The machine then need not list them.
type Continuing interface {
	Scheduler
	// Continues reports whether the next choice of a step is that of NonPreemptive.
	Continues() bool
	// Continued is called instead of Choose when the machine has made that choice.
	Continued()
}

// A Watcher is a Scheduler that sees every step, including those of the plan's
// prefix and those without a choice. A search that computes which steps depend on
// each other needs them all.
type Watcher interface {
	Scheduler
	// Stepping is called when transition t is about to be carried out. If the step
	// was a decision, trace.Decisions holds it already. When it returns false the
	// run ends before the step, with outcome Stopped. Both are valid
	// during the call only.
	Stepping(t *Transition, trace *Trace) bool
}

// A Resumer is a Watcher whose runs share prefixes, so that the machine can resume a run
// at a checkpoint of the last one. Its dynamic type must be comparable.
type Resumer interface {
	Watcher
	// Resume is called at the start of a run. If the machine's last run was the
	// Resumer's too, last is its trace, otherwise nil. The result is the number of
	// steps of that run with which this one begins, 0 when last is nil; Stepping and
	// Choose are called for what comes after them only.
	//
	// The run before must have had a further step. The machine's settings and the plans,
	// which have no prefix, must be the same but for inputs that are not drawn in those
	// steps.
	Resume(last *Trace) int
}

// A SchedulingPoint is a state of a run in which there is a choice. If its Kind is
// Step, Enabled holds all enabled transitions, ordered by creation of the
// goroutine and then by alternative, timers last. If it is Value, Enabled is
// empty and N is the bound.
type SchedulingPoint struct {
	Kind    DecisionKind
	Enabled []Transition
	N       int
	// Last is the goroutine that took the last step, -1 at the start and after
	// a timer.
	Last int32
	// Goroutine is, for a Value, the goroutine that needs it.
	Goroutine int32
	// Pending holds the next operation of every goroutine that has not ended,
	// enabled or not, in the order of Enabled. A select has an entry for each
	// case; an operation that can be completed in several ways (by several
	// partners) has one here and several in Enabled.
	Pending []Transition
	Trace   *Trace // so far
	// Overdue is, for a Step of a run that has become long, the index of a transition of the
	// goroutine that has waited longest, otherwise -1. A scheduler that keeps running
	// one goroutine for as long as it can should take it: a run that starves the
	// others shows nothing.
	Overdue int
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
