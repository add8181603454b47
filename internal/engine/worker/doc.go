// Package worker makes the runs of a target. A [Worker] is a machine that stands at the
// target's start, with the program compiled for it: it makes the next run of a strategy
// ([Worker.Step]), explores a part of a search that several workers share ([Worker.Explore]),
// and estimates how large such a part is ([Worker.Probe]). What its runs add up to is a
// [Stats].
//
// A finding becomes a file by [Worker.Save]: the run is written as it was seen, then made
// smaller and written again, in a form in which every number that means something to this
// machine only is a name. For a fuzz target the input is written as a seed for go test.
// [Replay] makes such a run again.
package worker
