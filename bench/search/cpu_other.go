//go:build !unix

package main

import "time"

var started = time.Now()

// cpuTime returns the time since the start, for want of that of the processors.
func cpuTime() time.Duration { return time.Since(started) }
