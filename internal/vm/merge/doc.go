// Package merge represents the results of both sides of a small branch by expressions
// (veritesting: Avgerinos, Rebert, Cha and Brumley, ICSE 2014).
//
// An [Evaluation] evaluates the code of a region symbolically, from a conditional jump on a
// symbolic value to where its sides meet. There, the value of each register is an
// if-then-else expression over the condition. The run itself takes one of the sides as
// usual; package exec combines the two.
package merge
