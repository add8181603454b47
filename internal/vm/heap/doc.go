// Package heap holds the memory of a machine.
//
// A [Word] is what a register or a memory cell holds: a number, or a pointer, which is an
// [Object] and an offset. An object is a sequence of cells. While some of them are symbolic
// it also has a shadow, which holds their symbolic values. A [Heap] allocates objects and
// can rewind memory to a [Mark]. To make that possible, code that changes an object either
// calls [Heap.Dirty] first, which saves the cells in the undo log, or uses [Heap.Store],
// [Heap.Put] or [Heap.Move], which call it.
//
// The heap knows nothing of goroutines or of the code that runs. It is the machine that
// names the objects of a run and counts them against its limits.
package heap
