// Package cause finds out why a run fails: which two steps would have to change places for it to pass.
//
// [Find] is given a run that fails, as its steps and events, and a function that makes it again
// with the steps in another order, as far as that is possible. It tries pairs of operations of
// different goroutines that access the same variable, lock or channel, one of them to change it:
// the later one, with all that its goroutine did before it, is to come before the earlier one. A
// pair counts if the run then passes, and the two have changed places. Pairs for which fewer steps
// move come first, so that the run that passes is the nearest one to that which fails.
//
// The step that has to come earlier may be none of the run, since its goroutine was blocked when
// the run failed, or had not come there. [FindMissed] finds it by having goroutines wait, or
// timers, while the others go on. If the run then passes, there is a number of steps that the
// others have to take: with one step less the run fails. That step and the one from which the
// goroutine waited are the pair. To look for a change of order between a run that fails and one
// that passes, by ever smaller differences, is the idea of Choi and Zeller: Isolating
// Failure-Inducing Thread Schedules (ISSTA 2002), section 3; here the run that passes is made on
// the way.
//
// A run makes a pair a cause in one direction only: with the two in the other order, and everything else as it
// was as far as that is possible, it passes. Other pairs may do as much. The work is bounded by runs and by steps,
// and does not depend on time.
package cause
