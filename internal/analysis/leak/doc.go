// Package leak predicts goroutines that wait for ever because they have missed their partner.
//
// In the schedule a goroutine has waited, and gone on: to send, to receive, in a select, or for a condition. It is
// predicted that it waits for ever in another order, in which its only partner is lost:
//
//   - the partner is a case of a select, and the select takes another of its cases: what that waits for has come first,
//     or it has a default case;
//   - the partner meets another goroutine: a select that took another case in the schedule receives
//     from it, or sends to it;
//   - a Signal or Broadcast comes before the Wait that it has ended, and is lost.
//
// There has to be an order of some of the events after which the select is next, its other case is
// possible (a channel has been closed, a value is there or on its way, there is room, a timer has
// fired), and the goroutine that is left is next at what it waits for; for a condition, the Signal
// and the Wait are next. The orders are those of package reorder in which sections of a lock do not
// overlap, and every branch is taken as it was, which is the class huang of package class.
//
// # Guarantee
//
// The select can take the other case after the events of the witness, and nothing else that is in
// the schedule ends the wait of the goroutine that is left: no other goroutine that has not done so
// yet sends, receives, closes or signals, offers that in a select, or is about to do so when the
// schedule ends. But the schedule does not say what the goroutine of the select does after the
// other case: it may come back, or close the channel. Where the same select took that case
// elsewhere in the schedule, and came back to it, nothing is predicted, nor is the default case of
// a select to which the goroutine came back at all. So a finding is to be confirmed: everyway race
// -confirm makes the run. With a condition no such thing is unknown.
//
// A timer that has not fired in the schedule does not fire in an order, and what it would do is not
// known: while one that calls a function may, nobody is left at a select that something not in the
// schedule could end. Both the select and the goroutine that is left are in one window. Locks and
// wait groups are not looked at, nor is what a close that comes too late, or never, leaves behind:
// a goroutine that goes another way may still do it.
//
// # Complexity
//
// An event takes constant time until a window ends. Then each case of a select that was not taken,
// with each event that can meet it, and each goroutine whose partner is lost by that, is a query to
// the solver, which is NP-complete; 1000 of them are asked in a window at most.
package leak
