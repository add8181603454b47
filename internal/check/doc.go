// Package check says what is wrong with a run. The trace of a run holds facts: the
// panic that ended it, the goroutines that got no further, the accesses that nothing
// orders. A [Detector] makes findings of them, of one [Kind]; [Judge] applies them all. A
// [Key] tells whether two runs show the same finding, and [Same] compares two runs of one
// plan.
//
// To add a kind, write its detector in a file of its own, add a row to [Detectors], and
// describe the kind in docs/findings.md. What the rest of everyway has to know of the kind
// is in the row.
package check

//go:generate go test -run TestDocs -update
