//go:build !unix

package cputime

import "time"

// Known says that the processor time of a process is not known on this system.
const Known = false

var started = time.Now()

// Now returns the time since the start, for want of that of the processors.
func Now() time.Duration { return time.Since(started) }

// Children returns the same, likewise.
func Children() time.Duration { return time.Since(started) }
