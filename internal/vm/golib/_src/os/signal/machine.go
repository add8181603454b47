package signal

import (
	"syscall"
	_ "unsafe" // for linkname
)

//go:linkname enableIn syscall.enableSignal
func enableIn(sig uint32, process func(syscall.Signal))

//go:linkname disableIn syscall.disableSignal
func disableIn(sig uint32, ignore bool)

//go:linkname signal_ignored syscall.signalIgnored
func signal_ignored(sig uint32) bool

//go:linkname signalWaitUntilIdle syscall.awaitDelivered
func signalWaitUntilIdle()

func signal_enable(sig uint32) {
	enableIn(sig, func(sig syscall.Signal) { process(sig) })
}

func signal_disable(sig uint32) { disableIn(sig, false) }

func signal_ignore(sig uint32) { disableIn(sig, true) }

// loop would wait for signals. Those that come are brought by goroutines of package syscall.
func loop() {}
