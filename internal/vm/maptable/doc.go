// Package maptable lays out maps in memory, and iterates over them.
//
// A map is an object with a few cells. Its entries are in a table, in the order in which
// they were made. A deleted entry leaves a hole until the table is rebuilt, and larger maps
// have an index of the entries by hash. Tables, indexes and iterators are hidden objects, so
// that the whole map is in cells, which the undo log restores.
//
// [Next] decides nothing itself: it lists the entries that an iteration may visit next, and
// the caller, which knows the decisions of the run, takes one of them. How keys are hashed
// and compared is up to the caller, too.
package maptable
