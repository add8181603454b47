// Package prediction makes the runs that findings in a schedule predict.
//
// A finding has a witness ([analysis.Finding]): an order of some of the events of the schedule, after
// which something is wrong. A [Confirmer] reads the events of the schedule and what it says of the
// program that was run, loads the program, and turns the witness into a run: the same target with
// the same input, whose goroutines take the steps of the witness in its order. The last of them
// need not be possible. Everything that several goroutines access is visible, so that accesses come
// in that order, too. If the run shows the finding, it is saved as a run file, like those of a
// search. Otherwise the [Result] says why not: where the run had to leave the order, or what it
// showed instead.
//
// A finding that is observed in the schedule as it is has the schedule itself as its witness.
package prediction
