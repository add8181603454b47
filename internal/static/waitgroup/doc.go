// Package waitgroup finds out which goroutines a wait group counts for sure: those that have been
// added to it before they were started, and have not called Done.
//
// That a counter is never less than the number of these is an invariant of programs that pair each
// Done with an Add (Bergan 2014, section 2.5.3, has the like for barriers), and it is proved, not
// assumed. [Counts.Owed] looks for functions that goroutines begin with, and that call Done once at
// most. The go statements that start them have to come after an Add of their own, of the same wait
// group:
//
//	wg.Add(1)
//	go func() { defer wg.Done(); … }()
//
// or be executed once in each iteration of a loop of as many iterations as were added before. All
// calls of Done that may be about the same wait group, by the analysis of pointers, have to be of
// this form. If one is not, nothing is known.
package waitgroup
