// Package report shows results to people and programs: a finding as a screen of
// text with a column for each goroutine, and everything as JSON lines.
//
// The path of a value: a search gives a [verdict.Result] or a
// [verdict.Found]; [Text] and [JSON] write it. What is shown of a run is chosen by
// [Relevant], which drops the steps that the finding does not depend on.
package report
