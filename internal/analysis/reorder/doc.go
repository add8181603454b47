// Package reorder decides whether the events of a schedule can be brought into an order after which
// given events are next. It is what detectors that predict have in common: they say which events
// make a defect if they are next at the same time.
//
// A [Window] collects the events of a schedule on whose place something depends, as a [Step] each.
// When it is full, or the schedule has ended, its detector looks at the steps, chooses candidates, and
// asks the [Problem] of the window about each: [Problem.Next] says whether there is such an order, and
// [Problem.Witness] which one it is.
//
// # Orders
//
// An order is one of some of the events: of each goroutine a prefix, and with each event what it
// needs (package ideal). What is done to a channel, wait group, condition, semaphore, Once, timer
// or clock stays in its order, as far as it is kept, where package dependence says that the order
// matters. What is before the window is kept as it is. A [dependence.Class] says what else is
// demanded of locks, reads and writes.
//
// Values are compared as they are, not symbolically, since an order is to be possible
// with the same input; values that are not known are equal if one write has made them. Atomic
// operations are reads and writes, whose values count as those of others do; a read and write in one step
// always reads the same value. The end of a synctest.Wait ends a window.
//
// With [dependence.BranchReads], a read whose value is symbolic may see anything, until its goroutine branches,
// communicates, waits, starts a goroutine or calls what the schedule does not show: for that, the reads
// before it see what they have seen. So does one whose value chooses a cell, before that is accessed. A
// goroutine that has seen another value writes values that are not known. A read whose value is not
// symbolic, as in a schedule without symbols, always sees the same value: nothing says what depends on it.
//
// # How it is decided
//
// The constraints of a window are stated once, over the order of steps and over what is kept, and
// solved by package solve/order: a SAT solver with the theory of acyclic graphs. Each candidate is
// a query under assumptions, so that what was learned from one serves the others. Deciding one is
// NP-complete; package m2 decides part of it without a solver, on the same windows. A window has
// constraints in the square of the critical sections of each lock and in the cube of the writes of
// the same cell.
package reorder
