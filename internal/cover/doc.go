// Package cover has input-covering schedules: for each way in which the inputs of a program, or the
// memory at one of its epochs, can be, a schedule that the program can be kept to (Bergan, Avoiding
// State-Space Explosion in Multithreaded Programs with Input-Covering Schedules and Symbolic
// Execution, 2014, chapter 3).
//
// The package has the data and its text. Package engine/covering finds schedules, and package
// instrument/covered makes programs keep to them.
//
//   - A [Set] is what is known of one program: the markers that cut a run into epochs (section
//     3.3.1), and the epochs that runs may come to, each named by where its goroutines begin
//     (section 3.2.2).
//   - An [Epoch] has schedules.
//   - A [Schedule] says for which inputs it is, by conditions that are expressions over the inputs
//     of the epoch; which operations of synchronisation come in which order (section 3.2); and how
//     it ends.
//   - The outcome of a [Decision], which depends on what is read as the program runs (section
//     3.2.1), is an input of its epoch.
//
// [Set.Write] writes a set as text that people can read, too, and [Read] reads it. A set belongs to
// the sources from which it was made: [Set.Code] is a hash of these.
package cover
