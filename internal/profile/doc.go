// Package profile says what a search costs, by the places in the program under test: which call stacks
// take its steps and its time, where its runs part, and which conditions the solver is asked about.
//
// A [Profile] has the [Costs] of each [Place]. Profiles of parts of a search add up to that of the whole, and
// can be kept in files. [Write] writes those of several targets as one file for go tool pprof.
package profile
