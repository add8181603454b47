// Package ownership finds structures of which each has one owner: what a cache, a queue or a tree
// has made for itself, as its list and the entries of that, belongs to no other one. Where a search
// begins in the middle, pointers that may lead to the same by their types and by package pointsto
// then do not, if they are parts of two structures.
//
// # What is said
//
// A [Structure] is a type, the root, and the types of the pointers, maps, slices, channels and
// interfaces that hold such a structure together: all variables of these types, wherever they are,
// are its edges. Two variables (as everywhere: what an allocation makes, with all its parts) are in
// one component if edges lead from one to the other, in either direction. No component has two
// variables in which there are roots, at any time.
//
// # How it is proved
//
// Only a store to an edge can join components. It is enough, then, that no instruction joins two
// that may both have a root; that components fall apart again is not taken into account.
// [Program.Structures] looks at each function by itself: it finds out to which components a value
// may lead, by where it comes from: that of a parameter, of what an instruction has made, or an
// unknown one. What is loaded from an edge is in the component of the variable from which it has
// been loaded. All stores of the function, in any order, join some of these; and so do calls, for
// which there are summaries: which parameters are joined with each other or with an unknown root,
// and to the components of which parameters the results lead, or that they are new. New variables
// without a root may be joined with anything, but not with two others. In a loop, one value stands
// for several variables, so that what is made before a root and joined with it in a loop counts as
// joined with two.
//
// The rules are those of data structure analysis (Lattner, Lenharth and Adve, Making
// context-sensitive points-to analysis with heap cloning practical for the real world, PLDI 2007),
// for the one question.
//
// What package reflect or code with package unsafe may have a pointer to is not looked at: there
// are no structures of such variables.
package ownership
