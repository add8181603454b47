// Package covering enumerates input-covering schedules: it makes the set of package cover for a program (Bergan, section
// 3.3).
//
// [New] analyses a program: which operations of synchronisation it has, on what these depend (package
// synchronisation), and where epochs end (package epoch). What it cannot be done for is an error that says where and why.
// [Search.Run] goes through the epochs that are reached (Fig. 3.5). In each, it makes a run for a
// constraint on the inputs (Fig. 3.4): the machine carries it out under one schedule, until each goroutine is at a marker,
// blocked, or has ended. What of the path condition is in the slice of synchronisation is the precondition of the schedule; each
// of its conditions that is taken the other way gives a constraint that no run has been made for. When
// none is left, the preconditions cover all inputs, which a last query asks once more.
//
// A run of an epoch in the middle of the program comes to it first, with concrete inputs, through the epochs before (MakeStateForEpoch). There, the numbers of the
// state that the slice reads become inputs (package border), of which a domain says what is known. [machine.guarantee] sees to it that the domain has all states in which schedules
// end: when it grows, the epoch is searched again. So the set is one for all states that can be, and perhaps for others: [Search.Realise] looks for runs from the start of the program that
// come to its schedules.
//
// A run that ends the process early, by a panic or os.Exit, has a beginning of the schedule of another run (section 3.4.1.1), which is looked
// for. If there is none, its schedule is for the inputs that take its path.
package covering
