// Package con2colic is the search strategy of Farzan, Holzer, Razavi and Veith, Con2colic
// Testing (FSE 2013), extended to Go's goroutines, channels and package sync. It covers
// branches in the order of the number of interferences that they need.
//
// An interference is a read of a value that another goroutine wrote, or the receipt of one
// that it sent. What a goroutine does follows from the inputs and from the values it reads.
// So an interference scenario, the local paths of some goroutines and the interferences
// between them, stands for all runs with that flow of data. A candidate is a scenario that
// leads to something new: another side of a branch, another case of a select. The parts of
// the search are packages of their own:
//
//   - forest: the paths that runs have shown and the scenarios in them (section 5 of the
//     paper).
//   - frontier: the candidates to be checked, by degree, that is the number of their
//     interferences, and how they are extended (section 7.1).
//   - constraint: whether a candidate is realizable, by what input and what order of the
//     events, and if not, why (sections 6 and 7.2).
//   - follower: the scheduler that carries a candidate out (section 7.3).
//
// A [Strategy] joins them as algorithm 1 of the paper does. Next takes candidates from the
// frontier until one is realizable, and returns its run; those that are not are extended.
// Learn adds the run to the forest and extracts new candidates from what the goroutine of
// the scenario's sink did after it (extract.go).
//
// Waiting is an order, not an interference. An operation that is blocked when its goroutine
// runs exclusively is a dangling node like any other. The core of the candidate's constraint
// then names the operation, and an operation of another goroutine that may enable it extends
// the candidate, at the same degree. What waits for time to pass is run together with all
// that can still happen before (concurrent.go).
//
// Two things are beyond the constraints. A read without a symbol, of a map for one, is tried
// with every write there is. Which plain variables are shared is found out by the first runs
// and on the way (discovery.go); a new one makes the search begin again, with its accesses
// visible.
//
// What is covered up to a degree is what an enumeration of all inputs and interleavings
// covers with that many interferences: the tests check it on generated programs, which a
// small interpreter runs in the place of the machine (internal/toy).
package con2colic
