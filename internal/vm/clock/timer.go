package clock

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/queue"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// DueTimers appends the transitions of the timers that can fire.
func DueTimers(m *state.State, to []run.Transition) []run.Transition {
	if m.NoneDue() {
		return to
	}
	for _, t := range m.Timers {
		if isDue(m, t) {
			to = append(to, fires(m, t))
		}
	}
	return to
}

// UndueTimers appends the transitions, which are disabled, of the timers outside of bubbles
// that fire later.
func UndueTimers(m *state.State, to []run.Transition) []run.Transition {
	for _, t := range m.Timers {
		if Ticks(m, t) && t.When != state.Never && !isDue(m, t) {
			to = append(to, fires(m, t))
			to[len(to)-1].Enabled = false
		}
	}
	return to
}

// isDue reports whether t can fire.
func isDue(m *state.State, t *state.Timer) bool {
	if t.Bubble != nil {
		return t.When <= state.BubbleTime(t.Bubble)
	}
	return Ticks(m, t) && !t.Held && m.HasCome(t.Due(m.Now))
}

// Ticks reports whether t is a timer outside of bubbles that fires when its time comes: that
// changes something, and is not left out (see [TimeCut]).
func Ticks(m *state.State, t *state.Timer) bool {
	return t.Bubble == nil && !t.ChannelFull() && !TimeCut(m, t.Late)
}

// fires returns the transition in which t fires.
func fires(m *state.State, t *state.Timer) run.Transition {
	fire := run.Transition{
		Decision: run.Decision{Kind: run.Step, Goroutine: -1, Alt: t.Alt},
		Op:       schedule.TimerFire,
		Object:   t.ObjectID(),
		Cells:    1,
		Partner:  -1,
		Delta:    int64(t.Creator),
		Site:     run.NoSite,
		Enabled:  true,
	}
	if t.Bubble != nil {
		fire.Bubble = t.Bubble.ID
	} else {
		fire.State = t.Due(m.Now) - m.Now
	}
	queue.Note(m, &fire, t.Channel())
	return fire
}

// indexOf returns the index of the timer with the given alternative, -1 if there is none.
func indexOf(m *state.State, alt int32) int {
	return slices.IndexFunc(m.Timers, func(t *state.Timer) bool { return t.Alt == alt })
}

// Receivers returns the goroutines of which one gets what the timer with the given alternative sends.
func Receivers(m *state.State, alt int32) []*state.Goroutine {
	t := m.Timers[indexOf(m, alt)]
	if ch := t.Channel(); ch != nil && !t.ChannelFull() {
		return queue.Receivers(m, ch)
	}
	return nil
}

// Fire carries out the step of the timer with the given alternative, which cannot happen
// before the given time nor before the readings of the clock, outside of bubbles. What it sends is for
// one of the [Receivers], nil if there are none.
func Fire(m *state.State, alt int32, to *state.Goroutine, time int64, readings *race.Readings) {
	i := indexOf(m, alt)
	t := *m.Timers[i]
	now, due := timeOfFiring(m, &t, time)
	if t.Bubble == nil {
		t.Clock.Time, t.Clock.Readings = now, t.Clock.Readings.Join(readings)
	}
	if t.Late {
		m.Late++
	}
	if t.Period > 0 {
		next := *m.Timers[i]
		next.When = state.Later(due, t.Period)
		next.Left = state.Never // until its creator receives
		next.Late = m.Returned()
		next.Fired++
		if t.Bubble == nil {
			next.Clock.Readings = delayAll(m, next.Clock.Readings, next.When-t.When)
			next.Held = HoldsBack(m, nil, next.When, next.Clock.Readings)
		}
		m.ReplaceTimer(i, next)
	} else {
		m.RemoveTimer(i)
	}
	event := m.RecordTimer(run.Event{
		Op: schedule.TimerFire, Object: t.ObjectID(), Other: -1,
		Wrote: uint64(now), WroteKind: uint8(code.Int64),
	})
	ch := t.Channel()
	if ch == nil {
		f := t.Cell.Object.Cells[t.Cell.Offset+state.TimerFunc]
		g := m.AddGoroutine(t.Child, &t.Clock)
		if g != nil {
			g.Func, g.Bubble, g.OfInitialiser = f.P.Func, t.Bubble, t.OfInitialiser
			m.PushEntry(g, m.Funcs[f.P.Func], f.P, nil)
		}
		return
	}
	if t.ChannelFull() {
		return
	}
	if to != nil {
		queue.ServeTimer(m, to, ch)
	}
	at := int(ch.Cells[state.ChanHead].N+ch.Cells[state.ChanCount].N) % int(ch.Cells[state.ChanCap].N)
	wall, ext := Words(m.Arena, race.Reading{Value: now}, t.Bubble != nil)
	words := [...]heap.Word{wall.Word, ext.Word, t.Cell.Object.Cells[t.Cell.Offset+state.TimerLoc]}
	first := state.ChanBuffer + at*len(words)
	m.Heap.Dirty(ch, first, len(words))
	copy(ch.Cells[first:], words[:])
	m.Heap.Dirty(ch, state.ChanCount, 1)
	ch.Cells[state.ChanCount].N++
	slot := m.ChanShadowOf(ch).Element(at)
	slot.Sent, slot.Firing = event, firingOf(m, &t, now)
	m.Races.NoteReplaced(&slot.Clock, &t.Clock)
	slot.Clock.Assign(&t.Clock) // a value that nobody has received orders nothing
}

// timeOfFiring returns the time as the program sees it when t fires, and the last time, not
// after that, for which t was set: a ticker may have skipped some ticks.
func timeOfFiring(m *state.State, t *state.Timer, time int64) (now, last int64) {
	if t.Bubble == nil {
		return time, t.Due(m.Now)
	}
	last = t.When
	if t.Period > 0 {
		last += (state.BubbleTime(t.Bubble) - t.When) / t.Period * t.Period
	}
	return t.When, last
}
