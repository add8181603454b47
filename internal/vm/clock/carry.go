package clock

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// When a timer is due depends on when it was set. That is the earliest time at which the
// event can have happened: the time of the last quiescent point, or the latest time at which
// a timer was due that fired early and that happened before the event. So whether a timer can
// fire depends only on what happened before, in the sense of run.Dependent, and not on the
// order of independent steps.

// maxLookback is the number of steps among which Carry looks one by one for those on which a step
// depends. Of the steps before them, of which there may be very many, there is an index.
const maxLookback = 100

// Carry is called before step t, in a part of the run in which timers have fired early or
// the clock has been read, or if t is early itself. It returns the earliest time at which t
// can happen, which is not before any step that happened before it, and the readings of the
// clock that happened before.
//
// Clocks carry that time between goroutines that synchronise. But a goroutine can also learn
// of what another has done without synchronising with it: by a TryLock that fails, by the
// default case of a select, or because its element comes later in a channel. So all steps
// count on which t depends.
func Carry(m *state.State, t *run.Transition) (time int64, readings *race.Readings) {
	n := len(m.LateSteps)
	if n > 0 && m.LateSteps[n-1].Time < 0 {
		late := &m.LateSteps[n-1]
		late.Time, late.Readings = before(m, &late.Transition)
	}
	time, readings = before(m, t)
	if t.IsEarly() {
		time = max(time, m.Now+t.State)
	}
	latest := m.Now + m.Stalled
	// All readings are looked for, those also that happened before others which are known: what is
	// found has to follow from what happened before the step, and not from what others have read
	// meanwhile.
	look := func(late *state.LateStep) {
		if (late.Time > time || !late.Readings.Within(readings)) && run.Dependent(&late.Transition, t) {
			time, readings = max(time, late.Time), readings.Join(late.Readings)
		}
	}
	read := m.LatestReadings != nil
	recent := max(n-maxLookback, 0)
	for i := n - 1; i >= recent && (time < latest || read); i-- {
		look(&m.LateSteps[i])
	}
	if (time < latest || read) && recent > 0 {
		m.LateIndex.Add(m.LateSteps, recent)
		for list := range m.LateIndex.Lists(t) {
			for i := 0; i < len(list.Steps) && (list.Latest > time || !list.Readings.Within(readings)); i++ {
				look(&list.Steps[i])
			}
		}
	}
	late := state.LateStep{Transition: *t, Time: -1}
	late.Awaits = slices.Clone(t.Awaits)
	if t.Goroutine < 0 {
		late.Time, late.Readings = time, readings
	}
	m.LateSteps = append(m.LateSteps, late)
	for _, id := range [...]int32{t.Goroutine, t.Partner} {
		if id >= 0 {
			g := m.Goroutines[m.Slots[id]]
			m.Preserve(g)
			g.Clock.Time = max(g.Clock.Time, time)
			g.Clock.Readings = g.Clock.Readings.Join(readings)
		}
	}
	return time, readings
}

// before returns the earliest time at which the goroutines of t, or its timer, can be
// where they are, and the readings that happened before.
func before(m *state.State, t *run.Transition) (time int64, readings *race.Readings) {
	time = m.Now
	add := func(c *race.Clock) { time, readings = max(time, c.Time), readings.Join(c.Readings) }
	for _, id := range [...]int32{t.Goroutine, t.Partner} {
		if id >= 0 {
			add(&m.Goroutines[m.Slots[id]].Clock)
		}
	}
	if t.Op == schedule.TimerFire {
		if i := indexOf(m, t.Alt); i >= 0 {
			add(&m.Timers[i].Clock)
		}
	}
	return time, readings
}
