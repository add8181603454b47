// Package lockset finds pairs of accesses to a memory cell by different goroutines, at least
// one of them a write and not both atomic, that no lock protects: none is held at both, but
// for one that both hold for reading (Savage, Burrows, Nelson, Sobalvarro and Anderson: Eraser,
// ACM TOCS 1997).
//
// It is a question of discipline, not of what can happen: accesses that something else
// orders, such as a channel, a wait group or a go statement, are reported as well. So every
// finding is only suspected. In return it does not depend on the order of the schedule: each
// data race of two accesses in it that a reordering can show, by whatever means, is
// among them, as far as the bound below allows. It is a filter for detectors that take more time.
//
// An access takes constant time on average and memory is in the number of cells: of each cell,
// an access is kept for every goroutine and set of locks, and at most 64. If there are
// more, the oldest is forgotten.
package lockset
