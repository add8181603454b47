package time

import "internal/godebug"

// asynctimerchan is what the tests ask for the kind of timers' channels that GODEBUG
// sets.
var asynctimerchan = godebug.New("asynctimerchan")

// CheckRuntimeTimerPeriodOverflow starts a timer whose second time is beyond all clocks.
func CheckRuntimeTimerPeriodOverflow() {
	t := cell{f: func() {}}
	startTimer(&t, 0, 1<<63-1)
	defer stopTimer(&t)
	<-After(25 * Millisecond)
}
