package runtime

// Gosched lets other goroutines run. Every visible operation does so anyway.
func Gosched()

// Goexit ends the goroutine after its deferred calls.
func Goexit()

// NumGoroutine returns the number of goroutines that have not ended.
func NumGoroutine() int

// processors returns what the program is told of the hardware. It bounds nothing:
// any enabled goroutine can take the next step.
func processors() int

// NumCPU returns the number of processors.
func NumCPU() int { return processors() }

// GOMAXPROCS returns the number of processors. Setting it changes nothing that
// a program could notice.
func GOMAXPROCS(n int) int { return processors() }

// SetDefaultGOMAXPROCS does nothing.
func SetDefaultGOMAXPROCS() {}

// NumCgoCall returns 0: there is no cgo.
func NumCgoCall() int64 { return 0 }

// LockOSThread does nothing: a goroutine cannot tell threads apart.
func LockOSThread() {}

// UnlockOSThread does nothing.
func UnlockOSThread() {}

// Breakpoint does nothing: no debugger is attached.
func Breakpoint() {}
