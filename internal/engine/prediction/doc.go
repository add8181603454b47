// Package prediction makes the runs that findings in a schedule predict.
//
// A finding has a witness: an order of the events of the schedule, not all of them, after which something is
// wrong ([analysis.Finding]). A [Confirmer] reads the events of the schedule and what it says of the program that was
// run, loads the program, and turns the witness into a run to be followed: the same target with the same input, whose
// goroutines take the steps of the witness in its order, the last of which need not be possible. Everything
// that several goroutines access is visible, so that accesses come in that order, too. If the run shows the
// finding, it is saved as a run file, as those of a search are. Otherwise the [Result] says why not: where the run
// had to leave the order, or what it showed instead.
//
// A finding that is observed in the schedule as it is has the schedule itself as its witness.
package prediction
