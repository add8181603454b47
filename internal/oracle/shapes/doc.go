// Package shapes enumerates the shapes that a heap of a few objects can have, by brute force.
//
// A [Heap] has objects, whose fields are pointers to each other or nil, and roots, which are such pointers too: the
// parameters of a function, say. Everything else of an object is left out. [All] makes every heap of
// objects that have names and keeps one of those that differ only in the names, and only where each object
// can be reached. It shares no code with the machine, which makes objects when they are looked at and so
// never makes two heaps of one shape: that both count the same is unlikely to be a common mistake. The tests
// compare the counts with numbers that are known from the literature.
package shapes
