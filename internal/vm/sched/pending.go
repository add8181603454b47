package sched

import (
	"cmp"
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/clock"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/queue"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// PendingOperations keeps the pending operation of every parked goroutine, with its
// transitions, from one scheduling point to the next. The transitions of a goroutine are
// computed when it has been parked, and again when something that they depend on may have
// changed, so that the cost of a step depends on what it changes and not on the number of
// goroutines that wait.
//
// Most goroutines take their next step soon. The goroutines that were parked most recently
// are therefore simply checked at every scheduling point. A goroutine that has been parked
// for longer watches the objects that its transitions depend on (see watch), and a write to
// such an object marks it as stale. Transitions that depend on more than objects (time,
// bubbles, spinning loops) are volatile: they are computed at every scheduling point.
//
// PendingOperations is not part of the state of a run. It follows from the goroutines and
// memory, and is built anew when a run begins.
type PendingOperations struct {
	operations []operation // by slot
	points     uint64      // number of scheduling points so far
	Computed   uint64      // how often the transitions of a goroutine were computed

	arrived  []int32          // slots of goroutines parked since the last scheduling point
	recent   []int32          // those parked most recently before that; may contain some that have resumed since
	stale    []int32          // others whose transitions must be computed at the next scheduling point
	volatile []int32          // those whose transitions are computed at every scheduling point; may contain some that have resumed since
	time     timeOfSleepers   // at which those that sleep were looked at last
	due      []run.Transition // of timers, or the passing of time; all are enabled

	watches []watch  // by Object.Watch; the first one is not used
	free    []uint16 // indices of unused watches

	withEnabled   race.SlotSet // goroutines with an enabled transition
	numEnabled    int          // number of enabled transitions, including those of timers
	numWithChoice int          // number of goroutines with more than one enabled transition

	// All lists all transitions, and enabled the enabled ones. They are up to date if
	// listed is set (see List). Otherwise, All contains the transitions of the last time,
	// which are right except for those of the goroutines in changed and those of timers.
	All, enabled []run.Transition
	enabledBuf   []run.Transition // backs enabled, unless all transitions are enabled
	changed      []int32
	listed       bool    // All and enabled are those of the current scheduling point
	partners     []int32 // result of receivers
}

// An operation is the pending operation of a goroutine.
type operation struct {
	transitions []run.Transition
	numEnabled  int // number of enabled transitions
	first       int // index in PendingOperations.All of the transitions listed there
	listedLen   int // number of transitions listed there
	stage       stage
	computed    bool // transitions have been computed since the goroutine was parked
	stale       bool // the goroutine is in PendingOperations.stale
	volatile    bool // transitions have to be computed at every scheduling point
	inVolatile  bool // the goroutine is in PendingOperations.volatile
	asleep      bool // the goroutine sleeps outside of bubbles, and its transitions are those at PendingOperations.time and with held
	held        bool // whether it was held back then
	changed     bool // the goroutine is in PendingOperations.changed
	dependsOn   state.DependsOn
	cell        heap.Location // OnCell: the cell, with its content in word and sym; OnChannel: the channel, with its state in word
	word        heap.Word
	sym         expr.ID
}

// A stage says how long a goroutine has been parked.
type stage uint8

const (
	stageAbsent  stage = iota // the goroutine is not parked
	stageArrived              // parked since the last scheduling point
	stageRecent               // it is in PendingOperations.recent
	stageWatched              // parked for longer: it watches what its transitions depend on
)

// A watch lists the goroutines whose transitions depend on an object, by slot and in
// order.
type watch struct {
	object  *heap.Object
	waiters []int32
	senders []int32 // those that want to send on an unbuffered channel, so that their transitions also depend on the waiters
	changed uint64  // the last scheduling point before which the object may have changed
}

// A timeOfSleepers is what it depends on whether goroutines that sleep can wake up, beside what is
// theirs and changes only when time passes.
type timeOfSleepers struct {
	now  int64
	late int
}

// maxRecent is the number of goroutines, of those that were parked most recently, that do
// not watch objects.
const maxRecent = 8

// maxWatches is the largest index in PendingOperations.watches, plus one.
const maxWatches = math.MaxUint16

// clear removes everything from p and makes room for the given number of slots.
func (p *PendingOperations) clear(slots int) {
	for i := range p.operations {
		op := &p.operations[i]
		*op = operation{transitions: op.transitions[:0]}
	}
	p.operations = p.operations[:0]
	p.grow(slots)
	for i := range p.watches {
		if w := &p.watches[i]; w.object != nil {
			w.object.Watch = 0
			w.object, w.waiters, w.senders = nil, w.waiters[:0], w.senders[:0]
		}
	}
	p.watches, p.free = p.watches[:0], p.free[:0]
	p.arrived, p.recent, p.stale, p.volatile = p.arrived[:0], p.recent[:0], p.stale[:0], p.volatile[:0]
	p.due, p.All, p.changed, p.listed = p.due[:0], p.All[:0], p.changed[:0], false
	p.withEnabled.Clear()
	p.numEnabled, p.numWithChoice = 0, 0
}

// grow makes room for the given number of slots. The memory behind p.operations is clear.
func (p *PendingOperations) grow(slots int) {
	if more := slots - len(p.operations); more > 0 {
		p.operations = slices.Grow(p.operations, more)[:slots]
	}
}

// addPending adds g, which has been parked, to the pending operations.
func (m *Scheduler) addPending(g *state.Goroutine) {
	p := &m.Pending
	p.grow(len(m.Goroutines))
	op := &p.operations[g.Slot]
	op.stage = stageArrived
	p.arrived = append(p.arrived, g.Slot)
	op.dependsOn = dependsOn(g)
	switch op.dependsOn {
	case state.OnAll:
		op.volatile = true
		if !op.inVolatile {
			op.inVolatile = true
			p.volatile = append(p.volatile, g.Slot)
		}
	case state.OnCell:
		op.cell = heap.Location{Object: g.Stack[g.PrimBase].P, Offset: int(g.Stack[g.PrimBase].N)}
	case state.OnChannel:
		op.cell.Object = g.Comms[0].Chan
	}
	if g.At == state.AtCommunication {
		if len(p.watches) > 0 {
			m.staleSenders(g)
		}
		if len(m.Queues) > 0 {
			queue.Reconsider(&m.State, g)
		}
	}
}

// dependsOn returns what the transitions of g, which is parked, depend on.
func dependsOn(g *state.Goroutine) state.DependsOn {
	switch {
	case g.Spins():
		return state.OnAll
	case g.At == state.AtPrimitive:
		return g.Prim.Prim.DependsOn
	case queue.Closes(g):
		return state.OnChannel // which may be closed already
	case g.At != state.AtCommunication:
		return state.OnNothing
	case g.Selects:
		if g.HasDefault && g.Bubble == nil && slices.ContainsFunc(g.Comms, func(c state.Comm) bool { return state.IsTimerChan(c.Chan) }) {
			return state.OnAll // the default case waits for a timer whose time has come
		}
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

// removePending removes g, which resumes, from the pending operations.
func (m *Scheduler) removePending(g *state.Goroutine) {
	p := &m.Pending
	op := &p.operations[g.Slot]
	if op.stage == stageWatched {
		m.unwatch(g, op)
	}
	op.stage = stageAbsent
	op.computed, op.volatile = false, false
	p.setEnabledCount(op, g.Slot, 0)
	if g.At == state.AtCommunication {
		if len(p.watches) > 0 {
			m.staleSenders(g)
		}
		if len(m.Queues) > 0 {
			queue.Reconsider(&m.State, g)
		}
		if g.WaitsSince > 0 {
			queue.Leave(&m.State, g)
		}
	}
}

// staleSenders marks as stale the goroutines that may send to g, which has been parked or
// resumes, or whose other cases have changed.
func (m *Scheduler) staleSenders(g *state.Goroutine) {
	for i := range g.Comms {
		if c := &g.Comms[i]; !c.Send && c.Chan != nil && c.Chan.Watch != 0 {
			for _, slot := range m.Pending.watches[c.Chan.Watch].senders {
				m.Pending.markStale(slot)
			}
		}
	}
}

// markStale makes the transitions of a goroutine be computed at the next scheduling
// point.
func (p *PendingOperations) markStale(slot int32) {
	if op := &p.operations[slot]; !op.stale && !op.volatile {
		op.stale = true
		p.stale = append(p.stale, slot)
	}
}

// noteChange marks as stale the goroutines that watch o, which is about to change.
func (m *Scheduler) noteChange(o *heap.Object) {
	w := &m.Pending.watches[o.Watch]
	if w.changed == m.Pending.points {
		return
	}
	w.changed = m.Pending.points
	for _, list := range [...][]int32{w.senders, w.waiters} {
		for _, slot := range list {
			m.Pending.markStale(slot)
			if g := m.Goroutines[slot]; g.At == state.AtCommunication && g.Selects {
				m.staleSenders(g) // whether it may wait can have changed, see mayWait
			}
		}
	}
}

// watch makes g watch the objects that its transitions depend on. It returns false if
// there are too many such objects, in which case the run is over.
func (m *Scheduler) watch(g *state.Goroutine, op *operation) bool {
	ok := true
	switch {
	case g.At == state.AtCommunication || queue.Closes(g):
		for i := range g.Comms {
			if c := &g.Comms[i]; c.Chan != nil {
				ok = ok && m.Pending.watchObject(g.Slot, c.Chan, c.Send && c.Chan.Cells[state.ChanCap].N == 0)
			}
		}
	case op.dependsOn == state.OnCell && op.cell.Object != nil:
		ok = m.Pending.watchObject(g.Slot, op.cell.Object, false)
	}
	return ok || m.Stop(run.Bounded, "goroutines wait for too many objects at a time")
}

// watchObject adds a goroutine to a list of those that watch o. It returns false if there
// are too many objects.
func (p *PendingOperations) watchObject(slot int32, o *heap.Object, sends bool) bool {
	if o.Watch == 0 {
		n := max(len(p.watches), 1)
		if k := len(p.free); k > 0 {
			n = int(p.free[k-1])
			p.free = p.free[:k-1]
		} else if n < maxWatches {
			p.watches = slices.Grow(p.watches, n+1-len(p.watches))[:n+1]
		} else {
			return false
		}
		p.watches[n].object, p.watches[n].changed = o, 0
		o.Watch = uint16(n)
	}
	w := &p.watches[o.Watch]
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

// unwatch undoes watch.
func (m *Scheduler) unwatch(g *state.Goroutine, op *operation) {
	if g.At == state.AtCommunication || queue.Closes(g) {
		for i := range g.Comms {
			if ch := g.Comms[i].Chan; ch != nil && ch.Watch != 0 {
				m.Pending.unwatchObject(g.Slot, ch)
			}
		}
	} else if op.dependsOn == state.OnCell && op.cell.Object != nil {
		m.Pending.unwatchObject(g.Slot, op.cell.Object)
	}
}

// unwatchObject removes a goroutine from the lists of those that watch o, if it is there.
func (p *PendingOperations) unwatchObject(slot int32, o *heap.Object) {
	w := &p.watches[o.Watch]
	w.waiters = without(w.waiters, slot)
	w.senders = without(w.senders, slot)
	if len(w.waiters) == 0 && len(w.senders) == 0 {
		p.free = append(p.free, o.Watch)
		o.Watch, w.object = 0, nil
	}
}

// without removes a slot from an ordered list.
func without(list []int32, slot int32) []int32 {
	if i, found := slices.BinarySearch(list, slot); found {
		return slices.Delete(list, i, i+1)
	}
	return list
}

// receivers returns, in order, the slots of the goroutines that may be parked at a
// communication on ch. The result is valid until the next call.
func (m *Scheduler) receivers(ch *heap.Object) []int32 {
	p := &m.Pending
	p.partners = p.partners[:0]
	if ch.Watch != 0 {
		p.partners = append(p.partners, p.watches[ch.Watch].waiters...)
	}
	n := len(p.partners)
	for _, slot := range p.arrived {
		if m.Goroutines[slot].At == state.AtCommunication {
			p.partners = append(p.partners, slot)
		}
	}
	for _, slot := range p.recent {
		if p.operations[slot].stage == stageRecent && m.Goroutines[slot].At == state.AtCommunication {
			p.partners = append(p.partners, slot)
		}
	}
	if len(p.partners) > max(n, 1) {
		slices.Sort(p.partners) // the slots of a watch are in order already
	}
	return p.partners
}

// Update brings the pending operations up to date. It returns false if the run is over
// because of a limit.
func (m *Scheduler) Update() bool {
	p := &m.Pending
	p.grow(len(m.Goroutines))
	p.points++
	p.listed = false
	if !m.updateRecent() {
		return false
	}
	for _, slot := range p.stale {
		op := &p.operations[slot]
		op.stale = false
		if op.stage == stageWatched && !op.volatile && !op.unchanged() {
			m.computeTransitions(op, m.Goroutines[slot])
		}
	}
	p.stale = p.stale[:0]
	for _, slot := range p.arrived {
		op := &p.operations[slot]
		op.stage = stageRecent
		if !op.volatile {
			m.computeTransitions(op, m.Goroutines[slot])
		}
	}
	if len(p.volatile) > 0 {
		m.updateVolatile()
	}
	p.recent = append(p.recent, p.arrived...)
	p.arrived = p.arrived[:0]

	if len(m.Timers) > 0 || len(p.due) > 0 {
		p.numEnabled -= len(p.due)
		p.due = clock.DueTimers(&m.State, p.due[:0])
		p.numEnabled += len(p.due)
	}
	if m.Bubbles > 0 {
		m.enableIdle()
	}
	timed := len(m.Timers) > 0 || len(p.volatile) > 0
	switch {
	case p.numEnabled == 0 || timed && m.isQuiescent():
		m.addTimePass()
	case timed && m.Stall != run.AnyStall && !m.Trace.TimersHeld:
		m.Trace.TimersHeld = m.holdsTimers()
	}
	return true
}

// updateRecent computes the transitions of recently parked goroutines where they may have
// changed, and makes all but the maxRecent last ones watch objects instead. It returns
// false if the run is over because of a limit.
func (m *Scheduler) updateRecent() bool {
	p := &m.Pending
	n := 0
	for _, slot := range p.recent {
		if op := &p.operations[slot]; op.stage == stageRecent {
			p.recent[n] = slot
			n++
		}
	}
	p.recent = p.recent[:n]
	if more := n - maxRecent; more > 0 {
		for _, slot := range p.recent[:more] {
			op := &p.operations[slot]
			op.stage = stageWatched
			if !m.watch(m.Goroutines[slot], op) {
				return false
			}
			p.markStale(slot) // once more, since changes before it began to watch were not noted
		}
		p.recent = p.recent[:copy(p.recent, p.recent[more:])]
	}
	for _, slot := range p.recent {
		if op := &p.operations[slot]; !op.volatile && !op.unchanged() {
			m.computeTransitions(op, m.Goroutines[slot])
		}
		if g := m.Goroutines[slot]; g.At == state.AtCommunication && g.Selects && len(p.watches) > 0 {
			m.staleSenders(g)
		}
	}
	return true
}

// countEnabled returns the number of enabled transitions.
func countEnabled(transitions []run.Transition) int {
	n := 0
	for i := range transitions {
		if transitions[i].Enabled {
			n++
		}
	}
	return n
}

// updateVolatile computes the transitions of goroutines for which it is not known when
// they change, and of those that sleep if time has passed.
func (m *Scheduler) updateVolatile() {
	p := &m.Pending
	passed := p.time != timeOfSleepers{m.Now, m.Late}
	p.time = timeOfSleepers{m.Now, m.Late}
	n := 0
	for _, slot := range p.volatile {
		op := &p.operations[slot]
		if !op.volatile {
			op.inVolatile = false
			continue
		}
		p.volatile[n] = slot
		n++
		g := m.Goroutines[slot]
		if !passed && op.computed && op.asleep && op.held == g.Held {
			continue
		}
		m.computeTransitions(op, g)
		op.asleep, op.held = g.Bubble == nil && g.Sleeps() && g.Prim.Name == clock.SleepName, g.Held
	}
	p.volatile = p.volatile[:n]
}

// unchanged reports whether what the transitions of op depend on is as it was when they
// were computed.
func (op *operation) unchanged() bool {
	switch op.dependsOn {
	case state.OnNothing:
		return op.computed
	case state.OnCell:
		word, sym := op.cell.Content()
		return op.computed && word == op.word && sym == op.sym
	case state.OnChannel:
		return op.computed && state.ChanContent(op.cell.Object) == op.word.N
	}
	return false
}

// computeTransitions computes the transitions of g, whose pending operation is op.
func (m *Scheduler) computeTransitions(op *operation, g *state.Goroutine) {
	p := &m.Pending
	p.Computed++
	op.transitions = m.transitionsOf(g, op.transitions[:0])
	op.computed = true
	if g.Spins() {
		m.Await(g, op.transitions)
	}
	possible := 0
	for i := range op.transitions {
		t := &op.transitions[i]
		t.Kind = run.Step
		t.Goroutine = g.ID
		if g.Bubble != nil {
			t.Bubble = g.Bubble.ID
		}
		if t.Enabled {
			possible++
		}
	}
	p.setEnabledCount(op, g.Slot, possible)
	if possible == 0 && !g.Blocked {
		m.Preserve(g)
		g.Blocked = true
	}
	switch op.dependsOn {
	case state.OnCell:
		op.word, op.sym = op.cell.Content()
	case state.OnChannel:
		op.word.N = state.ChanContent(op.cell.Object)
	}
}

// setEnabledCount notes that the transitions of op, the pending operation of the
// goroutine in slot, have changed, and how many of them are enabled now.
func (p *PendingOperations) setEnabledCount(op *operation, slot int32, possible int) {
	if !op.changed {
		op.changed = true
		p.changed = append(p.changed, slot)
	}
	if possible == op.numEnabled {
		return
	}
	switch {
	case possible == 0:
		p.withEnabled.Remove(slot)
	case op.numEnabled == 0:
		p.withEnabled.Add(slot)
	}
	if possible > 1 {
		p.numWithChoice++
	}
	if op.numEnabled > 1 {
		p.numWithChoice--
	}
	p.numEnabled += possible - op.numEnabled
	op.numEnabled = possible
}

// reconsider makes the transitions of g be computed again for a reason other than a
// change of memory.
func (m *Scheduler) reconsider(g *state.Goroutine) {
	m.Pending.operations[g.Slot].computed = false
	m.Pending.markStale(g.Slot)
}

// setEnabled enables or disables a transition of op.
func (p *PendingOperations) setEnabled(op *operation, slot int32, t *run.Transition, enabled bool) {
	if t.Enabled != enabled {
		t.Enabled = enabled
		p.setEnabledCount(op, slot, countEnabled(op.transitions))
	}
}

// OthersCanStep reports whether somebody can take a step beside the goroutine that is taking
// its step.
func (m *Scheduler) OthersCanStep() bool { return m.Pending.numEnabled > 0 }

// awaitsTime reports whether a timer or sleeper, due or not, waits for its time.
func (m *Scheduler) awaitsTime() bool {
	return len(m.Pending.due) > 0 || m.findSoonest() != state.Never
}

// List makes the lists of all transitions and of those that are enabled, and sets
// Trace.Pending.
func (m *Scheduler) List() {
	p := &m.Pending
	if p.listed {
		return
	}
	p.listed = true
	const none = math.MaxInt32
	first := int32(none) // slot from which on transitions have to be listed anew, since their positions change
	for _, slot := range p.changed {
		op := &p.operations[slot]
		op.changed = false
		if op.stage == stageAbsent || len(op.transitions) != op.listedLen {
			op.listedLen = 0
			first = min(first, slot)
			continue
		}
		copy(p.All[op.first:], op.transitions)
	}
	p.changed = p.changed[:0]
	i, end := len(m.Live), 0
	if first != none {
		i, _ = slices.BinarySearchFunc(m.Live, first, func(g *state.Goroutine, slot int32) int { return cmp.Compare(g.Slot, slot) })
	}
	if i > 0 {
		op := &p.operations[m.Live[i-1].Slot]
		end = op.first + op.listedLen
	}
	p.All = p.All[:end]
	for _, g := range m.Live[i:] {
		op := &p.operations[g.Slot]
		op.first, op.listedLen = len(p.All), len(op.transitions)
		p.All = append(p.All, op.transitions...)
	}
	if len(m.Timers) > 0 || len(p.due) > 0 {
		p.All = clock.UndueTimers(&m.State, append(p.All, p.due...))
	}
	m.Trace.Pending = p.All
	if p.numEnabled == len(p.All) {
		p.enabled = p.All
		return
	}
	p.enabledBuf = p.enabledBuf[:0]
	for slot := p.withEnabled.Next(0); slot >= 0; slot = p.withEnabled.Next(slot + 1) {
		p.enabledBuf = appendEnabled(p.enabledBuf, p.operations[slot].transitions)
	}
	p.enabledBuf = append(p.enabledBuf, p.due...)
	p.enabled = p.enabledBuf
}

// appendEnabled appends the enabled transitions to the list.
func appendEnabled(to, transitions []run.Transition) []run.Transition {
	for i := range transitions {
		if transitions[i].Enabled {
			to = append(to, transitions[i])
		}
	}
	return to
}

// onlyEnabled returns the only enabled transition.
func (p *PendingOperations) onlyEnabled() *run.Transition {
	transitions := p.due
	if slot := p.withEnabled.Next(0); slot >= 0 {
		transitions = p.operations[slot].transitions
	}
	for i := range transitions {
		if transitions[i].Enabled {
			return &transitions[i]
		}
	}
	return nil
}

// transitionOf returns the enabled transition with a decision, nil if there is none.
func (m *Scheduler) transitionOf(d run.Decision) *run.Transition {
	p := &m.Pending
	transitions := p.due
	if d.Goroutine >= 0 {
		if int(d.Goroutine) >= len(m.Slots) {
			return nil
		}
		slot := m.Slots[d.Goroutine]
		if int(slot) >= len(m.Goroutines) || m.Goroutines[slot].ID != d.Goroutine || p.operations[slot].stage == stageAbsent {
			return nil
		}
		transitions = p.operations[slot].transitions
	}
	for i := range transitions {
		if t := &transitions[i]; t.Enabled && t.Decision == d {
			return t
		}
	}
	return nil
}

// nonPreemptive returns the choice of run.NonPreemptive, provided that it neither yields
// nor lets time pass. Otherwise it returns nil.
func (m *Scheduler) nonPreemptive() *run.Transition {
	p := &m.Pending
	if m.Last >= 0 {
		if op := &p.operations[m.slotOf(m.Last)]; op.numEnabled > 0 {
			if t := firstActive(op.transitions); t != nil {
				return t
			}
		}
	}
	for slot := p.withEnabled.Next(0); slot >= 0; slot = p.withEnabled.Next(slot + 1) {
		if t := firstActive(p.operations[slot].transitions); t != nil {
			return t
		}
	}
	return nil
}

// firstActive returns the first enabled transition that neither yields nor waits for
// time.
func firstActive(transitions []run.Transition) *run.Transition {
	for i := range transitions {
		if t := &transitions[i]; t.Enabled && t.Op != schedule.Yield && !t.AwaitsTime() {
			return t
		}
	}
	return nil
}
