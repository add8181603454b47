// Package covered builds programs that keep to input-covering schedules (Bergan, Avoiding State-Space Explosion in Multithreaded
// Programs with Input-Covering Schedules and Symbolic Execution, 2014, section 3.6.2).
//
// [Write] writes the sources of such a program. In copies of the program's files each operation of synchronisation and each
// marker calls package everyway/cover, in _src, which the overlay adds to the standard library. With it go tables (tables.go),
// made of a [cover.Set]: the schedules of each epoch, and a decision tree that chooses one (tree.go). Variables that
// conditions are about are made known where their goroutine ends an epoch (variables.go). A set that the
// program cannot be kept to is refused here; what shows only when the program runs stops it.
//
// An operation is a [site]: a place in the source, and the operations of package schedule that nodes can have there. The standard
// library synchronises as it likes (section 3.4.1.2).
package covered
