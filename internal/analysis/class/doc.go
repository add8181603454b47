// Package class finds data races in classes of orders of a schedule (Kalhauge: Hyperconcolic, M.Sc.
// thesis, Technical University of Denmark 2015, chapters 3 and 5).
//
// A class says which orders of the events are looked at. From the narrowest to the widest, they are
//
//   - strict: writes to a cell, and the critical sections of a lock, stay in their order. Only reads
//     move;
//   - said: critical sections that exclude each other do not overlap, and every read sees the value that
//     it has seen, from whichever write (Said, Wang, Yang and Sakallah, NFM 2011);
//   - huang: a read may see another value, if no branch that is kept can depend on it (Huang, Meredith and
//     Roșu, PLDI 2014);
//   - loose: neither locks nor values matter. Its findings are suspected only; it is what the others
//     choose among.
//
// In all of them goroutines stay in order, and with an event there is what it needs (package ideal):
// channels, wait groups, conditions, semaphores, Once, timers and clocks stay in the order in which they
// were used, as far as they are kept. Atomic operations are reads and writes, whose values count as those
// of others do; a read and write in one step always reads the same value.
//
// As is usual for prediction, and other than in the thesis, an order is one of some of the events: of
// each goroutine a prefix. Two accesses that conflict are a race if there is an order after which both are
// next. In this form each class contains the next, and the narrowest contains the sync-preserving orders
// of package syncp. Values are compared as they are, not symbolically, since an order is to be possible
// with the same input; values that are not known are equal if one write has made them.
//
// # Branches
//
// A read whose value is symbolic may see anything in huang, until its goroutine branches, communicates,
// waits, starts a goroutine or calls what the schedule does not show: for that, the reads before it see
// what they have seen. So does one whose value chooses a cell, before that is accessed. A goroutine that
// has seen another value writes values that are not known. A read whose value is not
// symbolic, as in a schedule without symbols, always sees the same value: nothing says
// what depends on it.
//
// # How it is decided
//
// The schedule is cut into windows, of -window events that matter and at most 1000; what is before a window
// is kept as it is. For the windows with candidates, which are the races of loose whose goroutines hold no
// common lock, the constraints of the class are stated once, over the order of events and over what is
// kept, and solved by package solve/order: a SAT solver with the theory of acyclic graphs. Each
// candidate is a query under assumptions, so that what was learned from one serves the others. Candidates
// at places of the program where a race was found are not looked at again.
//
// # Guarantee
//
// Each finding of strict, said and huang is a data race of the program, and its witness is such an order,
// if the schedule is not too long for one. What is found is, of memory, go statements and locks that are
// released by who has taken them, exactly the races of the class within the windows. Where an object is introduced by the
// goroutine that uses it first, it can be introduced late in a witness. The end of a synctest.Wait ends
// a window.
//
// # Complexity
//
// Deciding a candidate is NP-complete. A window has constraints in the square of the critical sections of
// each lock and in the cube of the writes of the same cell.
package class
