// Package vectorclock has vector clocks of goroutines.
//
// Each goroutine has a time, which advances when others may learn of what it has done. A
// [Clock] says up to which time of each goroutine something has happened before. An [Epoch] is
// a time of one goroutine; FastTrack (Flanagan and Freund, PLDI 2009) compares an epoch with a
// clock in constant time.
package vectorclock
