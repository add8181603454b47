package time

import "unsafe"

// A cell is a timer as the machine knows it, by its address and its fields.
type cell struct {
	c   chan Time // gets the time when the timer fires, if it has room
	f   func()    // is called in a goroutine of its own when c is nil
	loc *Location // of the times sent

	bubble unsafe.Pointer // the synctest bubble in which it was made
}

// startTimer starts the timer t, which is not active. It fires after d, at once if
// that is not positive, and then after every period, if that is not zero.
func startTimer(t *cell, d, period int64)

// stopTimer stops t and empties its channel. It reports whether t was active: it
// had still to fire, or nobody had received what it sent. With GODEBUG=asynctimerchan=1 the
// channel stays as it is.
func stopTimer(t *cell) bool

// resetTimer stops t as stopTimer does and starts it again.
func resetTimer(t *cell, d, period int64) bool

// sleep waits until ns nanoseconds have passed.
func sleep(ns int64)

// Sleep waits until d has passed.
func Sleep(d Duration) { sleep(int64(d)) }

// A Timer is an event in the future: C gets the time, or a function is called.
type Timer struct {
	C    <-chan Time
	cell cell
	init bool
}

// NewTimer returns a timer that sends the time after d.
func NewTimer(d Duration) *Timer {
	c := make(chan Time, 1)
	t := &Timer{C: c, cell: cell{c: c, loc: Local}, init: true}
	startTimer(&t.cell, int64(d), 0)
	return t
}

// AfterFunc returns a timer that calls f after d, in a goroutine of its own.
func AfterFunc(d Duration, f func()) *Timer {
	t := &Timer{cell: cell{f: f}, init: true}
	startTimer(&t.cell, int64(d), 0)
	return t
}

// After returns a channel that gets the time after d.
func After(d Duration) <-chan Time { return NewTimer(d).C }

// Stop keeps the timer from firing, and reports whether it would have.
func (t *Timer) Stop() bool {
	if !t.init {
		panic("time: Stop called on uninitialized Timer")
	}
	return stopTimer(&t.cell)
}

// Reset makes the timer fire after d, and reports whether it was active.
func (t *Timer) Reset(d Duration) bool {
	if !t.init {
		panic("time: Reset called on uninitialized Timer")
	}
	return resetTimer(&t.cell, int64(d), 0)
}

// A Ticker sends the time again and again.
type Ticker struct {
	C    <-chan Time
	cell cell
	init bool
}

// NewTicker returns a ticker that sends the time after every d, dropping what
// nobody has received.
func NewTicker(d Duration) *Ticker {
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	c := make(chan Time, 1)
	t := &Ticker{C: c, cell: cell{c: c, loc: Local}, init: true}
	startTimer(&t.cell, int64(d), int64(d))
	return t
}

// Stop ends the ticking. The channel stays open.
func (t *Ticker) Stop() {
	if t.init {
		stopTimer(&t.cell)
	}
}

// Reset makes the ticker tick after every d from now on.
func (t *Ticker) Reset(d Duration) {
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	if !t.init {
		panic("time: Reset called on uninitialized Ticker")
	}
	resetTimer(&t.cell, int64(d), int64(d))
}

// Tick returns the channel of a ticker, nil unless d is positive.
func Tick(d Duration) <-chan Time {
	if d <= 0 {
		return nil
	}
	return NewTicker(d).C
}
