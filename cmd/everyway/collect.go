package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// firstCollection is the memory in use, in bytes, at which garbage is first collected.
const firstCollection = 256 << 20

// putOffCollection has the first collection of garbage wait until the process has
// some memory in use, as the compiler does: nearly all that is made while a program
// is loaded stays. What the user says in the environment goes before.
func putOffCollection() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	percent := debug.SetGCPercent(-1)
	limit := debug.SetMemoryLimit(firstCollection)
	// The first collection frees this array, and things are as usual from then on.
	runtime.AddCleanup(new([4]int), func(int) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}, 0)
}
