package sched

import (
	"slices"
	"time"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/clock"
	"github.com/everyway-go/everyway/internal/vm/collect"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/queue"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
	"github.com/everyway-go/everyway/schedule"
)

// Virtual time. When no goroutine can take a step unless time passes, the run is at a
// quiescent point: a step of no goroutine moves the clock to the time at which something is
// due next. What is due then can happen in any order with everything else: timers fire and
// sleeping goroutines wake. From one quiescent point to the next, the clock advances by at
// most Settings.Stall, so that timers and sleepers that are due within that time can happen
// as well, at any point. They are early, since goroutines that could run are kept waiting
// for them.
//
// When a timer is due depends on when it was set. That is the earliest time at which the
// event can have happened: the time of the last quiescent point, or the latest time at which
// a timer was due that fired early and that happened before the event (see carryTime). So
// whether a timer can fire depends only on what happened before, in the sense of
// run.Dependent, and not on the order of independent steps.

// passTime carries out the step in which time passes, at a quiescent point. Every goroutine
// is blocked then.
func (m *Scheduler) passTime() {
	queue.Quiesce(&m.State, nil)
	was := m.Now + m.Stalled
	m.Now = max(was, m.findSoonest())
	m.Stalled, m.LateSteps = 0, nil
	clock.Pass(&m.State)
	m.recordPassing(m.Now-was, -1)
}

// recordPassing records that time passes while a goroutine that could run waits, -1 if there
// is none.
func (m *Scheduler) recordPassing(d int64, waits int32) {
	m.RecordTimer(run.Event{
		Op: schedule.TimePass, Object: run.ClockObject, Other: waits,
		Wrote: uint64(d), WroteKind: uint8(code.Int64),
	})
}

// timePass returns the step with the given alternative in which time passes.
func timePass(alt int32) run.Transition {
	return run.Transition{
		Decision: run.Decision{Kind: run.Step, Goroutine: -1, Alt: alt},
		Op:       schedule.TimePass,
		Object:   run.ClockObject,
		Cells:    1,
		Partner:  -1,
		Delta:    -1,
		Site:     run.NoSite,
		Enabled:  true,
	}
}

// timePassAlt is the alternative of the step in which time passes, and collectAlt that of
// the step in which so much time passes that garbage is collected. Those of timers are not
// negative.
const (
	timePassAlt = -1
	collectAlt  = -2
)

// maxCollections is the number of collections that are made because nothing else can
// happen. Finalizers may go on to set finalizers without end.
const maxCollections = 4

// mayCollect reports whether there is something to collect in a state in which nothing can
// happen, not even if timers come due.
func (m *Scheduler) mayCollect() bool {
	return m.Heap.Recording() && m.Collections < maxCollections && len(collect.Dead(&m.State)) > 0
}

// collectWhenIdle carries out the step in which garbage is collected because nothing else
// can happen.
func (m *Scheduler) collectWhenIdle() {
	m.Collections++
	m.RecordTimer(run.Event{Op: schedule.Collect, Object: run.NoObject, Other: -1})
	collect.Collect(&m.State, m.Goroutines[0], collect.Dead(&m.State))
}

// addTimePass adds the step in which time passes to the pending operations if nothing can
// happen otherwise and something is due later.
func (m *Scheduler) addTimePass() {
	alt := int32(timePassAlt)
	switch {
	case m.findSoonest() != state.Never:
	case m.Pending.numEnabled == 0 && m.mayCollect():
		alt = collectAlt
	default:
		return
	}
	p := &m.Pending
	p.due = slices.Insert(p.due, 0, timePass(alt)) // before the timers, which are early
	p.numEnabled++
}

// isQuiescent reports whether nothing can happen unless time passes.
func (m *Scheduler) isQuiescent() bool {
	p := &m.Pending
	if p.numEnabled == 0 {
		return true
	}
	if m.Stall == 0 {
		return false
	}
	early := 0
	for i := range p.due {
		if p.due[i].IsEarly() {
			early++
		}
	}
	m.eachSleeper(func(g *state.Goroutine) {
		if p.operations[g.Slot].numEnabled > 0 && g.When > m.Now {
			early++
		}
	})
	return early == p.numEnabled
}

// carryTime is called before step t, in a part of the run in which timers have fired early or
// the clock has been read, or if t is early itself. It returns the earliest time at
// which t can happen, which is not before any step that happened before it, and the readings
// of the clock that happened before.
//
// Clocks carry that time between goroutines that synchronise. But a goroutine can also learn
// of what another has done without synchronising with it: by a TryLock that fails, by the
// default case of a select, or because its element comes later in a channel. So all steps
// count on which t depends.
func (m *Scheduler) carryTime(t *run.Transition) (int64, *race.Readings) {
	n := len(m.LateSteps)
	if n > 0 && m.LateSteps[n-1].Time < 0 {
		late := &m.LateSteps[n-1]
		late.Time, late.Readings = m.timeBefore(&late.Transition)
	}
	time, readings := m.timeBefore(t)
	if t.IsEarly() {
		time = max(time, m.Now+t.State)
	}
	latest := m.Now + m.Stalled
	for i := n - 1; i >= 0 && (time < latest || !m.LatestReadings.Within(readings)); i-- {
		late := &m.LateSteps[i]
		if (late.Time > time || !late.Readings.Within(readings)) && run.Dependent(&late.Transition, t) {
			time, readings = max(time, late.Time), readings.Join(late.Readings)
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
			g := m.Goroutines[m.slotOf(id)]
			m.Preserve(g)
			g.Clock.Time = max(g.Clock.Time, time)
			g.Clock.Readings = g.Clock.Readings.Join(readings)
		}
	}
	return time, readings
}

// timeBefore returns the earliest time at which the goroutines of t, or its timer, can be
// where they are, and the readings that happened before.
func (m *Scheduler) timeBefore(t *run.Transition) (time int64, readings *race.Readings) {
	time = m.Now
	add := func(c *race.Clock) { time, readings = max(time, c.Time), readings.Join(c.Readings) }
	for _, id := range [...]int32{t.Goroutine, t.Partner} {
		if id >= 0 {
			add(&m.Goroutines[m.slotOf(id)].Clock)
		}
	}
	if t.Op == schedule.TimerFire {
		if i := m.timer(t.Alt); i >= 0 {
			add(&m.Timers[i].Clock)
		}
	}
	return time, readings
}

// advance lets the clock advance so far that t, which is early, can happen.
func (m *Scheduler) advance(t *run.Transition) {
	d := t.State - m.Stalled
	if d <= 0 {
		return
	}
	// Something is kept waiting if it could happen at the time before.
	p := &m.Pending
	could := func(t *run.Transition) bool {
		return t.Enabled && t.Op != schedule.TimePass && !(t.IsEarly() && t.State > m.Stalled)
	}
	stalls := slices.ContainsFunc(p.due, func(t run.Transition) bool { return could(&t) })
	var waits *state.Goroutine // of those that wait, the one that took its last step first
	for slot := p.withEnabled.Next(0); slot >= 0; slot = p.withEnabled.Next(slot + 1) {
		for i := range p.operations[slot].transitions {
			if g := m.Goroutines[slot]; could(&p.operations[slot].transitions[i]) && (waits == nil || g.LastStep < waits.LastStep) {
				waits, stalls = g, true
			}
		}
	}
	m.Stalled = t.State
	if stalls {
		m.Trace.Stall = max(m.Trace.Stall, time.Duration(t.State))
	}
	if waits == nil {
		m.recordPassing(d, -1)
	} else {
		m.recordPassing(d, waits.ID)
	}
}

// dueTimers appends the transitions of the timers that can fire.
func (m *Scheduler) dueTimers(to []run.Transition) []run.Transition {
	for i := range m.Timers {
		if t := &m.Timers[i]; m.isDue(t) {
			to = append(to, m.fires(t))
		}
	}
	return to
}

// undueTimers appends the transitions, which are disabled, of the timers outside of bubbles
// that will fire later.
func (m *Scheduler) undueTimers(to []run.Transition) []run.Transition {
	for i := range m.Timers {
		if t := &m.Timers[i]; m.ticks(t) && t.When != state.Never && !m.isDue(t) {
			to = append(to, m.fires(t))
			to[len(to)-1].Enabled = false
		}
	}
	return to
}

// ticks reports whether t, which is not in a bubble, will fire.
func (m *Scheduler) ticks(t *state.Timer) bool {
	return t.Bubble == nil && !t.ChannelFull() && !m.TimeCut(t.Late)
}

// isDue reports whether t can fire.
func (m *Scheduler) isDue(t *state.Timer) bool {
	if t.Bubble != nil {
		// Timers with a channel fire as soon as their time comes.
		return t.Channel() == nil && t.When <= BubbleTime(t.Bubble)
	}
	return m.ticks(t) && !t.Held && m.HasCome(t.Due(m.Now))
}

// CanWake reports whether g, which sleeps outside of bubbles, can wake up. If it sleeps
// because of Polls, that is not early.
func (m *Scheduler) CanWake(g *state.Goroutine) bool {
	if g.Prim.Name != SleepName {
		return g.When <= m.Now && !m.TimeCut(g.Late)
	}
	return m.HasCome(g.When) && !g.Held && !m.TimeCut(g.Late)
}

// fires returns the transition in which t fires.
func (m *Scheduler) fires(t *state.Timer) run.Transition {
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
	queue.Note(&m.State, &fire, t.Channel())
	return fire
}

// findSoonest returns the time at which something is due first outside of bubbles,
// state.Never if nothing is.
func (m *Scheduler) findSoonest() int64 {
	soonest := int64(state.Never)
	for i := range m.Timers {
		if t := &m.Timers[i]; m.ticks(t) {
			soonest = min(soonest, t.Due(m.Now))
		}
	}
	m.eachSleeper(func(g *state.Goroutine) {
		if !m.TimeCut(g.Late) {
			soonest = min(soonest, g.When)
		}
	})
	return soonest
}

// holdsTimers reports whether a timer or sleeper has to wait because its time cannot have
// come.
func (m *Scheduler) holdsTimers() bool {
	holds := false
	for i := range m.Timers {
		if t := &m.Timers[i]; m.ticks(t) {
			due := t.Due(m.Now)
			holds = holds || due != state.Never && !m.HasCome(due)
		}
	}
	m.eachSleeper(func(g *state.Goroutine) {
		holds = holds || !m.TimeCut(g.Late) && g.When != state.Never && !m.HasCome(g.When)
	})
	return holds
}

// eachSleeper calls do for every goroutine that sleeps outside of bubbles.
func (m *Scheduler) eachSleeper(do func(*state.Goroutine)) {
	for _, slot := range m.Pending.volatile { // includes those that sleep
		if g := m.Goroutines[slot]; g.Bubble == nil && sleeps(g) {
			do(g)
		}
	}
}

// maxLate is the number of timers and sleepers of a run that come due although they were
// set after the target's return.
const maxLate = 4

// returned reports whether the target has returned.
func (m *Scheduler) returned() bool {
	return m.Goroutines[0].Status == state.Ended && !m.Initialising()
}

// IsLate reports whether a timer or sleep that is set now is set after the target's
// return.
func (m *Scheduler) IsLate() bool { return m.returned() }

// TimeCut reports whether timers and sleepers do not come due any more: all of them or,
// if late is set, those that were set after the target's return. A goroutine that lives
// on a ticker, or sleeps again and again, would keep the run going forever, whereas
// natively the process ends soon after the target has returned. So everything that was
// set before the return comes due, but of what is set later only the first few.
func (m *Scheduler) TimeCut(late bool) bool { return late && m.Late >= maxLate }

// waitsInVain reports whether a timer or sleeper exists that does not come due because of
// TimeCut.
func (m *Scheduler) waitsInVain() bool {
	for i := range m.Timers {
		if t := &m.Timers[i]; t.Bubble == nil && !t.ChannelFull() && m.TimeCut(t.Late) {
			return true
		}
	}
	return slices.ContainsFunc(m.Live, func(g *state.Goroutine) bool {
		return g.Bubble == nil && sleeps(g) && m.TimeCut(g.Late)
	})
}

// Polls is called when g, outside of bubbles, is about to read the clock. It reports whether
// g waits for time to pass first, and if so sets its sleep.
//
// A loop that reads the clock until a deadline makes no progress as long as time stands
// still, and natively each reading takes time. So a goroutine that reads the clock many times
// goes to sleep until time passes: for a microsecond at first, and twice as long each time
// after that, so that any deadline is soon reached. As with other sleepers, this takes nothing
// from goroutines that could run. When it is more than an hour, the time gets longer only if
// nothing but the time has changed in between. Then it never ends at last, which is what happens
// if the loop waits for something else. A loop that counts may be about to end.
func (m *Scheduler) Polls(g *state.Goroutine) bool {
	r := &g.Readings
	if r.Since != m.Now {
		*r = state.ClockReadings{Since: m.Now}
	}
	if r.Number++; r.Number <= maxReadings {
		return false
	}
	doublings := min(r.Sleeps, anHour)
	if r.Sleeps >= anHour && m.Heap.Recording() {
		if h := r.Head; h != nil && m.Heap.Unchanged(&h.Memory, true) && h.Matches(&m.State, g) {
			doublings = min(r.Sleeps, never)
		}
		r.Head = &state.LongSleep{Memory: m.Heap.Mark()}
		r.Head.Set(g)
	}
	g.When = state.Later(m.TimeOf(g), int64(time.Microsecond)<<doublings)
	g.Late = m.IsLate()
	if m.Pending.numEnabled > 0 { // g, which takes its step, does not count
		m.Trace.Bounds.Add(run.ClockPolls)
	}
	return true
}

// Polled is called when g has slept because of Polls.
func (m *Scheduler) Polled(g *state.Goroutine) {
	r := &g.Readings
	r.Since, r.Number = m.Now, maxReadings-pollReadings
	r.Sleeps++
}

const (
	maxReadings  = 64 // readings of a goroutine, from one quiescent point to the next, before it sleeps
	pollReadings = 2  // the same after it has slept
	anHour       = 32 // doublings of a sleep until it is more than an hour
	never        = 53 // doublings of a sleep until it does not end
)

// sleeps reports whether g is asleep.
func sleeps(g *state.Goroutine) bool {
	return g.Status == state.Parked && g.At == state.AtPrimitive && g.Phase > 0 && g.Prim.Prim.Sleeps
}

// timer returns the index of the timer with the given alternative, -1 if there is none.
func (m *Scheduler) timer(alt int32) int {
	return slices.IndexFunc(m.Timers, func(t state.Timer) bool { return t.Alt == alt })
}

// Fire carries out the step of the timer with the given alternative, which cannot happen
// before the given time nor before the readings of the clock, outside of bubbles.
func (m *Scheduler) Fire(alt int32, time int64, readings *race.Readings) {
	i := m.timer(alt)
	t := m.Timers[i]
	now, due := m.timeOfFiring(&t, time)
	if t.Bubble == nil {
		t.Clock.Time, t.Clock.Readings = now, t.Clock.Readings.Join(readings)
	}
	if t.Late {
		m.Late++
	}
	if t.Period > 0 {
		m.Timers = slices.Clone(m.Timers)
		next := &m.Timers[i]
		next.When = state.Later(due, t.Period)
		next.Late = m.IsLate()
		next.Fired++
		if t.Bubble == nil {
			next.Clock.Readings = clock.Delay(&m.State, t.Clock.Readings, next.When-t.When)
			next.Held = clock.HoldsBack(&m.State, nil, next.When, next.Clock.Readings)
		}
	} else {
		m.Timers = slices.Concat(m.Timers[:i], m.Timers[i+1:])
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
			g.Bubble, g.OfInitialiser = t.Bubble, t.OfInitialiser
			m.PushEntry(g, m.Funcs[f.P.Func], f.P, nil)
		}
		return
	}
	if t.ChannelFull() {
		return
	}
	if t.Bubble == nil {
		queue.ServeTimer(&m.State, ch)
	}
	at := int(ch.Cells[state.ChanHead].N+ch.Cells[state.ChanCount].N) % int(ch.Cells[state.ChanCap].N)
	words := m.timeSent(&t, now)
	first := state.ChanBuffer + at*len(words.Words)
	m.Heap.Dirty(ch, first, len(words.Words))
	copy(ch.Cells[first:], words.Words)
	ch.SetShadows(first, len(words.Words), words.Syms)
	m.Heap.Dirty(ch, state.ChanCount, 1)
	ch.Cells[state.ChanCount].N++
	slot := m.ChanShadowOf(ch).Element(at)
	slot.Sent = event
	slot.Clock.Assign(&t.Clock) // a value that nobody has received orders nothing
}

// timeOfFiring returns the time as the program sees it when t fires, and the last time, not
// after that, for which t was set: a ticker may have skipped some ticks.
func (m *Scheduler) timeOfFiring(t *state.Timer, time int64) (now, last int64) {
	if t.Bubble == nil {
		return time, t.Due(m.Now)
	}
	last = t.When
	if t.Period > 0 {
		last += (BubbleTime(t.Bubble) - t.When) / t.Period * t.Period
	}
	return t.When, last
}

// timeSent returns the time.Time that t sends when it fires at the given virtual time.
func (m *Scheduler) timeSent(t *state.Timer, now int64) symbolic.Operands {
	r := race.Reading{Value: now}
	if t.Bubble == nil {
		r = clock.ReadByTimer(&m.State, t, now)
	}
	wall, ext := clock.Words(m.Arena, r, t.Bubble != nil)
	return symbolic.Operands{
		Words: []heap.Word{wall.Word, ext.Word, t.Cell.Object.Cells[t.Cell.Offset+state.TimerLoc]},
		Syms:  []expr.ID{wall.Sym, ext.Sym, expr.None},
	}
}

// SleepName is the name of the primitive in which a goroutine sleeps.
const SleepName = "time.sleep"
