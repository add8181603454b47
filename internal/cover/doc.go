// Package cover has input-covering schedules: for each way in which the inputs of a program, or the
// memory at one of its epochs, can be, a schedule that the program can be kept to (Bergan, Avoiding
// State-Space Explosion in Multithreaded Programs with Input-Covering Schedules and Symbolic
// Execution, 2014, chapter 3).
//
// A [Set] is what is known of one program. It has the markers that cut a run into epochs (section
// 3.3.1), and the epochs that runs may come to, each named by where its goroutines begin (section
// 3.2.2). An [Epoch] has schedules. What is read as the program runs (section 3.2.1) is an input of
// the epoch in which it is, as the outcome of a [Decision]. A [Schedule] says for which inputs it
// is, by conditions that are expressions over the inputs of the epoch, which operations of
// synchronisation come in which order (section 3.2), and how it ends.
//
// A set is written as text with [Set.Write], to be read by people as well, and [Read] reads it again. It belongs to the
// sources that it was made of: [Set.Code] is a hash of these.
//
// What is in this package is data. Package covering of the engine finds schedules; package instrument has programs
// keep to them.
package cover
