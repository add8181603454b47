// Package report shows searches to people and programs: a finding as a screen of text with
// a column for each goroutine, or everything as JSON lines.
//
// A search calls a [Report] with each [verdict.Result] and [verdict.Counterexample], and the report
// writes it. What is shown of a run is chosen by [Relevant], which drops the steps that the
// finding does not depend on.
//
// To add a format, write its report in a file of its own and add a row to [Formats]: the
// flag that chooses it and its help are made from the row.
package report
