// Package pointsto finds out what pointers may point to.
//
// It is an inclusion-based analysis (Andersen, Program analysis and specialization for the C
// programming language, 1994, chapter 4) that tells the fields of structs apart, with one call
// graph for all contexts, which it finds as it goes: [Solve] begins with the roots of a
// [callgraph.Graph], makes constraints of the code of each function that is called, and solves
// them. Sets are propagated by their differences, in topological order, and cycles of copies are
// merged (Pereira and Berlin, Wave propagation and deep propagation for pointer analysis, CGO
// 2009).
//
// An [Object] is what an instruction allocates, a package variable, a function, or the copy of a
// value in an interface. It has a slot for each field that is not a struct itself; the elements of
// an array or a slice have one between them, and so have the keys of a map, its values, and the
// elements of a channel. What a pointer may point to is a set of slots.
//
// # What is not known
//
// The machine carries out functions that have no code, package reflect reads types and not
// variables, and package unsafe makes a pointer point to another type. What is given to any of
// these is *exposed*: it may point to whatever else is exposed and has the right type, and so may
// what comes back (exposed.go). A call of the machine's may be one of any function that is exposed,
// with such arguments. So what package reflect does is covered, and code that uses it is told less
// about. The functions of the machine of which it is known what they do are in the table of
// machine.go.
//
// # What is assumed
//
// The number of a pointer, a uintptr, leads back to what is exposed only. Strings point to nothing.
package pointsto
