// Package fingerprint computes fingerprints of the states of runs: [run.Fingerprint]. A search
// that comes to a state with a known fingerprint need not go on from there.
//
// If two runs of one machine come to scheduling points with equal fingerprints, they can continue
// in the same ways, up to accidental collisions of 128 bits. The same is true of the points at
// which a loop over a map chooses its next entry. So whatever a rewind of the machine restores
//
//   - is part of the fingerprint, or
//   - makes no difference to what can follow, or
//   - leaves the state without a fingerprint.
//
// # What counts
//
//   - Of memory, the cells whose content is not what it was at the first checkpoint, and the
//     objects made since that something can still reach (memory.go). Objects are named as in
//     package run. Those that have no name of their own are named after the cell that points to
//     them.
//   - With run.Plan.Rename, names do not count, and neither do the counters from which names are
//     made: states are equal if renaming goroutines and objects makes them so (order.go).
//   - A pool that only the collector still knows, and what only it reaches, do not count
//     (memory.go).
//   - Maps are sets of entries: the order in which entries were made counts only where keys are
//     symbolic, and in loops that do not have every order, which keep their tables as they are. For
//     a loop that has every order, it counts which entries it has visited.
//   - Of a goroutine that has not ended, everything counts that it still needs (goroutine.go,
//     frame.go, operation.go, spin.go). Of one that has ended, nothing does.
//   - Of the rest of the state, what can make a difference later (run.go, timer.go). Two runs that
//     have read the clock agree on what has been read (readings.go).
//   - Of happens-before, what decides which races later accesses are part of: for each access that
//     some goroutine or timer that can reach the object (graph.go) does not know of, which of them
//     do, and which clocks that they may acquire cover it (history.go).
//
// A symbolic value counts as the expression that it is, not with its value in this run.
//
// What does not count is
//
//   - limits, and how far a run is from them, such as the memory that it has allocated and the
//     instructions and steps that it has executed;
//   - which goroutine has taken the last step;
//   - events and what a run has printed, which only describe it;
//   - the other end of a race, as long as its place in the code and its call chain are the same.
//
// # Names
//
// With run.Plan.Rename, the goroutines are put in an order that depends only on what they are about
// to do and, if that is the same, on what they know. The first object that the first of them points
// to is object 0, and so on. Two states with equal fingerprints are the same under the renaming
// that maps goroutines with the same place, and objects with the same number, to each other, and
// both can continue in the same ways under it: what a goroutine starts or allocates next has the
// same relative place in both. If goroutines cannot be told apart by this order although they are
// not alike, the same state may have two fingerprints, and no more.
//
// A program sees names if it asks for the number of a goroutine, or for the stacks of all, which
// are in the order in which they were started, or if it uses an address as a number. Then
// Trace.NamesMatter is set: a search that ends at equal states has made a run that sees names if
// one that it has not made does.
//
// Some names count all the same, so that one state may have several fingerprints, and no more:
// those of objects of which a number has been made before, of goroutines with timers that have not
// fired or have sent what nobody has received, of goroutines that have read the clock, and of what
// the plan names. So two goroutines that are alike are told apart from when they set timers until
// these have fired. In bubbles, where more of the past is compared by name, all keep theirs.
//
// Channels at which goroutines are known to wait (package queue) are in one queue if they are
// linked, and labels of steps name the queue after one of them. When the queues are made again, in
// the next step in which time passes, that may be another channel in a state that is the same up to
// names. But no step after that is moved to before it, so the names of queues need be the same only
// for those that there are in the state (run.go).
//
// # Places
//
// With run.Plan.MergePlaces, instructions that continue in the same way ([code.Bisimulation]) are
// not told apart, except for what a panic says of itself. A program sees places if it looks at a
// stack with a frame at such an instruction. Then Trace.PlacesMatter is set, for the same reason as
// NamesMatter.
//
// # Protected objects
//
// With run.Plan.ForgetAccesses, accesses do not count that cannot race unless the program does
// something that it has not done in any run yet: accesses to an object that are all made with the
// same lock held, which orders them, and plain reads of an object to which nobody writes any more.
// Of these it counts who has made them if it is one goroutine, so that two states agree on whether
// a write is one by somebody else. The argument is that of Trace.NamesMatter: if a continuation of
// a state that is not searched accessed the object in another way, so would that of the equal state
// that is searched, and then objects of its type that the same function has allocated are left
// alone from there on. Both are part of the state. In detail:
//
//   - A lock protects an object from the first access with it held on, if all accesses to any part
//     of the object before that one happen before it.
//   - Locks and other primitives in a protected object are used without its lock. That races with
//     plain writes to the same cells, so of these it counts that there have been some.
//   - A lock that another goroutine unlocks, or that is overwritten while it is held, does not
//     order what is done with it. Who holds which locks, or has ended with them, is part of the
//     state.
//   - If no lock protects an object as a whole, and others write to it after it has been read, the
//     same is noted of each of its cells, such as the fields of a struct. Elements of arrays are
//     not told apart.
//   - What is done while there is only one goroutine happens before all else, unless there are
//     timers.
//
// # Knowledge
//
// With run.Plan.ForgetKnowledge, no accesses count, nor who knows of them: [Printer.Known] says it
// instead (knowledge.go), and package stateful says why that is enough. It is asked what goroutines
// learn in their next steps, a [Lesson] each.
//
// # Words
//
// With run.Plan.ForgetUnread, numbers in variables and arrays that have been made since the first
// checkpoint are kept apart ([Printer.Words]), so that some of them can be taken out of the
// fingerprint. Package stateful says which, and why that is right. It needs each read of such a
// word to be a step of the flow of the run, or that of what a pending step is about. So these are
// not among the words:
//
//   - pointers;
//   - what others than loads and copies read without an access: what an interface holds, which
//     nobody has written to since it was made, bytes of strings, and tables of maps;
//   - cells that are accessed atomically or by primitives;
//   - symbolic values, and large objects.
//
// Which words there are, and where, is part of the fingerprint.
//
// # Long runs
//
// What a state consists of is found anew at each of them. The time that this takes does not grow
// with the length of the run. The words of a large object without pointers are hashed page by page,
// and a page that has not changed is not gone through again (heap.Heap.Version). Of the accesses to
// the cells of a page it is known when each goroutine has made the last one, so pages of which
// everybody knows all are left out (race.Detector.EachLater).
//
// # Steps since the clock has been read, or a timer has fired early
//
// A goroutine may learn of a reading of the clock without synchronising with whoever made it, by a
// TryLock that fails or the default case of a select. So from a reading that others could see up to
// the next quiescent point, each step learns of the readings that happened before the steps on
// which it depends (clock.Carry). What a later step learns is the union over all those steps. So it
// counts what is known to steps that are dependent with the same others, taken together, and
// neither how many there were nor in which order (readings.go).
//
//   - Which others a step is dependent with is what run.Transition.Dependence returns. A read
//     counts only if it adds to what is known to a write of the same cells, since that is dependent
//     with all that the read is dependent with.
//   - Goroutines and objects have their names as in the rest of the fingerprint. Goroutines that
//     have ended count as one: they take no further steps.
//   - What is known to the last step is what its goroutines know. That is all it comes to, since a
//     goroutine learns of more only by a step: also if it has still to choose the next entry of a
//     map.
//   - It is the same with the times before which steps cannot be. If no timer has fired early, that
//     is the last quiescent point. If one has, what depends on it comes after the time for which it
//     was set: of steps that are dependent with the same others the latest time counts. So does how
//     far the clock has advanced, which is where time goes on from at the next quiescent point.
//   - Carry may overlook a step that is long ago. Then a later one seems to happen earlier than it
//     can, so that there is more that can follow than is possible, and never less. So it does not
//     matter if that is so after one of two equal states and not after the other.
//
// # States without a fingerprint
//
// A state has no fingerprint
//
//   - if something has gone wrong already, which is not part of a state;
//   - if very many steps have been taken since the clock was read, or a timer fired early, while
//     others could see that (readings.go);
//   - if there are finalizers, cleanups or weak pointers;
//   - if the plan asks for more than decisions, such as symbolic reads.
package fingerprint
