// Package exhaustive searches all inputs and all interleavings, depth first.
//
// A run takes decisions (which operation is next, which value is chosen) and
// meets conditions (branches on symbolic values). Seen together they make a
// tree: a node is a run up to some point, its children are the ways to go on.
// The search visits the tree one run after another. A run that is new from
// some node on leaves work behind for each node after that: the other
// operations that could have been next, and for each condition the input that
// makes it go the other way with the same decisions before it. A piece of work
// is an [item], a plan and what is needed to know which nodes below it are
// new; it holds nothing of a machine or an arena.
//
// Two orders of independent operations lead to the same state, so only one is
// needed. Sleep sets (Godefroid, Partial-Order Methods for the Verification of
// Concurrent Systems, 1996) see to it: an operation that has been tried at a
// node sleeps in the subtrees of its later siblings until a dependent
// operation is carried out. A sleeping operation is not tried: what it leads
// to is found in the earlier subtree. A run in which all that is possible is
// asleep is redundant and ends there. A condition is evaluated in the step of
// one goroutine, so it comes under its step: flipping it keeps the sleep set of
// the step. In this way each class of paths and each class of interleavings of
// a path is run to its end once.
//
// Operations on objects that only one goroutine uses are carried out as soon as
// they can be. Plain memory accesses are not scheduling points until a race is
// found; from then on the accesses at the two sites are. Which objects are
// shared and which sites race is learned on the way: when a run shows a new
// one, the search begins anew.
package exhaustive
