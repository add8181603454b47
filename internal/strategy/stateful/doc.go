// Package stateful searches all inputs and all interleavings, and goes on from each state once.
//
// Other exhaustive searches make a run for each class of interleavings, in which steps of other
// goroutines happened in another order. Most of these orders lead to the same state, from which the
// same can happen. This search makes runs depth first. When a run comes to a state from which
// everything has been tried, it ends there.
//
// This documentation says first when two states are the same, then which steps are tried from a
// state, and which of them comes first. The sections from "Who knows of which access" on are about
// options that make more states the same, and say why nothing is lost. Whenever a run shows that
// what an option leaves out matters, the search begins again without it.
//
// # States
//
// Two states are the same if they have the same fingerprint (package fingerprint of the machine):
// then runs can continue from them in the same ways, with the same findings. Fingerprints have 128
// bits: in a search with a billion states, the probability that two different ones have the same
// fingerprint is below 2^-68. States without a fingerprint are not remembered.
//
// With Options.Rename, states that differ only in the names of goroutines and objects have the same
// fingerprint: of goroutines that are alike it does not matter which has done what. Without
// Options.TellPlaces, so have states that differ only in which of several instructions that
// continue in the same way comes next. The labels of what is possible from a state are remembered
// with relative names, and get those of the run that comes to the state (naming.go). A cycle has to
// lead back to a state with the same goroutines in the same places: otherwise other goroutines
// might go round each time.
//
// States are compared at scheduling points, and where a loop over a map chooses its next entry. The
// states after a loop whose iterations commute are the same whatever their order, so loops one
// after another do not multiply. If a run has nothing to choose for long, its state is compared now
// and then all the same, since it may be known.
//
// # Goroutines that are alike
//
// Goroutines are alike in a state if its fingerprint stays the same when each of them takes the
// place of the one before it, and the first that of the last, along with all that they refer to.
// That is a renaming under which the state stays the same, and applied again and again it takes
// each of them to each other one. With Options.Alike, where names are left out, only one of the
// steps is tried that goroutines which are alike can take in a state (the symmetry of Ip, Dill:
// Better Verification Through Symmetry, CHARME 1993, found in each state). When the steps of a
// second goroutine are to be tried, the machine is asked for goroutines that are about to do the
// same (scheduler.askAlike, [run.SchedulingPoint]).
//
// Let i and k be alike, and let everything have been tried from the state after the step of i. A
// run that took the step of k would come to a state that is the same, up to names. So it would end
// there, and do what is said below of known states. All of that is done without the run
// (scheduler.take): the step is that of i with the names of k, and what can come after the state of
// the choice is, with each label, also that label with the names changed. It is compared with the
// events before, which are not the same under the renaming. So are the accesses that can come after
// the state, and those with the names changed, with the accesses before (closeAlike): if one might
// race, a run is made.
//
// On a cycle, it matters which goroutines have taken a step. So nothing is left out at choices
// through which a cycle goes, and what had been left out before the cycle was found is tried.
//
// # What is tried
//
// At each choice between steps, only some of them are tried (Flanagan, Godefroid: Dynamic
// Partial-Order Reduction for Model Checking Software, POPL 2005): first one that is taken by
// default, and others that a later step shows to matter. If the next step of a thread conflicts
// with an earlier event that did not happen before it, it might have come first. Then a step of
// that thread is tried in the state before the event or, if it has none there, one of a thread on
// which it depends, and in the last resort all of them (scheduler.look, scheduler.reverse).
//
// With a machine whose threads can do several things in one state, more has to be said:
//
//   - A step conflicts by its labels: not only what it does counts, but all that its threads could
//     have done, if only in another state. A select conflicts with everything on its channels. But
//     the default case of a select changes nothing. A case of another select, with the same kind of
//     operation on the same channel, that is not possible where its thread comes to it would not
//     have been possible before the default case either (missesDefault). And what is ordered has to
//     conflict: two such selects are not ordered.
//   - Steps with a common thread exclude each other: if one is tried, so are the others
//     (choice.try).
//   - What happened before an event may be less than what did: then too much is tried. It must not
//     be more: what is ordered must conflict (execution.dependent).
//   - Steps that are pending at the end of a run, or when time passes, may have been possible
//     earlier although they are not now.
//   - No step is moved from one side of the passing of time to the other. So what can come after a
//     state is remembered only as far as it can come before time passes (scheduler.passesBetween).
//     Where time can pass, or a step needs a stall, everything is tried.
//   - A timer that another step stops leaves nothing pending, so it is compared where it could have
//     fired.
//   - Before a step that ends the run, everything is tried.
//   - What closes a channel is not reversed with the step of a thread that waits for it in a select
//     (wakes).
//
// # States and conflicts together
//
// A run that ends in a state that is known does not show the later steps that may conflict with the
// events before that state. Therefore each state is remembered with the labels of all steps that
// were possible from there on, and these are compared with the events of the run instead (Yang,
// Chen, Gopalakrishnan, Kirby: Efficient Stateful Dynamic Partial Order Reduction, SPIN 2008).
//
// A run may come back to a state from which not everything has been tried yet: one of its own. It
// ends there, too. The steps that come later are not known then, so everything is tried at the
// choices between the two. The states on a cycle are known when everything has been tried from the
// first of them. If all goroutines that can take a step in the cycles through a state take one, the
// program may go round forever: the search does not say that the target holds then.
//
// What will have happened before a later step is not known either, except for what has happened
// before the step at which its thread is (ahead.go). Whoever waits for a lock comes to the critical
// section after whoever holds the lock, so what the two do there need not be tried in the other
// order. Their calls of Lock are.
//
// # Which step comes first
//
// By default the goroutine goes on that took the last step. If it cannot, the one does that is
// closest to it in the tree in which goroutines start others (scheduler.byDefault). So goroutines
// that have to do with each other, such as those of a parallel subtest, come to their end before
// others begin. Then there is a state that is the same whatever they have done, and the runs of n
// such groups are added, not multiplied.
//
// Of goroutines that are equally close, those come last that are asleep (sleep.go): they are in the
// sleep set of the state (Godefroid: Partial-Order Methods for the Verification of Concurrent
// Systems, LNCS 1032, 1996). Where a step has been tried before another one, the other one is
// followed by what depends on it, and the first only then: so the run comes at once to an order
// that is another one, and soon to states that are known, rather than to the same order by a
// detour. Sleep sets decide nothing else here: what they would leave out ends at once at a state
// that is known.
//
// In a long run a goroutine that goes on has others wait for it only for so many steps (maxWait),
// as it may be waiting for them in a loop.
//
// # A search that is resumed
//
// When a search is broken off, the choices of its next run are saved, with what has been tried at
// each and what is still to be tried (saved.go). The rest of the search follows from these alone:
// what the runs so far have shown to matter has been noted at the choices.
//
// States are not saved. A search that has forgotten a state goes on from it again, and nothing else
// changes, so states can be forgotten at any time: also when memory is short, or there are too
// many. A choice whose state is forgotten is not remembered when everything has been tried there,
// and a run that comes back to that state goes round once more, until it comes to a state that is
// known.
//
// # Inputs
//
// A condition on inputs is a choice: first its outcome in the run, then the other one if the solver
// finds an input for it. States are the same only if their path conditions are.
//
// # Who knows of which access
//
// Whether two accesses race depends on who has learned of the first one. No finding but races
// depends on it, yet most states differ in nothing else. With Options.ForgetKnowledge, fingerprints
// leave it out. Each state from which everything has been tried is remembered with the accesses
// that came then, and their origins (knowledge.go, package accesses): the goroutines, timers,
// locks, channels and atomic variables from whose clocks in the state the goroutine that makes the
// access has learned something, directly or through others.
//
// A run that comes to the state compares them with the accesses that it has made itself. If an
// access can come that conflicts with an earlier one, and no origin of it knows of that, the run
// goes on as if the state were not known, and shows the race. Otherwise it ends, and what can come
// after the state is added to what can come after those on its way.
//
// No race is lost by that. Let a run come to a known state by P', and let Q be steps that are
// possible then, such that P'Q has a race and no shorter beginning of it has. The search has come
// to the state by some P and tried everything from there. So it has made a run that begins with P
// and continues with Q, up to the order of independent steps, or has ended it at states to which
// the same applies; and P has no race, since states after a race have no fingerprint.
//
//   - The clock of a goroutine after some steps of Q is the join of clocks that there were in the
//     state, and of what has happened in Q. Which clocks these are follows from the steps, not from
//     what is in the clocks: acquiring joins, and releasing joins or replaces. Independent steps
//     have the same effect in both orders. So each access in Q has the same origins after P and
//     after P', and those of several orders are all noted.
//   - If both accesses of the race are in Q, one happens before the other after P if and only if it
//     does after P'. Then the search has found a race after P already.
//   - If the first access is in P', the second one races with it if and only if no clock in its
//     origins covers it. Either the first one is in the histories that the machine keeps of P', or
//     one that replaced it there, which the second one races with, too (package race). So the
//     comparison finds it, and the run goes on.
//
// # Accesses that are not compared
//
// Accesses that the run has made itself are left out of the comparison if no later one can race
// with them, since whoever makes a later one knows of them by then ([run.SchedulingPoint.Known]).
// These are accesses of which all goroutines and timers know, those of which all know that can reach
// the object, and those of which all will know as soon as they access anything.
//
// For the last of these, say of each goroutine what it learns in its next step, if that is sure,
// before it accesses anything but what the step is about:
//
//   - what the cell knows that it reads atomically, updates or locks; or,
//   - if others have to take a step before it can, namely one that unlocks, signals, sends, closes
//     or is the last Done, what the one knows who takes that step.
//
// Let an access be to another object than those that the steps are about. Let all timers know of
// it, and all goroutines of which nothing is sure. Let each of the others know of it, or the cell
// that it learns from, or let it have to wait. Then that remains so, and whoever has taken a step
// knows of the access: the next step is by a goroutine that knows of it then, as it does not have
// to wait. What that goroutine leaves behind in cells and channels knows of it, too, as do the
// goroutines that it starts, and those that it has let go on learn of it from there. If somebody
// overwrites without synchronisation what a goroutine is about to learn from, or waits for, that is
// a race of its own, which shows before.
//
// In a bubble nothing is sure, nor of a goroutine that may send, or would take a default case: who
// is told by a panic that a channel is closed learns nothing.
//
// The accesses that a run has made count only if some access has come that would race with them. As
// long as none has, states need not say who knows of them, and the machine is not asked
// (knowledge.wants). When the first one comes that would race with accesses that have been left out
// in this way, the search begins again, as soon as the run has ended.
//
// Of accesses of one kind to one cell, those are left out whose origins contain those of another
// one: they race with less. Objects that are made after a state have no earlier accesses. And of
// cells that have been allocated alike, only those kinds of accesses are noted that would race with
// an earlier one of which not everybody knew in some state: most are never written once they are
// shared. When the first such access shows, and accesses have been left out that would race with
// it, the search begins again (knowledge.note).
//
// On a cycle, what can come after each state can come after the others, also what is not known yet.
// When a run comes back to a state of its own, the search begins again without the option.
//
// # What still depends on clocks
//
// What depends on clocks otherwise remains in the fingerprint: the time that they carry, which open
// Adds of a wait group somebody knows of, that somebody had begun to wait at a channel before it
// was closed and, without Options.ForgetUses, who knows of the close.
//
// That an Add and a Wait are ordered (Options.AddsCommute), and an access at an index that depends
// on inputs with any other, are compared like accesses. A read at such an index counts as one of
// all elements: if a write to one of them is not known, the machine looks at each element by
// itself, so what the run does depends on that. No reversal is lost, since what steps conflict with
// does not depend on what is known.
//
// If something cannot be followed, such as an access to the parts of a variable by package unsafe,
// or if there is too much of it, the search begins again without the option.
//
// # Words that nobody reads
//
// With Options.ForgetUnread, and as long as knowledge is compared, two states count as the same
// that differ only in words of memory which are not read before they are overwritten, whatever
// comes after the states (unread.go). For executions, Agarwal, Chatterjee, Pathak, Pavlogiannis and
// Toman do that with the values that reads see (Stateless Model Checking under a Reads-Value-From
// Equivalence, CAV 2021). For states it is the elimination of dead variables (Bozga, Fernandez,
// Ghirvu: State Space Reduction Based on Live Variables Analysis, SAS 1999), found on the run.
//
// The machine says which words there are ([run.PlainWord]), and the flow of a run which cells it
// reads and writes. Each state from which everything has been tried is remembered with the words
// that were read after it in any of the runs that go on from there, less those that had been
// overwritten by then. All of its other words are taken out of its fingerprint. A run that comes to
// a state looks for one that is the same without the words that were not read after that one, for
// each set of words that has been found for states with the same rest. If it ends there, what is
// read after the known state is read after those on its way.
//
// Let R be the words that are read after a state S, and let T differ from S only in other words.
// Then T can do what S can, and T and S do so with the same values in all but the same words, by
// induction on the steps after them: what is possible in a state, and what a step does, follows
// from registers, from what the rest of the state says, and from words that are read, which are in
// R or have been written since. So a word in which the two differ remains one that is not read, or
// is overwritten with the same value in both. What comes has the same branches, findings and
// accesses. It remains to be shown that R has all that is read:
//
//   - Everything has been tried from S: for each sequence of steps that is possible there is a run
//     in the same class, up to where it ended at a known state, of which the same is known by
//     induction. In a class, a read and a write of one cell are in one order, unless they race. So
//     which words are read first is the same in all of its members. When a race shows, plain
//     accesses become visible and the search begins again without this.
//   - Where steps of goroutines that are alike have been left out, R is closed under exchanging
//     them (closeReads).
//   - Reads are noted with the other accesses, for all who may access what others can: each first
//     one of a goroutine between two steps. Atomic operations, and those of locks and other
//     primitives, read. So does a write at an index that depends on inputs: what is in the cells
//     afterwards depends on what was there before. Nobody else accesses a word, see package
//     fingerprint.
//   - Whether a step is possible may depend on what is in the cells that it is about, though it is
//     never taken. So pending steps read these, from the state to which a run comes until it ends
//     (notePending).
//   - On a cycle R would not be known before all is; there the search begins again without
//     knowledge, and without this.
//
// Whether a program has come back to a state, so that it may go round for ever, is decided by all
// words. If it counts something that nobody reads, it does not come back.
//
// # Atomic operations that are hidden
//
// With Options.HideAtomics, and as long as knowledge is compared, some atomic operations are
// hidden: they are no steps, as plain accesses are none, except at sites at which one has been seen
// to race (atomics.go). These are loads and, with Options.AddsCommute, additions whose results
// nobody uses, which commute with each other and learn nothing from each other.
//
//   - A load races with what changes its variable (an atomic operation, a plain write, or a lock
//     that is there) if nothing orders the two but that the load reads what has been written.
//   - An addition races with what depends on the sum or replaces it, that is, with any access to
//     the variable but another such addition, if nothing orders the two but that the sum is read.
//
// Hidden operations are compared as plain accesses are (run.HiddenRead, run.HiddenAdd): by the
// machine in each run, whichever of the two comes first, and where a run ends at a known state.
// What depends on a sum learns of the additions when it reads it, so it is compared with them
// before it does (run.BeforeAtomic). When a hidden operation races, the operations at its site
// become visible, and the search begins again. The first run of a search has all of them visible,
// and says which of them race in it; if that is all, none is hidden.
//
// Sites are those of the innermost calls that are not in package sync/atomic. At instructions that
// continue in the same way operations are hidden together, since fingerprints take these for one
// place: what is a step in one of two states that are the same is one in the other.
//
// That leaves nothing out until an operation races: no branch, no race and no end of a run. Each
// class of orders is what it is with all of them visible, and each has the same happens-before
// relation. Take a run with all of them visible, in which loads have no edges to what follows them
// at sites that are hidden, and the shortest beginning of it in which a hidden operation and
// something with which it races are not ordered.
//
//   - Before that, of what races with an operation, all that comes before it happened before the
//     last visible step of its goroutine, since others are not told anything in between, and what
//     comes after it happened after it.
//   - So a load finds the same where it is made at once, after that step. It has nothing to learn
//     from the variable of which its goroutine does not know, so it need not acquire anything.
//   - Whoever looks at a sum finds the same where additions are made at once, and learns the same,
//     as nothing but additions has been moved.
//   - No step can come between the two places whose order with the operation matters.
//
// The beginning is in the class of one that the search makes, which shows that the two are not
// ordered, whichever of them comes first there.
//
// A loop that waits for a variable has no step where its loads are hidden. It comes to a pause
// after some instructions, as one that reads a plain variable does, and others go on. If somebody
// ends the loop, that races with a load of it: the loads are visible then, and wait for a change as
// they always do. In the run that shows it the loop goes on, too, since it is noted what its hidden
// loads have found ([state.State.ObserveHidden] of the machine).
//
// That a goroutine has ended, or has started another one, shows in the number of goroutines as soon
// as it has taken its last visible step before. A program that asks for the number, or for the
// stacks of all goroutines, can tell which operations are visible (Trace.GoroutinesMatter). When a
// run does so, all of them become visible, as do the starts and ends of goroutines (run.Visible),
// and the search begins again.
//
// By classes of orders, operations that do not race are in no two classes, so nothing is hidden in
// package hyperconcolic.
//
// # What is left out of fingerprints
//
// Without Options.ForgetKnowledge, there are other rules. With Options.ForgetUses, fingerprints do
// not say
//
//   - who has used a lock or a cell atomically, only that there are such uses that not all know of.
//     Who it was matters only for races with plain accesses to these cells. When a run makes such
//     an access, the search begins again without the option. If one is possible from a state, a run
//     that came to the same state, and so after such uses, too, has made it.
//   - who knows that a channel has been closed. That matters only for what is found if somebody
//     sends on it, which is not ordered with the close then. When a run sends on a closed channel,
//     the search begins again without the option. In all states with the same fingerprint the same
//     channels are closed.
//
// The search also begins again without the option if what one of these leaves out matters:
//
//   - Options.AddsCommute (package hyperconcolic);
//   - Options.Rename;
//   - Options.ForgetAccesses, which leaves out who knows of accesses to protected objects and
//     fields, as long as those that are made alike are protected (package fingerprint).
//
// And it begins again when a race shows that plain accesses have to be visible, and when logs that
// are hidden matter (package hyperconcolic).
package stateful
