// Package misuse predicts wrong uses of channels, locks and wait groups: sends on a channel that is
// closed, channels that are closed twice, locks that are released before they are taken, Dones that
// make the counter of a wait group negative, and Waits that nothing orders with an Add.
//
// In the schedule the send came before the close, and the Add before the Done. It is predicted if there is an order of
// some of the events after which
//
//   - the channel has been closed, and the send is next. Whether there is room for what it sends does not
//     matter, and a select whose case it is may choose it;
//   - the close is next, and so is another goroutine at the place where the one that closes the
//     channel has found it open: at a select with the channel and a default case, or at a read. In
//     the schedule it came later, and found the channel closed, or read another value, that the one
//     that closes it had written, and nobody else changes;
//   - a release of a lock that another goroutine has taken is next, without that;
//   - the Done is next, and so many of the Adds are left out that the counter becomes negative. An Add of a
//     negative number is a Done;
//   - a Wait and an Add of another goroutine are next, and the counter is zero. That is a data race for Go's
//     race detector and for package happensbefore, which find it if the Wait has to wait: an Add
//     that raises the counter from zero has to happen before it.
//
// The Adds that are left out are all that the goroutines do not need to come to where they are next.
//
// The orders are those of package reorder in which sections of a lock do not overlap, and every branch is
// taken as it was, which is the class huang of package class. A channel is closed once in a schedule,
// since closing it again ends the program.
//
// # Guarantee
//
// Each finding, but for channels that are closed twice, is a panic, a fatal error or a data race of
// the program: the last events of its witness are the send, the release, the Done, or the Add and
// the Wait. The second close is not in the schedule: that it comes is concluded from what the other
// goroutine did at the same place, and is to be confirmed. Channels, wait groups, conditions,
// semaphores, Once and timers are kept as package ideal says, so that what they order stays
// ordered: a close that comes after a Wait comes after the sends before the Dones, and one that
// comes after a receive after the send of its value. That is more than Go asks for: a send stays
// after as many receives as in the schedule, and a Done after all Adds before it, but for the one
// that panics. As far as that goes, all misuses of the class are found within the windows: both
// events are in one. Those at places of the program where one was found are not looked at again.
//
// # Complexity
//
// Each pair of a send and a close, of two goroutines that check the same or of an Add and a Wait,
// and each Done or release, that nothing orders is a query to the solver, which is NP-complete, and
// 1000 of them are asked in a window at most.
package misuse
