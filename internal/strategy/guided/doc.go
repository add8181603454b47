// Package guided leads runs to places in the program (Rungta, Mercer, Visser: Efficient Testing of
// Concurrent Programs with Abstraction-Guided Symbolic Execution, SPIN 2009).
//
// A [strategy.Guide] knows the program by static analysis. Of its instructions, a system
// (system.go) has those that matter for whether the places are reached: calls, branches,
// definitions of what branches read, and locks (equations 1 to 6 of the paper). Abstract traces
// (trace.go) lead through the system from where goroutines begin to the places (equation 7). A set
// has one for each place; those with the fewest call sites come first.
//
// A scheduler (scheduler.go) leads a run along a set (Fig. 4). Goroutines stop at the locations of
// the system, so that it sees where they are. It takes the step after which least is left of the
// traces and, of several, that of the goroutine that is nearest to the next location. The inputs of
// the run are concrete: if a branch in a trace goes the wrong way and its condition depends on the
// input, the run ends, and the next one begins in the same way with an input for which it goes the
// right way. If there is none, or the condition does not depend on the input, the set is refined
// (trial.go, Fig. 5): a definition of what the branch reads comes before it, wherever that is in
// the program, and the runs start anew.
//
// Where the paper has threads that are there from the beginning, goroutines are started by others:
// the traces begin where a goroutine may begin, and whoever leads there by a go statement is near
// to it. A location to which no goroutine can come any more is left out of a trace, such as the
// start of one that has been passed. A definition that a goroutine comes to in a loop before it
// comes to the branch again stands directly before the branch in a refined trace.
//
// If the guide has suspects instead of places, there is a search for each of them (suspects.go),
// and these take turns. The runs do not end at the places: when all goroutines are there they go
// on, and others judge what comes of it.
//
// The search ends when the places are reached, or when all choices of all trials have been made or
// dropped. The latter proves nothing: abstract traces leave out what comes between their locations.
package guided
