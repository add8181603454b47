// Package hyperconcolic searches all inputs and all interleavings, each class of them once.
//
// It joins concolic execution, in which a solver negates the conditions of a run, with an optimal
// partial-order reduction, in which the steps of a run that could have come in another order give
// further runs. What is left to do follows from each run alone; no set of runs or states is kept.
// The sections below say which runs are made, how each kind of operation fits in, and why no class
// is missed. The last one says how the files of the package work together.
//
// # Classes
//
// Two steps of a run are dependent if their order can matter ([run.Dependent]). Runs that differ
// only in the order of independent steps form a class. So a class is a set of events and, for each
// event, what happened before it. It is run once for each combination of outcomes of the conditions
// on its inputs.
//
// # The tree
//
// The search is that of a tree whose nodes are prefixes of runs. At a node, one thread is the
// default: it takes the next step. Each class that begins with the node belongs to one child:
//
//   - In some classes, the next event of the thread depends on nothing after the node. There is a
//     child for each thing that the thread can do, the default first.
//   - In the others, something happened after the node that is dependent with what the thread would
//     do. Of these events, take those that come after no other of them, and of those the one of the
//     first goroutine: the winner. There is a child for each winner. The events that happened
//     before it are moved to the node together with it.
//
// So every class is the end of one path. The children of the first kind are known at the node.
// Those of the second are found by reversing races in the runs of the default's subtree: what is
// moved before the winner is independent of the default, so there are runs in which it happened
// after the default. Exactly one of these runs has to find the child: the one that, from the node
// on, follows every default except where that is dependent with something to be moved, and whose
// last event is the last one to be moved. Whether a run is that one follows from the run alone
// (reversal.try), as with the revisits of TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis:
// Truly Stateless, Optimal Dynamic Partial Order Reduction, POPL 2022). This search extends their
// idea from reads and writes to steps of any kind, on any objects, that may have to wait for each
// other. Since it keeps no set of what it has seen, items of the frontier can be explored in any
// order, by any instance.
//
// A branch on an input is another choice: first the outcome of the run, then the other one if the
// solver finds an input for it under all conditions before it (ConDPOR, CONCUR 2025, combines the
// two in this way). In the run that finds a child, the branches of the events that are not moved
// have their first outcome, if what is moved allows that.
//
// The run of an item has to begin with the conditions from which the item is made ([prefix]). If it
// does not, the machine has left a condition out, and other paths may be missing: the search is
// then not exhausted.
//
// # Goroutines that are known to wait
//
// At a quiescent point, when time passes or synctest.Wait returns, goroutines that are blocked are
// known to wait at their channels (package queue). From then on the communications of others are
// with them: a send goes to one of them and not into the buffer, a select does not take its default
// case, and a close lets all of them go on. So what a communication can be depends on who still
// waits. For classes to be classes, that must follow from what happened before it:
//
//   - Who waits at the quiescent point does, because the step in which time passes is dependent
//     with every step, and the return of Wait with every step in its bubble; in a bubble, nobody
//     else can use the channels at which its goroutines wait then.
//   - A goroutine stops waiting when a communication is carried out with it, or when a channel at
//     which it waits is closed or, to it, gets the value of a timer. All channels that waiting
//     selects link, directly or through others, form a queue. While somebody waits in a queue, all
//     communications and closes on its channels are dependent with each other
//     ([run.Transition.Queued]). So they are in one order, and each of them comes after those that
//     let goroutines go on. What comes on these channels when nobody waits any more is dependent
//     with those that came before, too, and so happened after all of them.
//
// It follows that whether a step is Queued need not be known for the place to which it is moved:
// either the goroutines that it needs there still wait, and then all other events of the queue that
// can be there are Queued; or nobody waits any more, and then all those that are Queued have been
// moved before it.
//
// A step can take other forms where it is moved to. What has been a send into the buffer, or a
// default case, meets a goroutine that was still waiting: therefore each communication is paired
// with the goroutines that were waiting on the other side, whatever they did instead
// (revisitPartners). A select waits only while none of its cases is ready; so it is paired again
// after a step that fills or empties the channel of another case (changesOther). What needs a place
// in the buffer, or an element of it, or a default case, is not possible while somebody waits who
// takes part in a later event that is not moved (canCommunicate, finds). That a rendezvous goes
// through a buffered channel does not change which element of the buffer each receive gets: a value
// that goes to a goroutine that waits to receive is in no buffer, and where a goroutine waits to
// send, its step both takes an element and adds one.
//
// # Meetings
//
// Let the default be that of a goroutine S that can do nothing but send on a channel without a
// buffer, where several goroutines R1, R2 and so on do nothing but receive. If one of them met
// another sender first, S could still meet the others, and nothing is known of whether these will
// be met, too: a child that begins with the first such meeting may have no class. So the children
// of such a node are other ones. Only those Ri count that S can meet there without that the class
// belongs to a sibling of the node or of one above it. Events prevent that S meets Ri if they are
// dependent with it: the next event of Ri or of S, or a close of the channel, whichever comes
// first. In a class, let E be the next event of S, if there is one.
//
//   - If E depends on nothing after the node, S meets one of the Ri: a child each, the default
//     first.
//   - If what happened before E leaves S some Ri to meet, the child is E with what happened before
//     it.
//   - Otherwise the child consists of the first events that prevent each of the meetings with R1,
//     R2 and so on, and what happened before them. If E then comes without that all of these
//     happened before it, the class is another child's.
//
// All of that follows from the class, so each belongs to one child. A child of the second or third
// kind has a last event without which S can meet some Ri after the others, and none without these.
// Of such events it is the one that prevents the meeting with the first Ri. So the child is found
// in the subtree in which S meets this one: all of the child but its last event happens there, too,
// on the way that leads to what has to happen before it, and S and Ri are what does something else
// (reversal.isChild, execution.revisitMeetings). On the way, nodes like this one are left by the
// default, or by the first meeting that is not prevented by what the way leads to
// (reversal.isOnWay).
//
// With that, n senders that meet n receivers, once each, take n! runs and none in vain. Where
// goroutines come back for more there may still be some: a child of the third kind has no class if
// S can always meet one that has come back, with only some of the events before it. Take three
// goroutines that send once, and two that receive twice.
//
// # Redundant and blocked runs
//
// A child is made if its winner is possible. In rare cases all that follows belongs to sibling
// children: then the run is counted as redundant. That happens only if the thread that was
// postponed can do several things (selects; several partners on an unbuffered channel, some of
// which come back). A winner that turns out to be impossible gives a run that is counted as
// blocked.
//
// Steps that end the run come last, and each of them is tried. That an unlock is of an unlocked
// mutex is seen only when it is done: such a run is repeated with the step last, and counted as
// redundant itself. Plain memory accesses are no steps until a race is found; from then on those at
// the two sites are, and the search begins again. So it does when a run has collected garbage: from
// then on goroutines pause before code that no other can notice, since a collection notices what
// they hold on to.
//
// # Default cases
//
// The default case of a select is possible if no case is ready, and changes nothing. A case becomes
// ready, or no longer is, only by a send into the buffer of its channel, a receive from there, a
// close of the channel, or by its timer. Steps on other channels can come before the default case
// or after it, and find the same. A rendezvous leaves the channel as it was, and whoever could take
// part in it might not have come to it yet.
//
// # Time
//
// Outside of bubbles, timers fire and goroutines wake when their time can have come, which is until
// a stall after the last quiescent point (package clock). The search needs no rule of its own for
// that, and cuts nothing off because of the stall:
//
//   - Time passes in a step that is dependent with every other. It is possible only where
//     everything else that is possible is early, that is, needs a stall. So no step can be moved
//     from after it to before it, and none from before it to after it. At the node where it is the
//     default, the steps that are early are the alternatives that are possible there.
//   - Between two such steps, whether a timer can fire depends on when it is due. That follows from
//     what happened before it was set, in the sense of run.Dependent, and from the time of the last
//     quiescent point, which happened before it, too. So it is a property of the event and its
//     past, and the same in all runs of a class: a timer that can fire in one of them can fire in
//     any other as soon as what happened before it has happened. A class that the stall allows is
//     therefore never reached only through one that it does not allow, which is the difficulty with
//     bounds on linearizations, such as those on preemptions (Marmanis, Kokologiannakis, Vafeiadis:
//     Reconciling Preemption Bounding with DPOR, TACAS 2023).
//
// A timer that is stopped or set again is not pending any more. That step notes that the timer
// could have fired instead, as communications note their alternatives, so that what comes later can
// be moved before the firing.
//
// Which of several goroutines that have waited for it a timer sends to is the choice of a value,
// which belongs to the firing.
//
// Steps that are early are defaults only if nothing else is possible. They count as preemptions, so
// that findings that need no stall come first.
//
// # Symmetry
//
// With Options.Symmetry, the search runs one class of those that differ only in which of several
// symmetric goroutines does what ([run.Symmetric]; Kokologiannakis, Marmanis, Vafeiadis: SPORE:
// Combining Symmetry and Partial Order Reduction, PLDI 2024, have the idea for the threads of a
// program that are given as symmetric). Let f and g be symmetric, f started before g, and take a
// class in which the first event of g happened before that of f. If f does all that g does there
// and g all that f does, that is a class too: what g does f can do as early, as it was started
// earlier, and what f does comes after the first event of g, and so after the start of g.
// Happens-before orders the same before both of them but for events of the goroutine that started
// them, which accessed nothing in between that others can access. So the other class has the same
// outcome and the same races, with other names.
//
// A class is canonical if, of symmetric goroutines whose first steps are dependent with each other,
// none begins before one that was started earlier. By exchanging goroutines each class becomes
// canonical. A revisit is left out if no class that it leads to is: if what is moved has the first
// event of g, and f has none, and a first event of f would be dependent with it
// ([execution.isMirrored]). The way to a canonical class is not cut off by that, nor are the runs
// that find it: all that is moved on the way, and in the runs in which the way is found, are events
// of the class with what happened before them in it. With the first event of g they have that of f.
//
// Dones and additions that commute (see below) do not count as first steps. No other event has to
// come before one but the start of its goroutine: a Wait that came before it would have found a
// counter that is not zero. So Dones can all be taken to come at the starts.
//
// The first steps of receivers of values from a buffer, of goroutines that lock a mutex, or that
// update a variable, are dependent. Those of readers are not: nothing is left out there.
//
// Meetings on an unbuffered channel are not dependent either, if they have no goroutine in common.
// But those with the goroutine that has started f and g are in one order, X1, X2 and so on. A
// canonical class has to satisfy this, too: if g begins with one of them, all symmetric goroutines
// that were started before g have begun, and with what happened before it. There is such a class,
// however else they begin: give the first steps to the goroutines in an order in which before each
// X come those that happened before it, and then X. That order extends happens-before, so that the
// rule above is satisfied as well. So if what is moved has such a first step of g, and f has none,
// no class is canonical, whatever f does first ([execution.meetsStarter]). To begin in the other
// order is possible for both: the goroutine that started them had learned nothing in between, so
// nothing that f does, up to its first step, happened before g was started.
//
// # Adds of wait groups
//
// The state of a wait group is the sum of what has been added, in any order. Nobody sees the order
// but for two things: a Done before the Add that it is for makes the counter negative, and an Add
// that raises the counter from zero races with a Wait. With Options.AddsCommute, Adds and Dones are
// taken to be independent of each other, though not of Waits: so the sum that a Wait finds is that
// of the events that happened before it. The machine looks at each run for what makes the order
// matter ([race.Count]): an Add and a Wait that happens-before does not order, or a Done for which
// there is no Add of its own that happened before it. Both are properties of the class, not of the
// run. If there are none, then in all runs of the class the counter is at least zero at any time,
// and there is no such race. If a run shows one, the search begins again without the option.
//
// Nothing is overlooked until then. Take the shortest beginning of a run in which the order of two
// events matters that are taken to be independent. Before them, independent events commute, so the
// search comes to the class of this beginning, in one order of the two events or the other, and the
// run shows what makes it matter in either.
//
// # Additions to atomic variables
//
// The state of a variable to which several goroutines add is a sum, too. An addition whose result
// nobody reads, not even the function that gets it from the one that adds, depends on no other, and
// no other on it. So with Options.AddsCommute such additions are independent of each other. They
// remain dependent with whatever else reads or writes the variable, and with additions whose
// results are read. For that the machine must not order what is after the later one of two such
// additions behind what is before the earlier one: an addition adds what its goroutine knows to
// what those learn who read the variable next, and learns nothing itself. Then happens-before is
// the same for both orders.
//
// In a memory model that takes each addition for a read and a write, as Go's does, it is not the
// same: the later addition comes after the earlier one, and so do the accesses around them. What is
// ordered in no run of the class is ordered in none of its members, and the other way round two
// accesses that only such additions order are unordered in the run in which the additions come the
// other way round, which is possible since they are independent. So no race is overlooked, nor is a
// send that nothing orders with the close of its channel. But the run that shows one may have the
// additions in the order in which there is none for Go. So when the machine has found one, and has
// made such an addition before, it does not report it, and the search begins again without the
// option (Trace.AddsMatter).
//
// Symmetric goroutines are as symmetric after such an addition as before, as with Dones. Something
// else may have to come after the addition of f and before that of g: it is not the goroutine that
// has started them, which accesses nothing in between. So g can be started as early as f, and each
// can do what the other one does, when it does.
//
// # Logs
//
// What is written to the log of a test is seen by nobody who takes part in it. Only whether the
// test is done makes a difference: then it panics. With [run.Visible].HideLogs, a log is no step,
// but a plain read of a variable of the test, to which the end of the test writes. If the two race,
// or the log comes after the end, the machine says so in place of a race (Trace.LogsMatter), and
// the search begins again with logs that are steps. Otherwise logs are ordered with the end in the
// same way in all runs of the class, and change nothing. As for any two plain accesses, no race of
// the two is overlooked: the run that shows it has them in one order or the other.
//
// Natively a log orders what its goroutine has done before what those do who log later, since they
// use a lock. As nothing makes them log in that order, and none learns whether others have, two
// accesses that only logs order are a race in the runs in which these come the other way round. So
// without the order no race is found that there is not.
//
// # Bounds on the steps of goroutines
//
// With Options.Length, a goroutine takes no more than so many steps (length.go): the search is that
// of a program in which it does nothing any more then. Whether anything was left out, Status says.
//
// # How the files work together
//
// The [item] that Next takes from the frontier holds the decisions with which a run begins. The
// scheduler does not repeat decisions with which the last run began, too: as a [run.Resumer], it
// tells the machine how many steps they are, and backtracks to that point (backtrack.go). It takes
// the other decisions of the item, then continues by default, and maintains the [execution]:
// events, their clocks and nodes. After each new event it looks for the children that the event
// makes possible (revisit.go, reversal.go). Learn makes items of these children, and of the
// conditions that can have another outcome (expansion.go, flip.go).
package hyperconcolic
