// Package vmtest helps to test what runs on a machine: that programs run as they run
// natively, and the same way again, and that a search of them finds what there is.
//
// [Load] loads packages, and [Boot] gives a machine at the start of a [Function] or of a
// [Target] there.
//
// [Patient] is a scheduler for programs that know nothing of the machine. [Digest] sums
// up a run, so that two can be compared. An [Interruption] breaks a run off at a place
// of one's choice: the machine's next run undoes what there was of it.
package vmtest
