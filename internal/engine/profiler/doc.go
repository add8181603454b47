// Package profiler finds out what a search costs, by the places in the program under test.
//
// A [Profiler] belongs to the machine of a worker. It has three sources: the machine's meter counts steps and
// instructions; the solver says how long each query takes, about a condition of the path that the strategy
// names; and [Departures], which the workers of a search share, say at which decision or condition a run is
// the first to go another way than the runs before it. [Profiler.Collect] turns what was found out since its
// last call into a [profile.Profile], in which places have names.
package profiler
