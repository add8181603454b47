// Package freedom finds out which inputs of a run that fails do not matter: with any other values, the same schedule
// fails, too.
//
// [Find] is given a run, as its path condition, and a function that makes it again with another
// input. What the path condition does not mention does not matter. For each other input, a solver
// is asked for a value with which the run would take another path than those known so far, all else
// being as it was. If there is none, the known paths are all that there are, and each of them
// fails. If there is one, that run is made: if it does not fail, the input matters, and otherwise
// its path is one more that is known.
//
// So an input is said not to matter only if that is certain, for it and all others of which it is said, together. The
// work is bounded by runs and by queries, and does not depend on time.
package freedom
