package run

// An Outcome says how a run ended.
type Outcome uint8

// The outcomes.
const (
	Finished    Outcome = iota // the target returned and every goroutine ended or (a leak) is blocked
	Failed                     // a panic, fatal error or deadlock ended it; the trace has which
	Stopped                    // the scheduler ended it
	Infeasible                 // the plan could not be followed; Decisions tells how far it went
	Unsupported                // the code needs what the machine does not have
	Bounded                    // a bound of steps, memory, depth or goroutines was hit
)

var outcomeNames = [...]string{
	Finished: "finished", Failed: "failed", Stopped: "stopped", Infeasible: "infeasible",
	Unsupported: "unsupported", Bounded: "bounded",
}

func (o Outcome) String() string { return outcomeNames[o] }
