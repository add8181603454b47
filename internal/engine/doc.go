// Package engine takes a target to a verdict: it owns the loop in which a
// strategy gives a plan, a machine carries it out, the findings of the run are
// judged, and the strategy learns from the trace.
//
// The path of a value: [Search] makes a worker (a program, a machine and its
// arena) for a [load.Target], lets a mix of strategies search (mix.go), and gives a
// [Result]. A strategy that can be divided searches in rounds of tasks over several
// workers (divide.go, task.go, crew.go); what is done and what is left is on disk
// while it goes on (state.go), and how much is left is estimated (size.go). A finding is written to disk as soon as it is known: first as it was
// seen, then minimised (minimise.go), as a run file that [Replay] runs again and
// as a seed for go test (corpus.go).
package engine
