// Package fault turns panics of everyway's own code into errors, so that a defect ends the
// search of one target and not the process. A function that begins a piece of work defers
// [Catch]; whoever reports the error writes a [Report], which a user can send.
//
// What the runtime ends a process for, such as a goroutine without stack or memory that is
// used up, cannot be caught: what users' programs drive must be bounded.
package fault
