// Package vmtest provides support for tests of the machine: that programs behave as they
// do natively, that a run can be repeated, and that a search finds what it should.
//
// [Load] loads packages, and [Boot] returns a machine at the start of a [Function] or
// [Target] of theirs.
//
// [Patient] is a scheduler for programs that were not written for the machine. [Digest]
// summarises a run, so that two runs can be compared. An [Interruption] cancels a run at a
// chosen place, which tests that the machine's next run undoes what it has done.
package vmtest
