// Package disk is what everyway writes files with, and reads those that it has written. A file
// is a [Path]: a name in a directory that no name and no symbolic link leads out of. It is
// complete at every moment: after a crash, too, it is the whole of what it was before or the
// whole of what it was to be.
//
// All operations are those of a [System], so that tests can have each of them fail.
package disk
