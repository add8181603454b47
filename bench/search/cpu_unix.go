//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime returns the time that the processors have spent on this process: other
// work on the machine does not count.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // RUSAGE_SELF is always known
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
