// Package heap holds the memory of a machine.
//
// A [Word] is what a register or a memory cell holds: a number, or a pointer as an
// [Object] and an offset. An object is a run of cells, beside which there are symbolic
// values, its shadow, while one of them is symbolic. A [Heap] makes objects and takes memory
// back to a [Mark]: whoever changes an object calls [Heap.Dirty] before, so that its cells
// are saved, or uses [Heap.Store], [Heap.Put] and [Heap.Move], which do.
//
// What a run allocates is named by the machine, which also counts it against its limits;
// the heap knows neither goroutines nor code that runs.
package heap
