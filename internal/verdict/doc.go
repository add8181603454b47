// Package verdict holds what a search of a target gives: its [Verdict], a [Counterexample]
// for each finding, how much was covered and what was given up, together a [Result]. A
// search calls an [Observer] as it goes on; package report has the observers that write.
package verdict
