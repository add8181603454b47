// Package merge makes both sides of a small branch one expression (veritesting: Avgerinos,
// Rebert, Cha and Brumley, ICSE 2014).
//
// An [Evaluation] carries out the code of a region, from a conditional jump on a symbolic
// value to where its sides meet, on expressions alone: where they meet, each register has
// the choice between its two values. The run itself takes the side that it would take in
// any case; package exec has the two together.
package merge
