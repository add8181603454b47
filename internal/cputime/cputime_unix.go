//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Known reports whether the processor time of a process is known on this system.
const Known = true

// Now returns the time that the processors have spent on this process: other
// work on the machine does not count.
func Now() time.Duration { return of(syscall.RUSAGE_SELF) }

// Children returns the time that the processors have spent on processes that this one has started, and that have ended.
func Children() time.Duration { return of(syscall.RUSAGE_CHILDREN) }

func of(who int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		panic(err) // both are always known
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
