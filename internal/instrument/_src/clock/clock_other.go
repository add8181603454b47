//go:build !(linux && amd64)

package clock

import "time"

// Start reports that the time cannot be changed.
func Start(shift int64) bool { return false }

// Pass does nothing.
func Pass(ns, shift int64) {}

// Pause waits.
func Pause(d time.Duration) { time.Sleep(d) }
