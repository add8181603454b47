// Package vmtest helps to test that a machine runs programs as they run natively, and
// the same way again.
//
// [Patient] is a scheduler for programs that know nothing of the machine. [Digest] sums
// up a run, so that two can be compared. An [Interruption] breaks a run off at a place
// of one's choice: the machine's next run undoes what there was of it.
package vmtest
