// Package variables follows the variables of the source while a machine runs.
//
// A value that no instruction needs any more is nowhere in the machine: its register is used for
// something else. A [Follower] therefore keeps the variables of each frame itself. It sets traps
// (state.Traps) at the instructions before which a variable changes, which
// code.Variables says, and takes the new value when a goroutine comes there. It changes nothing in
// the machine, so that runs are the same with it and without.
//
// It also sets a trap at the first instruction of each line, and calls [Follower.Reached] when a
// goroutine comes to another line in a frame, before anything on the line has happened.
//
// What it knows goes back with the machine: [Follower.Snapshot] is to be called at each checkpoint,
// and [Follower.Restore] when a run resumes there.
package variables
