package strategy

import (
	"context"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
)

// A Strategy decides what to run next. The engine alternates Next and Learn
// until Next gives nil or the budget is spent. Everything a strategy does
// follows from its seed and the traces it was given.
type Strategy interface {
	// Next returns the next job, or nil when the search is finished. The job and its
	// plan are valid until the next call; the maps and slices of the plan stay as they
	// are. The error is that of ctx when it ends while the strategy is thinking; Next may
	// be called again.
	Next(ctx context.Context) (*Job, error)
	// Learn takes the trace of the job that Next returned last. The trace's
	// expressions live in from, and only until Learn returns. The error is that of
	// ctx when it ends while the strategy is thinking: then what the job was to
	// explore counts as unexplored, and the strategy is asked for Status (and
	// Export) only.
	Learn(ctx context.Context, job *Job, trace *run.Trace, from *expr.Arena) error
	// Status sums up the search so far.
	Status() Status
}

// A Divisible strategy explores a tree of runs that is fixed: each item of its
// frontier leads to one run, the items that Learn adds are that run's children,
// and no run occurs twice, in whatever order and by whichever instances the
// items are explored. So the unexplored part of a search can be handed to other
// instances, now (workers) or later (a search that is resumed).
//
// A new instance has one item, the root.
type Divisible interface {
	Strategy
	// Export removes the unexplored items and returns them in the order in which
	// Next would have taken them. The item of a job that was not learned from is
	// the first. Each is self-contained and portable: any instance for the same
	// build can import it.
	Export() [][]byte
	// Import adds items, in that order, before those that the instance has.
	Import(items [][]byte) error
}

// A Ranked strategy takes items in an order of its own.
type Ranked interface {
	Divisible
	// Rank returns the rank of an exported item: Next takes items of lower ranks
	// first.
	Rank(item []byte) int
	// Deepen says whether Next is to take items depth first from now on, whatever
	// their rank, which keeps their number small. The instance has no items.
	Deepen(on bool)
}

// A Job is a run to be made.
type Job struct {
	Plan      *run.Plan
	Scheduler run.Scheduler
}

// A Status says how far a search has come.
type Status struct {
	// Exhausted: every input class and every interleaving class has been run,
	// but for what the traces' GivenUp and Open say.
	Exhausted bool
	// Finished: the strategy has no more plans (it may prove less than Exhausted).
	Finished bool
	run.Counts
	Degree   int         // con2colic: the highest degree completed, -1 before the first
	Open     []string    // what was given up: unanswered queries, bounds
	ByDegree []int       // con2colic: branches first covered at each degree
	Solver   solve.Stats // how queries were answered
	Promise  string      // random: what would have been found, with what probability; empty when nothing can be said
}
