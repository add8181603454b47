package time

// The zones are those of the toolchain: the machine has no /usr/share/zoneinfo.
import _ "time/tzdata"

// runtimeNow reads the clock, in seconds and nanoseconds since the Unix epoch. In a synctest
// bubble it has no monotonic reading.
func runtimeNow() (sec int64, nsec int32, mono int64)

// runtimeNano reads the monotonic clock, which in a bubble shows the time of the wall clock, in nanoseconds since the Unix epoch.
func runtimeNano() int64

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
