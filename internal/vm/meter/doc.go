// Package meter measures what the runs of a machine cost, by the call stacks of the program
// that runs on it.
//
// A [Meter] numbers call stacks. The machine tells it of each step and, now and then, of the
// instructions that it has executed since, with the stack of the goroutine that is at it. It
// also keeps the stacks at the decisions and at the conditions of the run in progress, so that
// who knows at which of them a run departs from others knows where that is. What a meter counts
// makes no difference to a run.
package meter
