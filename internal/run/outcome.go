package run

import "slices"

var outcomeNames = [...]string{
	Finished: "finished", Failed: "failed", Stopped: "stopped", Infeasible: "infeasible",
	Unsupported: "unsupported", Bounded: "bounded",
}

func (o Outcome) String() string { return outcomeNames[o] }

var findingNames = [...]string{
	Panic: "panic", TestFailure: "test failure", FatalError: "fatal error",
	Deadlock: "deadlock", Leak: "leak", Race: "data race", Livelock: "livelock",
}

// String returns the kind's name as reports and run files have it.
func (k FindingKind) String() string { return findingNames[k] }

// Clone returns a copy of t that stays valid during later runs, but for its
// expressions, which live in the machine's arena.
func (t *Trace) Clone() *Trace {
	c := *t
	c.Decisions = slices.Clone(t.Decisions)
	c.Events = slices.Clone(t.Events)
	c.Inputs = slices.Clone(t.Inputs)
	c.Path = slices.Clone(t.Path)
	c.Correspondences = slices.Clone(t.Correspondences)
	c.Findings = slices.Clone(t.Findings)
	c.GivenUp = slices.Clone(t.GivenUp)
	c.Accesses = slices.Clone(t.Accesses)
	c.Covered = slices.Clone(t.Covered)
	c.Seeds = slices.Clone(t.Seeds)
	return &c
}

// keptEvents is the number of events for which the next run has room: more is too
// much to hold on to.
const keptEvents = 1 << 16

// reset makes t the trace of a run that has not begun. What is not valid any
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
