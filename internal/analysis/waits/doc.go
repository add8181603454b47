// Package waits has two detectors of goroutines that wait: for ever, and long for a lock.
//
// They look at schedules of traces of the Go runtime (package gotrace), which say that a goroutine
// waits, and who ends that, but not for which lock or channel. There it acquires a semaphore of its
// own, of an object that is named by what it waits for.
//
// # Abandoned goroutines
//
// A goroutine that waits when the schedule ends is a suspected leak if nobody who goes on may end
// that. A goroutine may end the wait of another if it has started it, was started by it, or has
// released its semaphore or the other way round, and has not ended. It goes on if it does not wait
// itself, or somebody who goes on may end its wait. Groups of suspects who may end the waits of
// each other are one finding, with where each of them was started, and where it waits.
//
// A suspect need not be a leak: another goroutine may have its channel, or a timer that has not
// fired before. And a leak need not be a suspect: if the goroutine that has started it still runs,
// it could go on. The detector takes memory for each goroutine, and for each pair of them of which
// one releases the other's semaphore. Package leak predicts leaks where it is known what goroutines
// wait for.
//
// # Locks
//
// A wait for a lock that took ten milliseconds or more is reported with who ended it, if the
// schedule has times. That is no defect, but may explain why a program is slow.
package waits
