package run

// Limits bound a run. A run that hits one ends with outcome Bounded. A bound of
// zero is no bound.
type Limits struct {
	Instructions uint64 // in one run; in the initialisers of packages, before the first run, bootRuns times as many
	Cells        int64  // of memory, allocated in one run
	Depth        int    // frames of one goroutine
	Goroutines   int    // alive at once
	Decisions    int    // of one run
}
