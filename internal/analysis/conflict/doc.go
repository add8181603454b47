// Package conflict pairs each access of a schedule with the earlier ones that it may race with: those of other
// goroutines that conflict with it, that it does not need (package ideal), and that no common lock excludes. A
// detector decides about each pair.
//
// Accesses to a cell are kept by the set of locks that are held, so that those which a lock
// excludes cost nothing, and by goroutine. Of each of these the last 1024 are kept.
package conflict
