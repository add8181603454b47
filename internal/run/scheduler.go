package run

// A Scheduler answers where the plan is silent.
type Scheduler interface {
	// Choose returns the index of one of p.Options, or a negative number to
	// end the run here with outcome Stopped. p is valid during the call only.
	Choose(p *SchedulingPoint) int
}

// A Continuing scheduler chooses as RunOn does at most scheduling points, and knows
// when without having seen the transitions. The machine then need not list them.
type Continuing interface {
	Scheduler
	// Continues reports whether the next choice of a step is that of RunOn.
	Continues() bool
	// Continued is called instead of Choose when the machine has made that choice.
	Continued()
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
	Stepping(o *Transition, t *Trace) bool
}

// A Resumer is a Watcher whose runs begin alike. Resumers are compared: the dynamic
// type is one that can be.
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

// A Point is a place at which a run can go on in more than one way. For Step
// points, Options are all enabled operations, ordered by creation of the
// goroutine and then by alternative, timers last; for Value points, Options is
// empty and N is the bound.
type SchedulingPoint struct {
	Kind    DecisionKind
	Enabled []Transition
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
	Pending []Transition
	Trace   *Trace // so far
	// Overdue is, for Step points of a run that has become long, the index of an option of the
	// goroutine that has waited for the longest, otherwise -1. A scheduler that goes
	// on with a goroutine as long as it can had better take it: a run that keeps others
	// waiting for ever tells nothing.
	Overdue int
}
