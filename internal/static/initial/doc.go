// Package initial finds out what is known of the state of a program in the middle of which a search
// begins: it makes a [fragment.Context] of the instructions at which goroutines are.
//
// Whatever is not known is an input of the search, so each thing that is known leaves out states
// that no run has. [New] asks the packages below static and joins what they say. A context has
//
//   - values of registers, and what memory has (values.go, memory.go, captured.go, presumption.go);
//   - fields of structs, which constructors set (fields.go, structures.go), and which pointers may
//     lead to the same (pointers.go);
//   - package variables that are inputs (variables.go), what is written before the first go
//     statement (beginnings.go), and numbers with bounds (bounds.go, induction.go);
//   - locks that are held, and places that exclude each other (locks.go, exclusion.go);
//   - wait groups, channels and conditions (groups.go, channels.go, conditions.go, waiter.go), and
//     on whom goroutines wait (awaited.go);
//   - barriers: how many goroutines wait there (counters.go), how many come (parties.go), and in
//     which iteration they are (rounds.go).
//
// What is assumed and not proved is listed in the context (assumptions.go). [Options] say what is
// not made use of, to measure what it is worth.
package initial
