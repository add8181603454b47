// Package generational searches inputs: it runs the target on an input and then
// asks, for each condition that the run met, for an input that comes that far and goes
// the other way (Godefroid, Levin, Molnar: Automated Whitebox Fuzz Testing, NDSS
// 2008). The inputs to begin with are those given, and the empty one.
//
// All runs take the same schedule, the one that switches between goroutines only when
// it must. So this is the search for code that is about its input, such as a
// parser; a goroutine more or less, or an order, is left to other strategies, and a
// finished search proves nothing.
//
// A child is an input and the number of conditions that it shares with its parent: only
// those behind are flipped when it has run, so that no path is met twice on the
// way down from a seed. Which child is next (queue.go): the places in the code take turns,
// the one whose flips were run least often first, so that new code is gone into at
// once; at a place, conditions that no run has met before come first.
//
// A condition cannot make an input longer in the middle: a number with a digit more, or
// a field more. So a run that came to a place where few runs were, and from which none
// went the other way, has neighbours too: its input with an element of a string or
// slice twice, or left out. They have every second turn, those of the rarest runs first.
//
// Questions that lead where no run has been are given more time by the solver than
// the others, until some at the same place could not be answered.
package generational
