package run

import "cmp"

// Settings are what a run depends on beside its plan. They stay the same for all runs of
// a search.
type Settings struct {
	Limits Limits
	// EagerTimers lets the earliest timer fire at any scheduling point, since a
	// computation can always be slower than a time-out. Without it time passes
	// only when nothing else can happen.
	EagerTimers bool
	MaxLen      int // length of the longest string or slice that is drawn as an input
	// What testing.Short and testing.Verbose report.
	Short, Verbose bool
	// Concrete says that inputs have no symbolic values: for those who want to run and
	// not to search.
	Concrete bool
}

// Limits bound a run. A run that hits one ends with outcome Bounded. A bound of
// zero is no bound.
type Limits struct {
	Instructions uint64 // in one run; in the initialisers of packages, before the first run, bootRuns times as many
	Cells        int64  // of memory, allocated in one run
	Depth        int    // frames of one goroutine
	Goroutines   int    // alive at once
	Decisions    int    // of one run
}

// Or returns l with the bounds of other where l has none.
func (l Limits) Or(other Limits) Limits {
	return Limits{
		Instructions: cmp.Or(l.Instructions, other.Instructions),
		Cells:        cmp.Or(l.Cells, other.Cells),
		Depth:        cmp.Or(l.Depth, other.Depth),
		Goroutines:   cmp.Or(l.Goroutines, other.Goroutines),
		Decisions:    cmp.Or(l.Decisions, other.Decisions),
	}
}
