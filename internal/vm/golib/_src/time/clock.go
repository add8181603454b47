package time

// The zones are those of the toolchain: the machine has no /usr/share/zoneinfo.
import _ "time/tzdata"

// now returns the virtual time, in nanoseconds since the Unix epoch. It stands
// still while code runs, and moves when a timer fires or a sleeper wakes.
func now() int64

// runtimeNow returns the virtual time. In a synctest bubble it has no monotonic reading.
func runtimeNow() (sec int64, nsec int32, mono int64) {
	ns := now()
	sec, nsec = ns/1e9, int32(ns%1e9)
	if !runtimeIsBubbled() {
		mono = ns
	}
	return sec, nsec, mono
}

// runtimeNano returns the monotonic clock's time, which is that of the wall clock:
// nobody sets it.
func runtimeNano() int64 { return now() }

// runtimeIsBubbled reports whether the goroutine is in a synctest bubble.
func runtimeIsBubbled() bool

// interrupt sends the process a signal that it ignores.
func interrupt() {}

// Local is UTC: the machine has no /etc/localtime.
func init() { localLoc.name = "UTC" }

func (l *Location) get() *Location {
	if l == nil {
		return &utcLoc
	}
	return l
}
