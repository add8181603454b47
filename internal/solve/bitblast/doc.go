// Package bitblast turns expressions into circuits of gates, and circuits into
// clauses for package sat.
//
// A [Blaster] gives each expression a word, a literal for each of its bits:
// [Blaster.Literal] that of a condition. Clauses over literals are added to the
// solver that [Blaster.SAT] returns; [Blaster.Solve] solves them all, and
// [Blaster.Value] gives the value of an expression in the model. Bits that are known
// beforehand ([KnownBits]) are constants of the circuit, and what depends on
// constants alone takes no gates.
//
// circuit.go has the gates, words.go the operators on bit-vectors, float.go those on
// floats. Arrays are read by lemmas that are added on demand: see array.go.
package bitblast
