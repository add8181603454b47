// Package frontier holds the candidates of a con2colic search: the interference scenarios
// that are to be checked, in what order, and how they are extended. It is sections 7.1 and
// 7.5 of Farzan, Holzer, Razavi and Veith, Con2colic Testing (FSE 2013).
//
// [Frontier.Pop] returns the next [Candidate]: one of the lowest degree, that is with the
// fewest interferences, and among these one that may cover something new. If it turns out
// not to be realizable, [Frontier.Explore] extends it (algorithm 3): by each event that may
// remove one of the causes, together with the scenario in which that event occurs. An event
// that is found later, by [Frontier.Reach] or [Frontier.Dangling], extends the candidates
// that were explored before.
//
// What keeps the number of candidates down: one that was pushed before is dropped, and an
// occurrence of an event that contains a simpler one is too (extend.go); a wait for a wait
// group, which needs events of many goroutines, takes them in one order only (join.go).
package frontier
