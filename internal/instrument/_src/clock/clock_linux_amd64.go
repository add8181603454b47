// Package clock changes the time that the program sees.
package clock

import (
	"syscall"
	"time"
	"unsafe"
)

// A clockRate says how the time that the program sees follows from that of the computer: it is the
// time seen at a moment, and a fraction of what has passed since. There is one for the time of day,
// and one for the monotonic clock. The offsets are those in clock_linux_amd64.s.
type clockRate struct {
	moments [2]struct{ real, seen int64 } // in nanoseconds
	shift   int64                         // the fraction is 1/2^shift
}

// vdso is where the runtime finds the time without the kernel, and rate how it is changed, nil if it
// is not.
var (
	vdso uintptr
	rate *clockRate
)

func hook() bool

// Start has time pass at the rate of a shift. It reports whether that can be done.
//
//go:norace
func Start(shift int64) bool {
	if !hook() {
		return false
	}
	r := &clockRate{shift: shift}
	for i := range r.moments {
		now := realTime(i)
		r.moments[i].real, r.moments[i].seen = now, now
	}
	rate = r
	return true
}

// Pass has a time pass at once, and then time pass at the rate of a shift.
//
//go:norace
func Pass(ns int64, shift int64) {
	before := rate
	r := &clockRate{shift: shift}
	for i := range r.moments {
		now := realTime(i)
		r.moments[i].real = now
		r.moments[i].seen = before.moments[i].seen + (now-before.moments[i].real)>>before.shift + ns
	}
	rate = r
}

// realTime returns the time of the computer, by a clock of the kernel's.
//
//go:norace
func realTime(clock int) int64 {
	var t syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, uintptr(clock), uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}

// Pause waits, by the time of the computer.
//
//go:norace
func Pause(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	syscall.Nanosleep(&t, nil)
}
