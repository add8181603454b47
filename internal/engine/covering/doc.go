// Package covering enumerates input-covering schedules: it makes the set of package cover for a
// program (Bergan, section 3.3).
//
// [New] analyses a program: which operations of synchronisation it has, on what these depend
// (package synchronisation), and where epochs end (package epoch). What it cannot be done for is an
// error that says where and why. [Search.Run] goes through the epochs that are reached (Fig. 3.5).
// In each, it makes a run for a constraint on the inputs (Fig. 3.4): the machine carries it out
// under one schedule, until each goroutine is at a marker, blocked, or has ended. What of the path
// condition is in the slice of synchronisation is the precondition of the schedule; each of its
// conditions that is taken the other way gives a constraint that no run has been made for. When
// none is left, the preconditions cover all inputs, which a last query asks once more.
//
// A run of an epoch in the middle of the program comes to it first, with concrete inputs, through
// the epochs before (MakeStateForEpoch). There, the numbers of the state that the slice reads
// become inputs (package border), of which a domain says what is known. [machine.guarantee] sees to
// it that the domain has all states in which schedules end: when it grows, the epoch is searched
// again. So the set is one for all states that can be, and perhaps for others: [Search.Realise]
// looks for runs from the start of the program that come to its schedules.
//
// # Why a set covers all runs
//
// The description of a state is its shape with the values of its cells. Two things are to be shown of it.
//
// It is enough: what synchronises from there on, and the description of the state in which that
// ends, follow from the description, the inputs that are still to be drawn and the schedule. For
// the description has whatever the slice reads: package synchronisation says of which parts of
// memory that is so, and of registers those are left out that are not in the slice or not needed
// any more.
//
// It is the slice's: of two runs that begin an epoch with the same description, and are kept to a
// schedule, those that agree on the conditions of the slice have the same description at the end,
// with the same expressions for its cells. For all that is in it is computed in the slice. That
// does not follow from the slice having what decides which operations there are: it has the writes
// that a read in it may see, and the content of a variable at a border may have been written by
// others if nothing reads that. So schedules that lead to another epoch have the conditions of a
// larger slice, with borders: it has all writes to memory of which it reads anything anywhere, and
// what these depend on. Its own reads are among what the description has. A variable is told from
// others as far as the machine knows where it was made, in the slice and in descriptions alike.
//
// Then each run under the schedules of a set in which nothing was left open is one of them, by
// induction over its epochs. The first one begins at the start of the program. If one begins in a
// state of the domain, its goroutines in the order that the schedule before it says, there is a
// schedule for it, as the last query says; the run that the schedule is from begins in a state with
// the same description, up to the values of cells, agrees on the conditions, and so ends with the
// same shape, in the epoch that the schedule names. The values of the cells are those of the
// expressions, for some state of the domain and some inputs, so that they are in the domain of that
// epoch, as the solver was asked. What is left out of that are runs that end the process early,
// which have a beginning of a schedule, and those that race.
//
// [Search.Realise] compares each run that it makes with the set: if one did not do as its schedules
// say, that would be an error.
//
// # What is decided as the program runs
//
// What is no input, as what a file has, may decide a branch (synchronisation.Slice.Decisions). Its
// outcome then is an input of the epoch, a boolean that is drawn when a goroutine comes there
// (section 3.2.1), and the slice does not have what decides it: so what is in it does not depend on
// that, and each outcome is taken as possible. That is an abstraction (section 3.4.2): whatever a
// run's outcomes are, they are among those. The machine goes where the outcome says, whatever is
// true in the run that it makes. All that this run has from then on may be what is never the case,
// except for what is in the slice, which has the values that it has in each run with these
// outcomes. A run that is not like any may well panic, for nothing that is in the slice, or come to
// where the process is ended: then it is made once more ([machine.live]), and goes past
// instructions that would panic, which yield zero, if nothing in the slice comes of that, and past
// branches of which one side ends the process, on the other side. A run of the program with the
// same outcomes either does what this one does, or ends early in the middle of it. If the machine's
// run does not end, or ends early nevertheless, the epoch is left open.
//
// What loops compute that do not synchronise can be taken in the same way, if inputs say how often
// they go round (Config.Abstract): then the branches that end these loops count as what is no
// input.
//
// Decisions are named by the goroutine of the epoch, the place, and how often it has come there in
// the epoch. Two schedules of an epoch are the same up to the first decision in which their
// conditions differ, since runs are: the policy and the machine do the same until then. So they are
// a tree, and a program can be kept to them that learns outcomes one by one.
//
// # Schedules with more than one order
//
// Which object an operation is on may differ between inputs that do the same otherwise, and with it
// what the operation comes after. These inputs have one schedule (section 3.4.1.5): each node comes
// after all that it comes after for one of them. All of that comes before it in the run, so that it
// is an order; and what is kept to it is kept to the order that there is for its own input.
// Schedules that agree up to a decision do so after that, too, as agree has it.
//
// # Runs that end early
//
// A run that ends the process early, by a panic or os.Exit, has a beginning of the schedule of
// another run (section 3.4.1.1), which is looked for. If there is none, it is made once more and
// kept alive, as above; if that fails, too, its schedule is for the inputs that take its path.
package covering
