// Package happensbefore finds data races: two accesses to a memory cell, at least one of them
// a write and not both atomic, that the happens-before relation of the Go memory model does
// not order (see package order).
//
// Each finding is a data race of the program, and the first one in a schedule needs no other
// order to be seen. Later ones may follow from the first. Races that the order of the
// schedule hides are not found.
//
// Reads and writes are compared as FastTrack does (Flanagan and Freund, PLDI 2009): of a cell it
// keeps the last write and the reads since then, as epochs. An event takes constant time but for
// synchronisation, which takes time in the number of goroutines, as do reads that are concurrent.
// Memory is in the number of cells and, for each lock, channel or atomic variable, of goroutines,
// but for what makes no difference any more, which is forgotten about every million events: cells
// and locks that all know of, and goroutines that have ended. A race may be missed for that if a
// goroutine has come after nothing among a million events, or if more than 4096 goroutines have
// ended without others knowing. Of more than 64 accesses to a cell those are left out of which a
// later one knows, which is then in their races. The operations of locks, wait groups and the like
// count as atomic accesses to their cells, so that a lock that is overwritten is a race, as for go
// test -race. So is an Add that raises the counter of a wait group from zero and a Wait that had to
// wait, if nothing orders them. So are a close and what panics because of it, a send or another
// close, which the program may recover from.
package happensbefore
