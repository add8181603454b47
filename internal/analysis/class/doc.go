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
// Package reorder says what stays in order in all of them, what reads with symbolic values are, and how
// orders are found.
//
// As is usual for prediction, and other than in the thesis, an order is one of some of the events: of
// each goroutine a prefix. Two accesses that conflict are a race if there is an order after which both are
// next. In this form each class contains the next, and the narrowest contains the sync-preserving orders
// of package syncp.
//
// The schedule is cut into windows, of 1000 events that matter or, if that is given, -window. Candidates are the
// races of loose whose goroutines hold no common lock; those at places of the program where a race was
// found are not looked at again.
//
// # Guarantee
//
// Each finding of strict, said and huang is a data race of the program, and its witness is such an
// order, if the schedule is not too long for one. What is found is, of memory, go statements and
// locks that are released by who has taken them, exactly the races of the class within the windows.
// Where an object is introduced by the goroutine that uses it first, it can be introduced late in a
// witness.
//
// # Complexity
//
// Deciding a candidate is NP-complete, and a window has as many constraints as package reorder says.
package class
