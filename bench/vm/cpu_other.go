//go:build !unix

package main

import "time"

var start = time.Now()

// processorTime stands for the processor time that this process has used: the time
// that has passed.
func processorTime() time.Duration { return time.Since(start) }
