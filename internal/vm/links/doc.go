// Package links holds what a machine has linked: the functions, constants, types and
// variables of the program that have been needed so far.
//
// Their numbers follow from the order in which they are linked, and a program can see
// them: as program counters, and as the addresses of strings, function values and types.
// So that the runs of a target do not depend on what other targets a machine has run before,
// [Tables.Cut] takes the tables back to what they were when [Tables.Keep] was called.
package links
