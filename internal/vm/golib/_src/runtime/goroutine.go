package runtime

import "sync/atomic"

// Gosched lets other goroutines run. Every visible operation does so anyway.
func Gosched()

// Goexit ends the goroutine after its deferred calls.
func Goexit()

// NumGoroutine returns the number of goroutines that have not ended.
func NumGoroutine() int

// processors returns what the program is told of the hardware. It bounds nothing:
// any enabled goroutine can take the next step.
func processors() int

// maxProcs is what GOMAXPROCS was set to, 0 for the number of processors.
var maxProcs atomic.Int64

// NumCPU returns the number of processors.
func NumCPU() int { return processors() }

// GOMAXPROCS returns the number of processors, or what it was set to. Setting it changes
// nothing else that a program could notice.
func GOMAXPROCS(n int) int {
	var was int64
	if n > 0 {
		was = maxProcs.Swap(int64(n))
	} else {
		was = maxProcs.Load()
	}
	if was == 0 {
		return processors()
	}
	return int(was)
}

// SetDefaultGOMAXPROCS takes back what GOMAXPROCS was set to.
func SetDefaultGOMAXPROCS() { maxProcs.Store(0) }

// NumCgoCall returns 0: there is no cgo.
func NumCgoCall() int64 { return 0 }

// LockOSThread does nothing: a goroutine cannot tell threads apart.
func LockOSThread() {}

// UnlockOSThread does nothing.
func UnlockOSThread() {}

// Breakpoint does nothing: no debugger is attached.
func Breakpoint() {}
