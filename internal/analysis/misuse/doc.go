// Package misuse predicts uses of channels and wait groups that end a program: sends on a channel that
// is closed, and Dones that make the counter of a wait group negative.
//
// In the schedule the send came before the close, and the Add before the Done. It is predicted if there is an order of
// some of the events after which
//
//   - the channel has been closed, and the send is next. Whether there is room for what it sends does not
//     matter, and a select whose case it is may choose it;
//   - the Done is next, and so many of the Adds are left out that the counter becomes negative. Those that are
//     left out are all Adds that the goroutine does not need to come to its Done. An Add of a negative
//     number is a Done.
//
// The orders are those of package reorder in which sections of a lock do not overlap, and every branch is
// taken as it was, which is the class huang of package class. A channel is closed once in a schedule,
// since closing it again ends the program: a second close that a condition keeps from happening is not
// found, as the branch would be taken otherwise.
//
// # Guarantee
//
// Each finding is a panic of the program: the last event of its witness is the send or the Done. Channels, wait
// groups, conditions, semaphores, Once and timers are kept as package ideal says, so that
// what they order stays ordered: a close that comes after a Wait comes after the sends before the
// Dones, and one that comes after a receive after the send of its value. That is more than Go asks for: a
// send stays after as many receives as in the schedule, and a Done after all Adds before it, but for
// the one that panics. As far as that goes, all misuses of the class are found within the windows: both
// events are in one. Those at places of the program where one was found are not looked at again.
//
// # Complexity
//
// Each pair of a send and a close, and each Done, that nothing orders is a query to the solver, which is
// NP-complete, and 1000 of them are asked in a window at most.
package misuse
