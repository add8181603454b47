package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/everyway-go/everyway/internal/memory"
)

// leastMemory is the least limit on memory that loading a small package and searching it fit
// in.
const leastMemory memory.Size = 256 << 20

// limitMemory returns the budget of the process for a limit, 0 for the default. It is watched
// until ctx ends.
func limitMemory(ctx context.Context, limit memory.Size) *memory.Budget {
	if limit == 0 {
		limit = max(memory.Default(), leastMemory)
	}
	memory.AdviseHugePages(min(limit, 1<<30))
	goal := limit.Goal()
	if os.Getenv("GOMEMLIMIT") != "" {
		goal = min(goal, debug.SetMemoryLimit(-1))
	}
	putOffCollection(goal)
	b := memory.NewBudget(limit)
	go b.Watch(ctx)
	return b
}

// firstCollection is the memory in use, in bytes, at which garbage is first collected.
const firstCollection = 256 << 20

// putOffCollection has the first collection of garbage wait until the process has
// some memory in use, as the compiler does: nearly all that is made while a program
// is loaded stays. What the user says in the environment goes before. From then on, as much
// garbage is collected as keeps the process below the goal.
func putOffCollection(goal int64) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		debug.SetMemoryLimit(goal)
		return
	}
	percent := debug.SetGCPercent(-1)
	debug.SetMemoryLimit(min(firstCollection, goal))
	// The first collection frees this array, and things are as usual from then on.
	runtime.AddCleanup(new([4]int), func(int) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(goal)
	}, 0)
}
