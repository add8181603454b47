// Package naming says what the goroutines, variables and values of a run are called in the
// source of the program, for people who read of the run.
//
// [New] looks at the machine when a run has ended, of which everything was recorded: the objects
// of the run are still there, with their types, and where they were allocated. A [Names] then names
// what events are about: [Names.Cell] a variable, [Names.Value] what was read or written there,
// [Names.Goroutine] the function of a goroutine and where it was started.
//
// A part of a struct is named by the type and the field, such as Pool.mu. If a run has to do with
// several values of the type, they are told apart by the variables that hold them (from.mu and
// to.mu) or, where that does not do, numbered (Item#2.mu). Variables are named as they are declared;
// what has no name of its own, such as a channel, by the variable or field that refers to it.
package naming
