// Package sched carries out runs: it decides, at each scheduling point, which goroutine
// takes the next step.
//
// A [Scheduler] lets an [Executor] execute every goroutine up to its next visible
// operation, and then grants one of the enabled operations (step.go). It keeps the
// [PendingOperations] of the parked goroutines from one scheduling point to the next, so
// that only those are computed again that may have changed (pending.go). Which of them are
// enabled depends on channels (communication.go) and on who is known to wait there (package
// queue), on time (time.go and package clock), the bubbles of testing/synctest (bubble.go) and
// the primitives.
//
// A run that begins like the previous one resumes at a checkpoint of that run (resume.go),
// and long runs are checked for states that repeat (cycle.go).
package sched
