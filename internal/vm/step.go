package vm

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/schedule"
)

// Scheduling. The dispatch loop executes a goroutine until it comes to a
// visible operation. The operation's implementation finds granted unset, says
// what it would do ([Machine.park]) and the goroutine is parked with its program
// counter at that instruction. When every goroutine is parked or has ended, the
// machine asks the plan, or the scheduler, which one takes the next step. It
// sets granted and executes that goroutine again; the instruction now finds
// granted set, clears it and does its work. So a step is a visible operation
// and the invisible code after it.
//
// Nothing depends on when a goroutine parks: no other goroutine can tell whether
// it has come to its operation yet. That is what makes the invisible code after
// an operation free to be part of its step. An operation in which Go's runtime
// makes the arrival itself known to others (a writer that announces itself to
// a RWMutex) has several steps. There are no wait queues.

// Objects that stand for state of the machine rather than of the program.
var (
	NoObject         = ObjectID{Goroutine: -1, Count: -1} // no object at all
	ClockObject      = ObjectID{Goroutine: -1, Count: -2} // the virtual time
	GoroutinesObject = ObjectID{Goroutine: -1, Count: -3} // the number of goroutines
)

// NoSite is the site of what no instruction does.
var NoSite = SiteID{Func: -1, Instr: -1}

// stepsChunk is after how many steps schedule looks at the context: what the
// scheduler does at each may take long.
const stepsChunk = 1 << 8

// schedule executes the run until it is over or nothing more is possible.
func (m *Machine) schedule() {
	m.takeStock()
	for {
		m.settle()
		if m.over {
			return
		}
		if m.cycle.steps == m.stopover {
			m.stopOver()
		}
		m.lookAround()
		if m.cycle.steps++; m.cycle.steps >= cycleFrom && m.cycles() {
			return
		}
		if m.cycle.steps%stepsChunk == 0 && m.interrupted() {
			return
		}
		i := 0
		switch len(m.options) {
		case 0:
			m.standstill()
			return
		case 1: // no choice, no decision
		default:
			i = m.chooseStep()
		}
		if i < 0 || !m.step(&m.options[i]) {
			return
		}
	}
}

// settle executes the goroutines that have invisible code to run until all are
// parked or have ended, in the order in which they came to have some.
func (m *Machine) settle() {
	for i := 0; i < len(m.ready) && !m.over; i++ {
		switch g := m.ready[i]; {
		case g.at == atCrash:
			m.crash(g)
		case m.beginRound(g):
			m.exec(g)
		}
	}
	m.ready = m.ready[:0]
}

// wake makes g go on with its program, when it is its turn in settle.
func (m *Machine) wake(g *goroutine) {
	g.status = running
	m.ready = append(m.ready, g)
}

// park makes g wait for the scheduler at its present instruction. It returns
// false for the instruction's implementation to return.
func (m *Machine) park(g *goroutine, at parkedAt) bool {
	g.status = parked
	g.at = at
	m.parkings++
	g.parking = m.parkings
	g.blocked = false
	m.fault = parkFault
	m.endRound(g)
	return false
}

// visible runs the visible primitive of c, whose turn it is. It is false when the
// goroutine has to wait for a further step, and when the primitive has set a fault.
func (m *Machine) visible(c *call) bool {
	g := c.g
	g.granted = false
	c.alt = g.alt
	c.unfinished = false
	c.fn.prim.run(c)
	if m.fault == noFault && c.unfinished {
		g.phase++
		return m.park(g, atPrimitive)
	}
	g.phase = 0
	return m.fault == noFault
}

// again says that the visible primitive has taken one of several steps: the
// goroutine parks at it again, with its phase one higher. Its arguments must be
// in the window still.
func (c *call) again() { c.unfinished = true }

// lookAround collects what every goroutine is about to do in m.pending, and
// what of it is possible in m.options.
func (m *Machine) lookAround() {
	m.findSoonest()
	for len(m.offers) < len(m.live) {
		m.offers = append(m.offers, offer{})
	}
	at := 0 // end of what m.pending has of the goroutines so far
	disabled := 0
	// Once an offer has another place than before, those behind it move too. They
	// are in m.behind then, from what was index base of m.pending on.
	moving, base := false, 0
	for i, g := range m.live {
		of := &m.offers[i]
		stands := of.stands(g)
		n := of.end - of.first
		if !stands {
			m.ask(of, g)
			n = len(m.answer)
		}
		if !moving && (of.first != at || of.first+n != of.end) {
			moving, base = true, at
			m.behind = append(m.behind[:0], m.pending[at:]...)
		}
		switch {
		case moving && stands:
			m.pending = append(m.pending[:at], m.behind[of.first-base:of.end-base]...)
		case moving:
			m.pending = append(m.pending[:at], m.answer...)
		case !stands:
			copy(m.pending[at:], m.answer)
		}
		of.first, of.end = at, at+n
		at += n
		disabled += of.disabled
	}
	m.pending = m.dueTimers(m.pending[:at])
	if m.bubbles > 0 {
		disabled -= m.enableIdle()
	}
	if m.soonest != never && !m.EagerTimers && m.holdTimers() {
		disabled++ // some of the goroutines' or of the timers'
	}
	if disabled == 0 {
		m.options = m.pending
	} else {
		m.able = m.able[:0]
		for i := range m.pending {
			if m.pending[i].Enabled {
				m.able = append(m.able, m.pending[i])
			}
		}
		m.options = m.able
	}
	m.trace.Pending = m.pending
}

// An offer is what m.pending has of a goroutine: elements first to end. It is
// remembered from one scheduling point to the next and asked for again only when
// it may have changed.
type offer struct {
	g          *goroutine
	parking    uint64 // g.parking
	first, end int
	disabled   int // how many of them are not enabled
	looksAt    looksAt
	cell       location // atCell, and what is in it; atChannel, and its state
	word       Word
	sym        expr.ID
}

// stands reports whether an offer is that of g, and as it would be if g were
// asked now.
func (of *offer) stands(g *goroutine) bool {
	return of.g == g && of.parking == g.parking && of.unchanged()
}

// unchanged reports whether what the offer depends on is as it was.
func (of *offer) unchanged() bool {
	switch of.looksAt {
	case atNothing:
		return true
	case atCell:
		word, sym := of.cell.content()
		return word == of.word && sym == of.sym
	case atChannel:
		return uint64(chanState(of.cell.o)) == of.word.N
	}
	return false
}

// content returns what is in a cell: nothing when l is none.
func (l location) content() (Word, expr.ID) {
	if l.o == nil {
		return Word{}, expr.None
	}
	sym := expr.None
	if l.o.Sym != nil {
		sym = l.o.Sym[l.off]
	}
	return cellWord(l.o, l.off), sym
}

// ask makes of the offer of g, but for its place. Its options are in m.answer.
func (m *Machine) ask(of *offer, g *goroutine) {
	m.asks++
	m.answer = m.intentions(g, m.answer[:0])
	if g.spins() {
		m.await(g, m.answer)
	}
	of.g, of.parking = g, g.parking
	of.disabled = 0
	for i := range m.answer {
		o := &m.answer[i]
		o.Kind = Step
		o.Goroutine = g.id
		if g.bubble != nil {
			o.Bubble = g.bubble.ID
		}
		if !o.Enabled {
			of.disabled++
		}
	}
	if of.disabled == len(m.answer) && !g.blocked {
		m.preserve(g)
		g.blocked = true
	}
	of.looksAt = atAll
	switch {
	case g.spins():
	case g.at == atAccess, g.at == atCrash, g.at == atPause:
		of.looksAt = atNothing
	case g.at == atPrimitive:
		if of.looksAt = g.prim.prim.looksAt; of.looksAt == atCell {
			of.cell = location{g.stack[g.primBase].P, int(g.stack[g.primBase].N)}
			of.word, of.sym = of.cell.content()
		}
	case g.at == atCommunication && !g.selects:
		switch c := &g.comms[0]; {
		case c.ch == nil:
			of.looksAt = atNothing
		case !c.send || c.ch.Cells[chanCap].N > 0: // others need a partner
			of.looksAt = atChannel
			of.cell, of.word = location{o: c.ch}, Word{N: uint64(chanState(c.ch))}
		}
	}
}

// holdTimers keeps time from passing while something else can happen. It reports
// whether it had to.
func (m *Machine) holdTimers() bool {
	busy, due := false, false
	for i := range m.pending {
		if o := &m.pending[i]; o.Enabled {
			due = due || o.timed()
			busy = busy || !o.timed()
		}
	}
	if !busy || !due {
		return false
	}
	m.trace.TimersHeld = true
	for i := range m.pending {
		if o := &m.pending[i]; o.timed() {
			o.Enabled = false
		}
	}
	return true
}

// timed reports whether o happens because a time has come, outside of bubbles.
func (o *Option) timed() bool {
	return (o.Op == schedule.TimerFire || o.Op == schedule.Sleep) && o.Bubble == ObjectID{}
}

// intentions appends the options of a parked goroutine.
func (m *Machine) intentions(g *goroutine, to []Option) []Option {
	first := len(to)
	switch g.at {
	case atAccess, atCrash, atPause:
		return append(to, g.pending)
	case atPrimitive:
		c := &m.asked
		c.m, c.g, c.fn, c.base, c.window = m, g, g.prim, g.primBase, g.stack[g.primBase:]
		to = g.prim.prim.options(c, to)
	case atCommunication:
		to = m.commOptions(g, to)
	}
	site := m.siteOfTop(g)
	for i := first; i < len(to); i++ {
		to[i].Site = site
		if to[i].Cells == 0 {
			to[i].Cells = 1
		}
	}
	return to
}

// siteOfTop returns the place at which g is.
func (m *Machine) siteOfTop(g *goroutine) SiteID {
	f := g.top()
	return SiteID{Func: f.fn.id, Instr: f.pc}
}

// chooseStep returns the index in m.options of the one that is to come next,
// or -1 when the run ends here.
func (m *Machine) chooseStep() int {
	i := -1
	if n, prefix := len(m.trace.Decisions), m.prefix(); n < len(prefix) {
		for k := range m.options {
			if m.options[k].Decision == prefix[n] {
				i = k
				break
			}
		}
		if i < 0 {
			m.stop(Infeasible, fmt.Sprintf("decision %d of the plan is not possible", n))
			return -1
		}
	} else {
		p := &m.point
		p.Kind, p.N, p.Last, p.Goroutine = Step, 0, m.last, 0
		p.Options, p.Pending, p.Trace, p.Overdue = m.options, m.pending, m.trace, m.overdue()
		if i = m.sched.Choose(&m.point); i < 0 {
			m.stop(Stopped, "")
			return -1
		}
	}
	if !m.decide(m.options[i].Decision) {
		return -1
	}
	return i
}

// decide adds d to the trace. It is false when the bound on decisions is hit.
func (m *Machine) decide(d Decision) bool {
	if n := m.limits.Decisions; n > 0 && len(m.trace.Decisions) >= n {
		return m.stop(Bounded, "too many scheduling decisions")
	}
	m.trace.Decisions = append(m.trace.Decisions, d)
	return true
}

// chooseValue lets the plan or the scheduler choose a number from 0 to n-1 on
// behalf of g. ok is false when the run ends here.
func (m *Machine) chooseValue(g *goroutine, n int) (v int, ok bool) {
	if n <= 1 {
		return 0, true
	}
	if k, prefix := len(m.trace.Decisions), m.prefix(); k < len(prefix) {
		d := prefix[k]
		if d.Kind != Value || d.Goroutine != g.id || int(d.Alt) >= n || d.Alt < 0 {
			return 0, m.stop(Infeasible, fmt.Sprintf("decision %d of the plan is not possible", k))
		}
		v = int(d.Alt)
	} else {
		m.point = Point{Kind: Value, N: n, Last: m.last, Goroutine: g.id, Trace: m.trace}
		if v = m.sched.Choose(&m.point); v < 0 {
			return 0, m.stop(Stopped, "")
		}
	}
	m.chosen()
	if !m.decide(Decision{Kind: Value, Goroutine: g.id, Alt: int32(v)}) {
		return 0, false
	}
	m.record(g, Event{Op: schedule.Choice, Object: NoObject, Alt: int32(v), Read: uint64(v), ReadKind: uint8(code.Int64)})
	return v, true
}

// step carries out o. It is false when the run ended before it.
func (m *Machine) step(o *Option) bool {
	if m.watcher != nil && m.cycle.steps > m.shared && !m.watcher.Stepping(o, m.trace) {
		return m.stop(Stopped, "")
	}
	m.trace.Pending = nil
	m.last = o.Goroutine
	if o.Goroutine < 0 {
		m.fire(o.Alt)
		return !m.over
	}
	g := m.gs[m.slotOf(o.Goroutine)]
	m.preserve(g)
	g.granted = true
	g.turn = m.cycle.steps
	g.alt = o.Alt
	if g.spins() {
		g.spin.goOn()
	}
	m.wake(g)
	return true
}

// standstill ends a run in which nothing more is possible.
func (m *Machine) standstill() {
	m.trace.Outcome = Finished
	if len(m.live) == 0 {
		return
	}
	if m.returned() {
		if m.livesOn() {
			m.trace.TimeCut = true
			return
		}
		for _, g := range m.live {
			m.find(g, Leak, "goroutine "+waitReason(g))
		}
		return
	}
	m.stop(Failed, "")
	var spinning []*goroutine
	for _, g := range m.live {
		if g.spins() {
			spinning = append(spinning, g)
		}
	}
	if len(spinning) > 0 {
		m.findLivelock(spinning)
		return
	}
	m.findTogether(Deadlock, m.live, func(*goroutine) string {
		return "fatal error: all goroutines are asleep - deadlock!"
	})
}

// findTogether adds one finding for several goroutines: that of the first, and the
// others behind it.
func (m *Machine) findTogether(kind FindingKind, gs []*goroutine, message func(*goroutine) string) {
	n := len(m.trace.Findings)
	for _, g := range gs {
		m.find(g, kind, message(g))
	}
	found := append([]Finding(nil), m.trace.Findings[n:]...)
	for i := len(found) - 2; i >= 0; i-- {
		found[i].Other = &found[i+1]
	}
	m.trace.Findings = append(m.trace.Findings[:n], found[0])
}

// waitReason says what a goroutine that cannot go on does.
func waitReason(g *goroutine) string {
	if g.spins() {
		return "spins for ever" + g.awaited()
	}
	return "blocked for ever: " + blockedAt(g)
}

// blockedAt says what a blocked goroutine waits for, in the words of a Go
// goroutine dump where it has some.
func blockedAt(g *goroutine) string {
	switch g.at {
	case atPrimitive:
		return g.prim.Name
	case atCommunication:
		if g.selects {
			if len(g.comms) == 0 {
				return "select (no cases)"
			}
			return "select"
		}
		reason := "chan receive"
		if g.comms[0].send {
			reason = "chan send"
		}
		if g.comms[0].ch == nil {
			reason += " (nil chan)"
		}
		return reason
	}
	return g.pending.Op.String()
}
