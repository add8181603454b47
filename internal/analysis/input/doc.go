// Package input finds data races that need other values than those of the schedule: of inputs, or of what reads see.
//
// The other detectors that predict keep what branches depend on as it was. A symbolic schedule says
// how values are computed, so that this is not needed: an order of its events is possible, with an
// input, if with the values that its reads see then every branch is taken as it was. So nothing
// that the program would do on another branch is looked at, but
//
//   - a flag or counter that a branch has looked at may have another value, if the branch goes the same way;
//   - a[i] and a[j] may be the same cell with another input, although they were two.
//
// # How it is decided
//
// Candidates are accesses that conflict, of the same cell or of two cells of an object of which a
// value chooses one, and that are next after an order of the class blind of package dependence:
// sections of locks do not overlap, channels and the like stay in order as package reorder says,
// and reads see anything. In that order the values are computed, as expressions over the inputs
// (package expr). Branches and assumptions have to be as they were, in the part of the schedule
// before the window, too; so have to be values that choose what is operated on, what functions are
// called with of which nothing else is in the schedule, and what is read without being symbolic.
// Package solve looks for an input. If there is none, the reads on which that depends have to see
// something else, and another order is looked for, up to 64 times.
//
// Which cell a value chooses is known if it is an annotation of the access, or, as in schedules of
// everyway, an assumption that the value is a constant is the event before it, at the same place;
// and if two accesses of the object show how far apart the cells of two values are: at one place
// or, if no place has two, at different ones. A value of less than 64 bits chooses cells only where
// its first bit is 0, since it is not known whether it has a sign.
//
// # Guarantee
//
// A value that is written, sent or branched on without being symbolic is taken to be a constant, as
// it is in schedules of everyway. If so, each finding is a data race of the program with the input
// that is named, as far as the order of cells is what it seems. Since schedules of others may leave
// out symbols that are not known, findings are suspected; race -confirm makes the run. Within a
// window of 1000 steps, of programs of memory and locks, all are found that need no more than 64
// orders, which a test compares with a search of all inputs and orders.
//
// # Complexity
//
// Deciding a candidate is NP-complete, twice. Up to 1000 are decided in a window, and 20 of the
// accesses at the same two places. A schedule is looked at until it has defined a million values,
// or written a million cells, so that memory is bounded.
package input
