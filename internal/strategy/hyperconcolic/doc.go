// Package hyperconcolic searches all inputs and all interleavings, each class of
// them once.
//
// # Classes
//
// Two steps of a run are dependent if their order can matter ([vm.Dependent]).
// Runs that differ only in the order of independent steps are one class: a class
// is a set of events and, of each event, what happened before it. It is to be run
// once for each way that the conditions on its inputs can go.
//
// # The tree
//
// The search is that of a tree, whose nodes are beginnings of runs. At a node there
// is a default: a thread that is to go on. Of the classes that begin as the
// node does, each belongs to one child:
//
//   - those in which the next event of the thread comes after nothing else but
//     the node: there is a child for each thing that the thread can do, the
//     default first;
//   - the others. In each of them something has happened, beyond the node, that
//     is dependent with what the thread would do. Of all such events take those
//     before which there is no other, and of these that of the first goroutine.
//     There is a child for each such winner and the events that happened before
//     it, which are moved to the node together with it.
//
// So every class is the end of one path. The children of the first sort are known
// at the node. Those of the second are found in the default's subtree, from the
// runs themselves: all that is moved before the winner is independent of the
// default, so there are runs in which it happened after it. Of these one is to find
// the child: the one that, from the node on, follows every default but where that
// is dependent with something to be moved, and that has come to the last event to
// be moved. Whether a run is that one can be told from the run alone
// (placement.try), as with the revisits of TruSt (Kokologiannakis, Marmanis,
// Gladstein, Vafeiadis: Truly Stateless, Optimal Dynamic Partial Order Reduction,
// POPL 2022), whose idea this is, turned from reads and writes to steps of any
// kind on any objects that may have to wait for each other. No set of what has
// been seen is kept. Items of the frontier can be explored in any order, by anyone.
//
// A branch on an input is a choice of its own: the way it goes first, and the other
// if the solver says that there is one under all conditions before it (as
// ConDPOR joins the two, CONCUR 2025). The run that finds a child is one in which
// the branches of the events that are left behind have gone as they went first,
// if what is moved leaves them that way.
//
// # What a run that is for nothing is for
//
// A child is made when its winner is possible. Now and then what follows turns out
// to belong to other children all the same: then the run is counted as redundant.
// That happens only when the thread that was kept back can do several things
// (selects; several partners on an unbuffered channel). A winner of which nobody
// could tell that it is not possible gives a run that is counted as blocked.
//
// Steps that end the run come last, and of them each is tried. That an unlock is
// of an unlocked mutex is seen only when it is done: such a run is made once more
// with the step last, and itself counted as redundant. Plain memory accesses are no steps until a race is found, from then on those at the two sites
// are, and the search begins anew.
//
// # How a value passes through
//
// The [item] that Next takes from the frontier says which moves a run begins with.
// Those that the run before began with too are not made again: the watcher says how
// many steps that are and goes back there (cut.go), as the machine does ([vm.Resumer]).
// The watcher makes the others, goes on by default and keeps the [execution]: events,
// their clocks and nodes. After each new event it looks for the children that it
// gives rise to (revisit.go, placement.go). Learn makes items of those, and of the
// conditions that can go another way (branching.go, flip.go).
package hyperconcolic
