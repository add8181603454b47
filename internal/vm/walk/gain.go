package walk

import (
	"slices"
	"time"
)

// A Gain measures what is gained by walking summaries, and decides whether a machine does. The time
// of batches of runs with and without is compared, for each instruction, in turns. If too little is
// gained, code is executed in the runs that follow, and no trees are made, until it is measured
// again, after twice as many runs each time. So what is lost is a small part of a search, whatever
// the program is.
//
// Trees are made only as long as that takes a small part of the time of runs. It is measured when
// no tree has been asked for in a number of runs.
//
// It is about time alone: a run is the same with and without.
type Gain struct {
	quiet   int           // runs since a tree has been asked for
	warm    int           // runs before the first measurement
	runs    int           // that the batch under way has
	left    int           // runs until it is measured again
	batches [2][]float64  // time for each instruction, of batches without and with
	with    int           // 1 if summaries are walked in the batch
	time    time.Duration // of the runs of the batch
	work    int64         // instructions of these
	off     bool          // too little is gained
	was     bool          // off, before the measurement under way
	pauses  int           // measurements that have had the same result
	total   time.Duration // of all runs
	made    time.Duration // for making trees
}

const (
	batch    = 32   // runs
	batches  = 5    // of each kind
	quiet    = 256  // runs in which no tree is asked for, before it is measured
	warmest  = 8192 // runs after which it is measured in any case
	pause    = 1024 // runs between measurements, at first
	pauses   = 6    // it is doubled so often at most
	least    = 0.02 // has to be gained
	makeable = 32   // making trees takes such a part of the time
)

// Begin is called before a run. It has the machine walk summaries or not.
func (a *Gain) Begin(w *Walker) {
	w.Off = a.off || a.measures() && a.with == 0
	w.Sparing = a.off || a.made > a.total/makeable
}

// measures reports whether the next run is of a batch.
func (a *Gain) measures() bool { return a.left == 0 && (a.quiet >= quiet || a.warm >= warmest) }

// End is called after a run, with its instructions and the time that it took.
func (a *Gain) End(w *Walker, instructions int64, took time.Duration) {
	measured := a.measures()
	a.made += w.made
	a.total += took
	if w.Off {
		w.Counts.Off++
	}
	if took -= w.made; w.asked && !a.off {
		a.quiet = 0
	}
	a.quiet++
	a.warm++
	w.Off, w.Sparing, w.asked, w.made = false, false, false, 0
	switch {
	case a.left > 0:
		if a.left--; a.left == 0 {
			a.was, a.off = a.off, false
		}
	case measured:
		a.time += took
		a.work += instructions
		if a.runs++; a.runs == batch {
			a.end(w)
		}
	}
}

// end ends a batch.
func (a *Gain) end(w *Walker) {
	a.batches[a.with] = append(a.batches[a.with], float64(a.time)/float64(max(a.work, 1)))
	a.runs, a.time, a.work, a.with = 0, 0, 0, 1-a.with
	if len(a.batches[1]) < batches {
		return
	}
	gain := 1 - median(a.batches[1])/median(a.batches[0])
	w.Counts.Gain = gain
	a.batches = [2][]float64{}
	if a.off = gain < least; a.off == a.was {
		a.pauses = min(a.pauses+1, pauses)
	} else {
		a.pauses = 0
	}
	a.left = pause << a.pauses
}

// median returns the median of numbers.
func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}
