// Package narrative tells people what is wrong with a run, from the run alone.
//
// A [Narrative] is made of a recorded run. [Narrative.Sentence] says what is wrong in one sentence,
// where, and why: which goroutine holds the lock that another one waits for, or which two accesses
// nothing orders. [Narrative.Steps] are the steps that matter, a row for each line of source, and
// [Narrative.Goroutine] is what people call a goroutine: the function that it runs and where it was
// started.
//
// Which steps matter is up to [Relevant]: it follows the values that the failing goroutines have
// read to the goroutines that wrote them, cell by cell, and adds what they have come too early or
// too late for. Reports lay out what this package returns.
package narrative
