package state

import (
	"math"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
)

// ClockStart is what the clock shows at the start of Boot, 2026-01-01 UTC, in nanoseconds since the Unix epoch.
// Programs take it for granted that dates before they were written have passed, and that others are to come.
const ClockStart = 1767225600 * 1e9

// BubbleStart is what the clock of a bubble shows when it begins, 2000-01-01 UTC, as package synctest says.
const BubbleStart = 946684800 * 1e9

// Epoch returns what the clock shows at virtual time 0, in a bubble or outside of bubbles.
func Epoch(bubbled bool) int64 {
	if bubbled {
		return BubbleStart
	}
	return ClockStart
}

// Never is the time of something that is due later than the clock can represent. Natively
// that is centuries away, so what waits for it waits forever.
const Never = math.MaxInt64 - ClockStart

// Later returns the time d after t, at most Never.
func Later(t, d int64) int64 { return t + min(d, Never-t) }

// A Timer is a timer that has been started. The program's side of it is a struct, whose
// address identifies the timer:
//
//	c   chan Time  // receives the time when the timer fires, if it has room; or nil
//	f   func()     // called in a new goroutine when c is nil
//	loc *Location  // of the times sent
//	bubble         // in which the timer was made
type Timer struct {
	Alt     int32 // identifies the timer in decisions
	Cell    heap.Location
	When    int64 // ns on the virtual clock
	Period  int64 // 0 for a timer that fires once
	Creator int32 // number of the goroutine that started it
	Child   int32 // number of the goroutine that will run f
	Clock   race.Clock
	Bubble  *heap.Object   // synctest bubble in which it was made, nil if there is none
	Late    bool           // it was set, or has fired, after the target's return
	Held    bool           // as Goroutine.Held
	Setting int32          // number of timers that Creator had set before
	Wait    int64          // ns for which it was set, Never if they depend on readings of the clock
	Left    int64          // of Wait, or of Period after a tick, when Creator has waited; Never if that is not known
	Fired   int32          // number of times that it has fired
	Shown   *race.Readings // what it has sent, as far as anybody has looked at it
	// OfInitialiser says that a package initialiser has set it, directly or through
	// goroutines.
	OfInitialiser bool
}

// The words of a timer's struct.
const (
	TimerChan = iota
	TimerFunc
	TimerLoc
	TimerBubble
)

// Channel returns the channel of t, nil if t calls a function.
func (t *Timer) Channel() *heap.Object {
	return t.Cell.Object.Cells[t.Cell.Offset+TimerChan].P
}

// ObjectID returns the object that t operates on when it fires.
func (t *Timer) ObjectID() run.ObjectID {
	if ch := t.Channel(); ch != nil {
		return ch.ID
	}
	return t.Cell.Object.ID
}

// ChannelFull reports whether firing t would change nothing, because its channel is full.
// Such a timer does not count as something that can still happen.
func (t *Timer) ChannelFull() bool {
	ch := t.Channel()
	return ch != nil && ch.Cells[ChanCount].N == ch.Cells[ChanCap].N
}

// lapse returns a time outside of bubbles before which t does not fire.
func (t *Timer) lapse() int64 {
	if t.Bubble != nil {
		return math.MinInt64
	}
	return t.When
}

// Due returns when t fires next. A ticker whose channel was full has skipped the ticks up
// to now.
func (t *Timer) Due(now int64) int64 {
	if t.Period == 0 || t.When >= now {
		return t.When
	}
	missed := (now-t.When-1)/t.Period + 1
	return Later(t.When, missed*t.Period)
}
