// Package check says what is wrong with a run. The trace of a run holds facts: the
// panic that ended it, the goroutines that got no further, the accesses that nothing
// orders. A [Detector] makes findings of them, of one [Kind], and has a file and a row in
// [Detectors]; [Judge] applies them all. A [Key] tells whether two runs show the
// same finding, and [Same] compares two runs of one plan.
package check
