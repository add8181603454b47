package time

// now returns the virtual time, in nanoseconds since the Unix epoch. It stands
// still while code runs, and moves when a timer fires or a sleeper wakes.
func now() int64

// Now returns the virtual time. It has no monotonic reading: the wall clock is
// never set.
func Now() Time {
	ns := now()
	return Time{uint64(ns % 1e9), ns/1e9 + unixToInternal, Local}
}

// Since returns the time elapsed since t.
func Since(t Time) Duration { return Now().Sub(t) }

// Until returns the duration until t.
func Until(t Time) Duration { return t.Sub(Now()) }

func runtimeNow() (sec int64, nsec int32, mono int64) {
	ns := now()
	return ns / 1e9, int32(ns % 1e9), 0
}

func runtimeNano() int64 { return now() }

// runtimeIsBubbled reports whether the goroutine is in a synctest bubble.
func runtimeIsBubbled() bool

// Local is UTC: the machine has no /etc/localtime.
func init() { localLoc.name = "UTC" }

func (l *Location) get() *Location {
	if l == nil {
		return &utcLoc
	}
	return l
}
