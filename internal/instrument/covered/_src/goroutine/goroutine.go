// Package debug, which is a directory that exists, in which the assembler can run, says which goroutine runs.
package debug

// Current returns the address of the runtime's description of the goroutine that calls it. It is that of no other goroutine
// until this one has ended.
func Current() uintptr
