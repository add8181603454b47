// Package covering enumerates input-covering schedules: it makes the set of package cover for a
// program (Bergan, section 3.3).
//
// [New] analyses a program: which operations of synchronisation it has, on what these depend
// (package synchronisation), and where epochs end (package epoch). If this is not possible, the
// error says where and why.
//
// [Search.Run] goes through the epochs that are reached (Fig. 3.5). In each, it makes a run for a
// constraint on the inputs (Fig. 3.4). The machine carries the run out under one schedule, until
// each goroutine is at a marker, is blocked, or has ended. The conditions of the run's path that
// are in the slice of synchronisation are the precondition of the schedule. Each of them, negated,
// gives a constraint for another run, unless one has been made for it. When no constraint is left,
// the preconditions cover all inputs, as a last query to the solver checks.
//
// # Epochs in the middle
//
// A run of an epoch in the middle of the program first comes there with concrete inputs, through
// earlier epochs (MakeStateForEpoch). There, the numbers of the state that the slice reads become
// inputs (package border). A domain says what is known of them. [machine.guarantee] makes sure that
// the domain has all states in which schedules end: when it grows, the epoch is searched again. So
// the set is enough for all states that runs come to, and perhaps for others. [Search.Realise]
// looks for runs from the start of the program that come to the schedules of the set. It compares
// each run that it makes with the set; a run that does not do what its schedules say is an error.
//
// # Decisions
//
// A value that is not an input, such as what is in a file, may decide a branch
// (synchronisation.Slice.Decisions). The outcome of the branch is then an input of the epoch, a
// boolean that is drawn when a goroutine comes there (section 3.2.1). The slice does not have what
// decides it, so nothing in the slice depends on that, and each outcome is taken to be possible.
// This is an abstraction (section 3.4.2): whatever the outcomes of a run are, they are among those.
//
// The machine goes where the outcome says, whatever is true in its run. What this run has from then
// on may never be the case, except for what is in the slice, which is what it is in each run with
// these outcomes. Such a run may panic, for reasons that are not in the slice, or come to where the
// process is ended. Then it is made once more ([machine.live]): instructions that would panic yield
// zero, if nothing in the slice depends on them, and branches of which one side ends the process go
// to the other side. A run of the program with the same outcomes does what this one does, or ends
// early in the middle of it. If the machine's run does not end, or ends early all the same, the
// epoch is left open.
//
// With Config.Abstract, the results of loops that do not synchronise are treated in the same way,
// if inputs say how often the loops go round: the branches that end them count as decided by what
// is not an input.
//
// A decision is named by the goroutine of the epoch, the place, and how often the goroutine has
// been there in the epoch. Two schedules of an epoch are the same up to the first decision in which
// their conditions differ, since policy and machine do the same until then. So schedules form a
// tree, and a program that learns outcomes one by one can be kept to them.
//
// # Conservative schedules
//
// Inputs that are alike otherwise may differ in the object that an operation is on, and so in what
// the operation comes after. They have one schedule (section 3.4.1.5), in which each node comes
// after all that it comes after for any of them. All of that comes before the node in the run, so
// this is an order; and whoever keeps to it also keeps to the order for the input at hand.
// Schedules that agree up to a decision also agree in this (see agree).
//
// # Runs that end early
//
// A run that ends the process early, by a panic or os.Exit, has a beginning of the schedule of
// another run (section 3.4.1.1), which is looked for. If there is none, the run is made once more
// and kept alive, as above. If that fails, too, its schedule is for the inputs that take its path.
//
// # Why a set covers all runs
//
// The description of a state is its shape with the values of its cells. It has two properties.
//
// The description is enough: it determines, with the inputs that are still to be drawn and the
// schedule, what synchronises from there on, and the description of the state at the end. For it
// has whatever the slice reads. Package synchronisation says which parts of memory that is;
// registers are left out if they are not in the slice or not needed any more.
//
// The description depends only on the slice: take two runs that begin an epoch with the same
// description and are kept to the same schedule. If they agree on the conditions of the slice, they
// have the same description at the end, with the same expressions for the cells. For this, a slice
// with whatever decides which operations there are is not enough. It has the writes that its own
// reads may see; but what is in a variable at a border may have been written by others, if nothing
// in this epoch reads it. So a schedule that leads to another epoch has the conditions of a larger
// slice, with borders, which has all writes to memory that the slice reads anywhere, and what these
// depend on. Its own reads are part of the description. Slices and descriptions tell variables
// apart in the same way, as far as the machine knows where they were made.
//
// Then each run under the schedules of a set in which nothing was left open is one of them, by
// induction over its epochs. The first epoch begins at the start of the program. If an epoch begins
// in a state of the domain, with its goroutines in the order that the schedule before it says,
// there is a schedule for it, as the last query says. The run from which this schedule was made
// begins in a state with the same description, up to the values of cells, and agrees on the
// conditions. So it ends with the same shape, in the epoch that the schedule names. The values of
// the cells at the end are those of the expressions for a state of the domain and some inputs; so
// they are in the domain of the next epoch, as the solver has confirmed. Exceptions are runs that
// end the process early, which have a beginning of a schedule, and those with a race.
package covering
