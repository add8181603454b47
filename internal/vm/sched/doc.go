// Package sched makes runs: it decides, at each scheduling point, which goroutine takes
// the next step.
//
// A [Scheduler] has every goroutine executed up to its next visible operation by an
// [Executor], and then grants one of the enabled operations (step.go). What parked
// goroutines are about to do, it remembers from one scheduling point to the next
// ([PendingOperations]). Channels (communication.go), timers and synctest's bubbles
// (timer.go, bubble.go) say what is enabled there. A run that begins as the one before
// resumes at a checkpoint of it (resume.go), and long runs are watched for states that
// repeat (cycle.go).
package sched
