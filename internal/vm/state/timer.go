package state

import (
	"math"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
)

// ClockStart is the virtual time at the start of Boot, 2000-01-01 UTC, in
// nanoseconds since the Unix epoch.
const ClockStart = 946684800 * 1e9

// Never is when something is due that the clock is too short for. Natively that is in
// centuries: what waits for it waits for ever.
const Never = math.MaxInt64 - ClockStart

// Later returns the time d after t.
func Later(t, d int64) int64 { return t + min(d, Never-t) }

// A Timer is a timer that has been started. The program's side is a struct
// whose address names it:
//
//	c   chan Time  // gets the time when the timer fires, if it has room; or nil
//	f   func()     // is called in a goroutine of its own when c is nil
//	loc *Location  // of the times sent
//	bubble         // in which it was made
type Timer struct {
	Alt     int32 // names it in decisions, see timerAlt
	Cell    heap.Location
	When    int64 // ns on the virtual clock
	Period  int64 // 0 for a timer that fires once
	Creator int32 // goroutine that started it
	Child   int32 // the goroutine that will run f
	Clock   race.Clock
	Bubble  *heap.Object // synctest bubble in which it was made, nil for none
	Late    bool         // set, or has fired, after the target's return
}

// The words of a timer's struct.
const (
	TimerChan = iota
	TimerFunc
	TimerLoc
	TimerBubble
)

// Channel returns the channel of t, nil when it calls a function.
func (t *Timer) Channel() *heap.Object {
	return t.Cell.Object.Cells[t.Cell.Offset+TimerChan].P
}

// ObjectID returns the object that t's firing works on.
func (t *Timer) ObjectID() run.ObjectID {
	if ch := t.Channel(); ch != nil {
		return ch.ID
	}
	return t.Cell.Object.ID
}

// Idle reports whether firing t would change nothing: its channel is full. It
// then does not keep the rest of the program from standing still.
func (t *Timer) Idle() bool {
	ch := t.Channel()
	return ch != nil && ch.Cells[ChanCount].N == ch.Cells[ChanCap].N
}

// Due returns when t fires next. A ticker whose channel was full has left out
// the ticks up to now.
func (t *Timer) Due(now int64) int64 {
	if t.Period == 0 || t.When >= now {
		return t.When
	}
	missed := (now-t.When-1)/t.Period + 1
	return Later(t.When, missed*t.Period)
}
