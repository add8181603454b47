package strategy

import (
	"context"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
)

// A Strategy decides what to run next. The engine alternates Next and Learn until Next returns
// nil or the budget is spent. A strategy is deterministic: all it does follows from its options
// and the traces that it was given.
type Strategy interface {
	// Next returns the next job, or nil if the search is finished. The job and its plan are
	// valid until the next call; the maps and slices of the plan are not changed later. The
	// error is that of ctx if it ends before Next is done; Next may be called again.
	Next(ctx context.Context) (*Job, error)
	// Learn takes the trace of the job that Next returned last. The trace's expressions live
	// in from, and only until Learn returns. The error is that of ctx if it ends before Learn
	// is done: then what the job was to explore counts as unexplored, and only Status and
	// Export may be called.
	Learn(ctx context.Context, job *Job, trace *run.Trace, from *expr.Arena) error
	// Status describes the search so far.
	Status() Status
}

// A Divisible strategy explores a tree of runs that is fixed: each item of its frontier leads to
// one run, the items that Learn adds are the children of that run, and no run occurs twice,
// in whatever order and by whichever instances the items are explored. So other instances can
// explore a part of a search, now (workers) or later (a search that is resumed).
//
// A new instance has one item, the root.
type Divisible interface {
	Strategy
	// Export removes the unexplored items and returns them in the order in which Next would
	// have taken them. The first is that of the last job if Learn has not had its trace. Each
	// is self-contained and portable: any instance for the same build can import it.
	Export() []Item
	// Import adds items, in that order, before those that there are.
	Import(items []Item) error
}

// An Item is a run that has not been made, in a portable form. What it has in common with other
// items is stored once, for all of them: a run of n steps may lead to as many items, each of which
// begins with some of these steps.
type Item struct {
	Base *Base // what it begins with a part of, nil if it has nothing in common with others
	Data []byte
	Size int // what Data would have about, in bytes, without Base
}

// A Base is what items have in common. It does not change.
type Base struct {
	From *Base // what it begins with a part of, nil if with nothing
	Data []byte
}

// A Shared strategy consists of parts that know nothing of each other and take turns. What comes of
// a turn follows from its part alone, whichever instance has it: so several may have theirs at the
// same time, if what has come of them is taken in their order.
type Shared interface {
	Strategy
	// Turns removes the next parts that are to have their turns, n at most, in their order.
	Turns(n int) []Turn
	// IsVain reports whether there is nothing more to find in a turn, because of what was found
	// since Turns has returned it.
	IsVain(Turn) bool
	// Take makes Next return the runs of a turn, which may have begun elsewhere, and nil when it is over.
	Take(Turn)
	// Return gives a turn back that is over, or in vain, to the instance that has returned it, in
	// the order of those. Drop is instead of that for one in which nothing should have been done,
	// and drops what has come of it.
	Return(Turn)
	Drop(Turn)
}

// A Turn is that of a part of a Shared strategy.
type Turn any

// A Resumable strategy cannot be divided, but another instance can go on with it later: a search that is
// resumed.
type Resumable interface {
	Strategy
	// Save returns what is left to do: what Next would have returned next or, if Learn has not had the
	// trace of the last job, that job, and what comes after it. It is portable: any instance for the same build can
	// be restored from it. It is nil if a new instance would know as much.
	Save() []byte
	// Restore makes a new instance go on from what another one has left to do. Status counts
	// what that has done, too.
	Restore(saved []byte) error
}

// A Remembering strategy remembers what it has come to, to make fewer runs.
type Remembering interface {
	Strategy
	// Held returns about how many bytes it takes to remember that.
	Held() int64
	// Forget has the strategy forget it before its next job. It may be called by any goroutine.
	Forget()
}

// A Forced strategy draws runs, and knows whether there was anything to draw.
type Forced interface {
	Strategy
	// Forced reports whether the last run had no inputs, and nothing in it could have been otherwise: then it is likely
	// to be the only one there is.
	Forced() bool
}

// A Ranked strategy takes items in the order of their ranks.
type Ranked interface {
	Divisible
	// Rank returns the rank of an exported item: Next takes items of lower ranks first.
	Rank(item Item) int
	// Deepen says whether Next takes items depth first from now on, whatever their rank, which
	// keeps their number small. There must be no items.
	Deepen(on bool)
}

// A Job is a run to make.
type Job struct {
	Plan      *run.Plan
	Scheduler run.Scheduler
}

// A Status describes the progress of a search.
type Status struct {
	// Exhausted: every input class and every interleaving class has been run, except for what
	// the GivenUp of the traces and Open say.
	Exhausted bool
	// Finished: the strategy has no more plans, though it may prove less than Exhausted.
	Finished bool
	run.Counts
	Degree    int         // con2colic: the highest degree completed, -1 before the first
	Open      []string    // what was given up: unanswered queries, bounds
	LeftOut   []string    // why runs were left out that another strategy may make, or show not to be needed: bounds of the strategy's own
	ByDegree  []int       // con2colic: number of branches first covered at each degree
	Solver    solve.Stats // how queries were answered
	Farthest  string      // guided: how far a run has come on the way to the places to be reached
	Met       []bool      // guided: for each suspect, whether a run has come to all of its places at the same time
	Promise   string      // random: what would have been found, with what probability; empty if nothing is known
	CutLength bool        // a goroutine would have taken more steps than Config.Length in some run
	Alone     *Alone      // racing: what goroutines do that run alone; nil for other strategies
}

// An Alone says what is known of goroutines that run alone, and of the races that they may have with each other.
type Alone struct {
	Paths        int // that were run: of a goroutine, together with what comes before it
	Shapes       int // of the objects that are inputs, in which goroutines have begun
	Combinations int // pairs of paths of different goroutines in the same shape
	Integrated   int // shapes that were made for two paths
	Adjusted     int // pointers that lead elsewhere there than one of the paths wanted
	Accepted     int // of the shapes, those in which goroutines have begun
	Races        []PotentialRace
}

// A PotentialRace is two places in the code. There are paths that access the same object there, one
// of them writes, and no lock is held by both. It is confirmed if a run has shown that it is a
// race; otherwise Why says what is known.
type PotentialRace struct {
	Sites     [2]run.SiteID
	Confirmed bool
	Why       string
}

// Elsewhere is what is open if a run does not begin with the path that it was made for: there are
// then paths that no run has been made for.
const Elsewhere = "an input did not lead where it was to"
