package run

// An Outcome says how a run ended.
type Outcome uint8

// The outcomes.
const (
	Finished    Outcome = iota // the target returned, and every goroutine has ended or, if it leaked, is blocked
	Failed                     // a panic, fatal error or deadlock ended the run; the trace says which
	Stopped                    // the scheduler ended the run
	Infeasible                 // the plan could not be followed; Trace.Decisions shows how far it was
	Unsupported                // the code needs something that the machine does not support
	Bounded                    // a limit on instructions, memory, depth, goroutines or decisions was exceeded
)

var outcomeNames = [...]string{
	Finished: "finished", Failed: "failed", Stopped: "stopped", Infeasible: "infeasible",
	Unsupported: "unsupported", Bounded: "bounded",
}

func (o Outcome) String() string { return outcomeNames[o] }
