package sched

import (
	"cmp"
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// The agenda holds what every parked goroutine is about to do, from one scheduling
// point to the next. A goroutine is asked when it has been parked, and again when
// something that its answer depends on may have changed: a step costs what it
// changes, however many goroutines wait.
//
// Of most goroutines it is soon the turn. So those that were parked last are looked at
// at every point. One that has been parked for longer is on the lists of those that wait for
// the objects that its answer depends on (watch); a write to such an object has them asked again. What
// depends on more than objects (time, bubbles, loops that spin) is asked at every point.
//
// Nothing of this is state of the run: it follows from goroutines and memory, and is made
// anew when a run begins.
type PendingOperations struct {
	operations []operation // by slot
	points     uint64      // scheduling points so far
	Computed   uint64      // how often goroutines were asked for their options

	arrived []int32 // goroutines parked since the last point
	recent  []int32 // those parked last before; some that have gone on since may be among them
	stale   []int32 // of others, those to be asked at the next point
	unsure  []int32 // those to be asked at every point; some that have gone on since may be among them
	due     []run.Transition

	watches []watch // by Object.watch; the first is not used
	free    []uint16

	able     race.SlotSet // goroutines with an option that is possible
	possible int          // options that are possible, those of timers included
	several  int          // goroutines with more than one

	// Lists of all options, made on demand. Of the pending ones, those of the goroutines are in
	// their places but for the goroutines in changed.
	All, enabled []run.Transition
	ables        []run.Transition // backs options unless all that is pending is possible
	changed      []int32
	listed       bool    // they are those of this point
	partners     []int32 // see rendezvous
}

// An offer is what a parked goroutine is about to do.
type operation struct {
	transitions []run.Transition
	possible    int // how many of them
	first       int // index in agenda.pending, of the options listed there
	listed      int // how many those are
	stage       stage
	asked       bool // options are those of the goroutine as it is parked
	stale       bool // is in agenda.stale
	unsure      bool // is to be asked at every point
	inUnsure    bool // is in agenda.unsure
	changed     bool // is in agenda.changed
	looksAt     state.DependsOn
	cell        heap.Location // atCell, and what is in it; atChannel, and its state
	word        heap.Word
	sym         expr.ID
}

// An offerStage says how long a goroutine has been parked.
type stage uint8

const (
	isAbsent  stage = iota // it is not parked
	isArrived              // since the last point
	isRecent               // it is in agenda.recent
	isWaiting              // for longer: it is on the lists of what it looks at
)

// A watch lists, by slot in order, the goroutines that wait for an object.
type watch struct {
	o       *heap.Object
	waiters []int32
	senders []int32 // those that want to send on a channel without a buffer, which depends on its waiters too
	stirred uint64  // the last point before which the object may have changed
}

// maxRecent is how many of the goroutines that were parked last are not on lists.
const maxRecent = 8

// maxWatches is the number of objects that goroutines can wait for at a time, and one.
const maxWatches = math.MaxUint16

// clear takes nothing for known.
func (a *PendingOperations) clear(slots int) {
	for i := range a.operations {
		of := &a.operations[i]
		*of = operation{transitions: of.transitions[:0]}
	}
	a.operations = a.operations[:0]
	a.grow(slots)
	for i := range a.watches {
		if w := &a.watches[i]; w.o != nil {
			w.o.Watch = 0
			w.o, w.waiters, w.senders = nil, w.waiters[:0], w.senders[:0]
		}
	}
	a.watches, a.free = a.watches[:0], a.free[:0]
	a.arrived, a.recent, a.stale, a.unsure = a.arrived[:0], a.recent[:0], a.stale[:0], a.unsure[:0]
	a.due, a.All, a.changed, a.listed = a.due[:0], a.All[:0], a.changed[:0], false
	a.able.Clear()
	a.possible, a.several = 0, 0
}

// grow makes room for the goroutines of so many slots. What is in the memory behind offers is
// clear.
func (a *PendingOperations) grow(slots int) {
	if more := slots - len(a.operations); more > 0 {
		a.operations = slices.Grow(a.operations, more)[:slots]
	}
}

// arrive puts g, which has been parked, on the agenda.
func (m *Scheduler) addPending(g *state.Goroutine) {
	a := &m.Pending
	a.grow(len(m.Goroutines))
	of := &a.operations[g.Slot]
	of.stage = isArrived
	a.arrived = append(a.arrived, g.Slot)
	of.looksAt = dependsOn(g)
	switch of.looksAt {
	case state.OnAll:
		of.unsure = true
		if !of.inUnsure {
			of.inUnsure = true
			a.unsure = append(a.unsure, g.Slot)
		}
	case state.OnCell:
		of.cell = heap.Location{Object: g.Stack[g.PrimBase].P, Offset: int(g.Stack[g.PrimBase].N)}
	case state.OnChannel:
		of.cell.Object = g.Comms[0].Chan
	}
	if g.At == state.AtCommunication && len(a.watches) > 0 {
		m.staleSenders(g)
	}
}

// dependsOn returns what decides about the options of g, which is parked.
func dependsOn(g *state.Goroutine) state.DependsOn {
	switch {
	case g.Spins():
		return state.OnAll
	case g.At == state.AtPrimitive:
		return g.Prim.Prim.DependsOn
	case g.At != state.AtCommunication:
		return state.OnNothing
	case g.Selects:
		return state.OnPartners
	}
	switch c := &g.Comms[0]; {
	case c.Chan == nil:
		return state.OnNothing
	case c.Send && c.Chan.Cells[state.ChanCap].N == 0:
		return state.OnPartners
	}
	return state.OnChannel
}

// withdraw takes g, which goes on, off the agenda.
func (m *Scheduler) removePending(g *state.Goroutine) {
	a := &m.Pending
	of := &a.operations[g.Slot]
	if of.stage == isWaiting {
		m.unwatch(g, of)
	}
	of.stage = isAbsent
	of.asked, of.unsure = false, false
	a.count(of, g.Slot, 0)
	if g.At == state.AtCommunication && len(a.watches) > 0 {
		m.staleSenders(g)
	}
}

// staleSenders has those asked again that may send to g, whose presence or readiness
// changes.
func (m *Scheduler) staleSenders(g *state.Goroutine) {
	for i := range g.Comms {
		if c := &g.Comms[i]; !c.Send && c.Chan != nil && c.Chan.Watch != 0 {
			for _, slot := range m.Pending.watches[c.Chan.Watch].senders {
				m.Pending.again(slot)
			}
		}
	}
}

// again has a goroutine asked at the next point.
func (a *PendingOperations) again(slot int32) {
	if of := &a.operations[slot]; !of.stale && !of.unsure {
		of.stale = true
		a.stale = append(a.stale, slot)
	}
}

// stir has those asked again that wait for o, which is about to change.
func (m *Scheduler) objectChanges(o *heap.Object) {
	w := &m.Pending.watches[o.Watch]
	if w.stirred == m.Pending.points {
		return
	}
	w.stirred = m.Pending.points
	for _, list := range [...][]int32{w.senders, w.waiters} {
		for _, slot := range list {
			m.Pending.again(slot)
			if g := m.Goroutines[slot]; g.At == state.AtCommunication && g.Selects {
				m.staleSenders(g) // it may wait now, or not any more: see mayWait
			}
		}
	}
}

// watch puts g on the lists of what it looks at. It is false when there are too
// many; the run is over then.
func (m *Scheduler) watch(g *state.Goroutine, of *operation) bool {
	ok := true
	switch {
	case g.At == state.AtCommunication:
		for i := range g.Comms {
			if c := &g.Comms[i]; c.Chan != nil {
				ok = ok && m.Pending.wait(g.Slot, c.Chan, c.Send && c.Chan.Cells[state.ChanCap].N == 0)
			}
		}
	case of.looksAt == state.OnCell && of.cell.Object != nil:
		ok = m.Pending.wait(g.Slot, of.cell.Object, false)
	}
	return ok || m.Stop(run.Bounded, "goroutines wait for too many objects at a time")
}

// wait puts a goroutine on a list of those that wait for o. It is false when there are
// too many objects.
func (a *PendingOperations) wait(slot int32, o *heap.Object, sends bool) bool {
	if o.Watch == 0 {
		n := max(len(a.watches), 1)
		if k := len(a.free); k > 0 {
			n = int(a.free[k-1])
			a.free = a.free[:k-1]
		} else if n < maxWatches {
			a.watches = slices.Grow(a.watches, n+1-len(a.watches))[:n+1]
		} else {
			return false
		}
		a.watches[n].o, a.watches[n].stirred = o, 0
		o.Watch = uint16(n)
	}
	w := &a.watches[o.Watch]
	list := &w.waiters
	if sends {
		list = &w.senders
	}
	if n := len(*list); n == 0 || (*list)[n-1] < slot {
		*list = append(*list, slot)
	} else if i, found := slices.BinarySearch(*list, slot); !found {
		*list = slices.Insert(*list, i, slot)
	}
	return true
}

// unwatch takes g off the lists that watch has put it on.
func (m *Scheduler) unwatch(g *state.Goroutine, of *operation) {
	if g.At == state.AtCommunication {
		for i := range g.Comms {
			if ch := g.Comms[i].Chan; ch != nil && ch.Watch != 0 {
				m.Pending.leave(g.Slot, ch)
			}
		}
	} else if of.looksAt == state.OnCell && of.cell.Object != nil {
		m.Pending.leave(g.Slot, of.cell.Object)
	}
}

// leave takes a goroutine off the lists of o, if it is there.
func (a *PendingOperations) leave(slot int32, o *heap.Object) {
	w := &a.watches[o.Watch]
	w.waiters = without(w.waiters, slot)
	w.senders = without(w.senders, slot)
	if len(w.waiters) == 0 && len(w.senders) == 0 {
		a.free = append(a.free, o.Watch)
		o.Watch, w.o = 0, nil
	}
}

// without removes a slot from a list in order.
func without(list []int32, slot int32) []int32 {
	if i, found := slices.BinarySearch(list, slot); found {
		return slices.Delete(list, i, i+1)
	}
	return list
}

// receivers returns, in order, the slots of the goroutines that may be parked at a
// communication with ch. It is valid until the next call.
func (m *Scheduler) receivers(ch *heap.Object) []int32 {
	a := &m.Pending
	a.partners = a.partners[:0]
	if ch.Watch != 0 {
		a.partners = append(a.partners, a.watches[ch.Watch].waiters...)
	}
	n := len(a.partners)
	for _, slot := range a.arrived {
		if m.Goroutines[slot].At == state.AtCommunication {
			a.partners = append(a.partners, slot)
		}
	}
	for _, slot := range a.recent {
		if a.operations[slot].stage == isRecent && m.Goroutines[slot].At == state.AtCommunication {
			a.partners = append(a.partners, slot)
		}
	}
	if len(a.partners) > max(n, 1) {
		slices.Sort(a.partners) // those of a watch are in order
	}
	return a.partners
}

// lookAround brings the agenda up to date. It is false when the run is over because
// of a bound.
func (m *Scheduler) Update() bool {
	a := &m.Pending
	a.grow(len(m.Goroutines))
	a.points++
	a.listed = false
	m.findSoonest()
	if !m.updateRecent() {
		return false
	}
	for _, slot := range a.stale {
		of := &a.operations[slot]
		of.stale = false
		if of.stage == isWaiting && !of.unsure && !of.unchanged() {
			m.computeTransitions(of, m.Goroutines[slot])
		}
	}
	a.stale = a.stale[:0]
	for _, slot := range a.arrived {
		of := &a.operations[slot]
		of.stage = isRecent
		if !of.unsure {
			m.computeTransitions(of, m.Goroutines[slot])
		}
	}
	if len(a.unsure) > 0 {
		m.updateUnsure()
	}
	a.recent = append(a.recent, a.arrived...)
	a.arrived = a.arrived[:0]

	if len(m.Timers) > 0 || len(a.due) > 0 {
		a.possible -= possibleOf(a.due)
		a.due = m.dueTimers(a.due[:0])
		a.possible += len(a.due)
	}
	if m.Bubbles > 0 {
		m.enableIdle()
	}
	if m.Soonest != state.Never && !m.EagerTimers {
		m.holdTimers()
	}
	return true
}

// askRecent asks the goroutines that were parked not long ago, and puts those that were
// parked before maxRecent others on the lists of what they wait for. It is false when the
// run is over because of a bound.
func (m *Scheduler) updateRecent() bool {
	a := &m.Pending
	n := 0
	for _, slot := range a.recent {
		if of := &a.operations[slot]; of.stage == isRecent {
			a.recent[n] = slot
			n++
		}
	}
	a.recent = a.recent[:n]
	if more := n - maxRecent; more > 0 {
		for _, slot := range a.recent[:more] {
			of := &a.operations[slot]
			of.stage = isWaiting
			if !m.watch(m.Goroutines[slot], of) {
				return false
			}
			a.again(slot) // once more: it may have missed something
		}
		a.recent = a.recent[:copy(a.recent, a.recent[more:])]
	}
	for _, slot := range a.recent {
		if of := &a.operations[slot]; !of.unsure && !of.unchanged() {
			m.computeTransitions(of, m.Goroutines[slot])
		}
		if g := m.Goroutines[slot]; g.At == state.AtCommunication && g.Selects && len(a.watches) > 0 {
			m.staleSenders(g)
		}
	}
	return true
}

// possibleOf returns how many options are possible.
func possibleOf(options []run.Transition) int {
	n := 0
	for i := range options {
		if options[i].Enabled {
			n++
		}
	}
	return n
}

// askUnsure asks the goroutines of which it is not known when they have to be asked
// again.
func (m *Scheduler) updateUnsure() {
	a := &m.Pending
	n := 0
	for _, slot := range a.unsure {
		of := &a.operations[slot]
		if !of.unsure {
			of.inUnsure = false
			continue
		}
		a.unsure[n] = slot
		n++
		m.computeTransitions(of, m.Goroutines[slot])
	}
	a.unsure = a.unsure[:n]
}

// unchanged reports whether what the offer depends on is as it was.
func (of *operation) unchanged() bool {
	switch of.looksAt {
	case state.OnNothing:
		return of.asked
	case state.OnCell:
		word, sym := of.cell.Content()
		return of.asked && word == of.word && sym == of.sym
	case state.OnChannel:
		return of.asked && state.ChanContent(of.cell.Object) == of.word.N
	}
	return false
}

// ask finds out what g is about to do.
func (m *Scheduler) computeTransitions(of *operation, g *state.Goroutine) {
	a := &m.Pending
	a.Computed++
	of.transitions = m.transitionsOf(g, of.transitions[:0])
	of.asked = true
	if g.Spins() {
		m.Await(g, of.transitions)
	}
	possible := 0
	for i := range of.transitions {
		o := &of.transitions[i]
		o.Kind = run.Step
		o.Goroutine = g.ID
		if g.Bubble != nil {
			o.Bubble = g.Bubble.ID
		}
		if o.Enabled {
			possible++
		}
	}
	a.count(of, g.Slot, possible)
	if possible == 0 && !g.Blocked {
		m.Preserve(g)
		g.Blocked = true
	}
	switch of.looksAt {
	case state.OnCell:
		of.word, of.sym = of.cell.Content()
	case state.OnChannel:
		of.word.N = state.ChanContent(of.cell.Object)
	}
}

// count notes that so many options of an offer are possible, and that the offer is
// another one than before.
func (a *PendingOperations) count(of *operation, slot int32, possible int) {
	if !of.changed {
		of.changed = true
		a.changed = append(a.changed, slot)
	}
	if possible == of.possible {
		return
	}
	switch {
	case possible == 0:
		a.able.Remove(slot)
	case of.possible == 0:
		a.able.Add(slot)
	}
	if possible > 1 {
		a.several++
	}
	if of.possible > 1 {
		a.several--
	}
	a.possible += possible - of.possible
	of.possible = possible
}

// Reconsider has g asked again for another reason than that memory has changed.
func (m *Scheduler) Reconsider(g *state.Goroutine) {
	m.Pending.operations[g.Slot].asked = false
	m.Pending.again(g.Slot)
}

// setEnabled makes an option of an offer possible or not.
func (a *PendingOperations) setEnabled(of *operation, slot int32, o *run.Transition, enabled bool) {
	if o.Enabled != enabled {
		o.Enabled = enabled
		a.count(of, slot, possibleOf(of.transitions))
	}
}

// holdTimers keeps time from passing while something else can happen.
func (m *Scheduler) holdTimers() {
	a := &m.Pending
	timed := 0
	m.eachTimed(func(*operation, int32, *run.Transition) { timed++ })
	if timed == 0 || timed == a.possible {
		return
	}
	m.Trace.TimersHeld = true
	m.eachTimed(func(of *operation, slot int32, o *run.Transition) {
		if of != nil {
			a.setEnabled(of, slot, o, false)
			return
		}
		o.Enabled = false
		a.possible--
	})
}

// eachTimed calls do with every possible option that is for time to pass outside of bubbles,
// and with its offer, which is nil when it is that of a timer.
func (m *Scheduler) eachTimed(do func(of *operation, slot int32, o *run.Transition)) {
	a := &m.Pending
	for _, slot := range a.unsure {
		of := &a.operations[slot]
		for i := range of.transitions {
			if o := &of.transitions[i]; o.Enabled && timed(o) {
				do(of, slot, o)
			}
		}
	}
	for i := range a.due {
		if o := &a.due[i]; o.Enabled && timed(o) {
			do(nil, -1, o)
		}
	}
}

// awaitsTime reports whether some option is for time to pass, be it possible or not.
func (a *PendingOperations) awaitsTime() bool {
	for _, slot := range a.unsure {
		for i := range a.operations[slot].transitions {
			if timed(&a.operations[slot].transitions[i]) {
				return true
			}
		}
	}
	return len(a.due) > 0
}

// timed reports whether o happens because a time has come, outside of bubbles.
func timed(o *run.Transition) bool {
	return (o.Op == schedule.TimerFire || o.Op == schedule.Sleep) && o.Bubble == run.ObjectID{}
}

// List makes the lists of all options, and shows those that are pending in the trace.
func (m *Scheduler) List() {
	a := &m.Pending
	if a.listed {
		return
	}
	a.listed = true
	const none = math.MaxInt32
	first := int32(none) // from which goroutine on places are others than before
	for _, slot := range a.changed {
		of := &a.operations[slot]
		of.changed = false
		if of.stage == isAbsent || len(of.transitions) != of.listed {
			of.listed = 0
			first = min(first, slot)
			continue
		}
		copy(a.All[of.first:], of.transitions)
	}
	a.changed = a.changed[:0]
	i, end := len(m.Live), 0
	if first != none {
		i, _ = slices.BinarySearchFunc(m.Live, first, func(g *state.Goroutine, slot int32) int { return cmp.Compare(g.Slot, slot) })
	}
	if i > 0 {
		of := &a.operations[m.Live[i-1].Slot]
		end = of.first + of.listed
	}
	a.All = a.All[:end]
	for _, g := range m.Live[i:] {
		of := &a.operations[g.Slot]
		of.first, of.listed = len(a.All), len(of.transitions)
		a.All = append(a.All, of.transitions...)
	}
	a.All = append(a.All, a.due...)
	m.Trace.Pending = a.All
	if a.possible == len(a.All) {
		a.enabled = a.All
		return
	}
	a.ables = a.ables[:0]
	for slot := a.able.Next(0); slot >= 0; slot = a.able.Next(slot + 1) {
		a.ables = appendPossible(a.ables, a.operations[slot].transitions)
	}
	a.ables = appendPossible(a.ables, a.due)
	a.enabled = a.ables
}

// appendPossible appends those options that are possible.
func appendPossible(to, options []run.Transition) []run.Transition {
	for i := range options {
		if options[i].Enabled {
			to = append(to, options[i])
		}
	}
	return to
}

// only returns the only option that is possible.
func (a *PendingOperations) only() *run.Transition {
	options := a.due
	if slot := a.able.Next(0); slot >= 0 {
		options = a.operations[slot].transitions
	}
	for i := range options {
		if options[i].Enabled {
			return &options[i]
		}
	}
	return nil
}

// optionOf returns the possible option with a decision, nil when there is none.
func (m *Scheduler) transitionOf(d run.Decision) *run.Transition {
	a := &m.Pending
	options := a.due
	if d.Goroutine >= 0 {
		if int(d.Goroutine) >= len(m.Slots) {
			return nil
		}
		slot := m.Slots[d.Goroutine]
		if int(slot) >= len(m.Goroutines) || m.Goroutines[slot].ID != d.Goroutine || a.operations[slot].stage == isAbsent {
			return nil
		}
		options = a.operations[slot].transitions
	}
	for i := range options {
		if o := &options[i]; o.Enabled && o.Decision == d {
			return o
		}
	}
	return nil
}

// runOn returns what RunOn chooses where that is neither to yield nor that time
// passes; nil otherwise.
func (m *Scheduler) nonPreemptive() *run.Transition {
	a := &m.Pending
	if m.Last >= 0 {
		if of := &a.operations[m.slotOf(m.Last)]; of.possible > 0 {
			if o := firstActive(of.transitions); o != nil {
				return o
			}
		}
	}
	for slot := a.able.Next(0); slot >= 0; slot = a.able.Next(slot + 1) {
		if o := firstActive(a.operations[slot].transitions); o != nil {
			return o
		}
	}
	return nil
}

// firstActive returns the first possible option that neither yields nor waits for time.
func firstActive(options []run.Transition) *run.Transition {
	for i := range options {
		if o := &options[i]; o.Enabled && o.Op != schedule.Yield && !o.AwaitsTime() {
			return o
		}
	}
	return nil
}
