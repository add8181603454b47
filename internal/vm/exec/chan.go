package exec

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/clock"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/queue"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/sched"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/value"
	"github.com/everyway-go/everyway/schedule"
)

// makeChan makes a channel of type t. If it returns nil, the goroutine panics because size is
// out of range, or the run is over.
func (m *Interpreter) makeChan(g *state.Goroutine, t *code.Type, size int64) *heap.Object {
	if size < 0 || t.Elem.Size > 0 && size > value.Addressable/t.Elem.Size {
		m.PanicPlain(g, "makechan: size out of range")
		return nil
	}
	if words := int64(t.Elem.Words); words > 0 && size > state.MaxCells/words {
		m.Bounded(g, "a channel of too many elements")
		return nil
	}
	o := m.NewCells(g, t, heap.ChanObject, state.ChanBuffer+int(size)*t.Elem.Words)
	if o != nil {
		o.Cells[state.ChanCap].N = uint64(size)
		o.Cells[state.ChanBubble].P = g.Bubble
	}
	return o
}

// send carries out a Send instruction.
func (m *Interpreter) send(g *state.Goroutine, f *state.Frame, in *code.Instr) bool {
	if !g.Granted {
		ch := g.Stack[int(f.Base)+int(in.A)].P
		if isForeign(g, ch) {
			return m.parkAtForeign(g, ch)
		}
		return m.parkAtComm(g, state.Comm{Send: true, Chan: ch, Value: int(f.Base + in.B), Elem: f.Func.Types[in.D].Elem})
	}
	if g.At == state.AtAccess {
		return m.failForeign(g, "send on")
	}
	if !m.communicate(g) {
		return false
	}
	m.PauseAfter(g)
	return true
}

// recv carries out a Recv instruction.
func (m *Interpreter) recv(g *state.Goroutine, f *state.Frame, in *code.Instr) bool {
	t := f.Func.Types[in.D]
	if !g.Granted {
		ch := g.Stack[int(f.Base)+int(in.B)].P
		if isForeign(g, ch) {
			return m.parkAtForeign(g, ch)
		}
		return m.parkAtComm(g, state.Comm{Chan: ch, Elem: t.Elem})
	}
	if g.At == state.AtAccess {
		return m.failForeign(g, "receive on")
	}
	if !m.communicate(g) {
		return false
	}
	m.takeReceived(g, int(f.Base+in.A))
	if in.K&1 != 0 {
		m.SetRegister(g, int(f.Base+in.A)+t.Elem.Words, heap.BoolWord(g.Got.Ok), expr.None)
	}
	m.PauseAfter(g)
	return true
}

// closeChan carries out a CloseCh instruction.
func (m *Interpreter) closeChan(g *state.Goroutine, ch *heap.Object) bool {
	if ch == nil {
		return m.PanicPlain(g, "close of nil channel")
	}
	if !g.Granted {
		g.Comms = append(g.Comms[:0], state.Comm{Chan: ch})
	}
	if !m.Visit(g, run.Transition{Op: schedule.Close, Object: ch.ID}) {
		return false
	}
	if isForeign(g, ch) {
		return m.failForeign(g, "close of")
	}
	if ch.Cells[state.ChanClosed].N != 0 {
		m.Record(g, run.Event{Op: schedule.Fail, Object: ch.ID})
		return m.PanicPlain(g, "close of closed channel")
	}
	queue.ServeClosed(&m.State, ch)
	m.Heap.Dirty(ch, state.ChanClosed, 1)
	ch.Cells[state.ChanClosed].N = 1
	s := m.ChanShadowOf(ch)
	s.Closed = m.Record(g, run.Event{Op: schedule.Close, Object: ch.ID, Extra: state.CapacityOf(ch)})
	m.ReleaseClose(g, s)
	m.PauseAfter(g)
	return true
}

// lenChan carries out a LenCh instruction. The result v is the length if ok is true.
func (m *Interpreter) lenChan(g *state.Goroutine, ch *heap.Object) (v uint64, ok bool) {
	if ch == nil || ch.Cells[state.ChanCap].N == 0 || state.IsTimerChan(ch) {
		return 0, true
	}
	if !m.Visit(g, run.Transition{Op: schedule.LenChan, Object: ch.ID}) {
		return 0, false
	}
	m.Observe(g, ch, state.ChanCount, 1)
	v = ch.Cells[state.ChanCount].N
	m.Record(g, run.Event{Op: schedule.LenChan, Object: ch.ID, Read: v, ReadKind: uint8(code.Int64), Other: -1, Extra: state.CapacityOf(ch)})
	return v, true
}

// parkAtComm parks g at the single communication c.
func (m *Interpreter) parkAtComm(g *state.Goroutine, c state.Comm) bool {
	g.Comms = append(g.Comms[:0], c)
	g.Selects, g.HasDefault, g.CommsBegan = false, false, g.Clock.At(g.Slot)
	return m.Park(g, state.AtCommunication)
}

// communicate carries out the communication for which g was granted its step, unless a
// partner has carried it out already. The result is in g.Got.
func (m *Interpreter) communicate(g *state.Goroutine) bool {
	g.Granted = false
	if g.Delivered {
		g.Delivered = false
		return true
	}
	got := &g.Got
	got.Index, got.Ok = 0, false
	got.Words, got.Shadow = got.Words[:0], got.Shadow[:0]
	got.Firing = race.Firing{}
	if g.Alt == run.AltDefault {
		got.Index = -1
		m.ObserveComms(g)
		o, _ := sched.SelectChannels(g)
		m.Record(g, run.Event{Op: schedule.SelectDefault, Object: o, Alt: -1, Select: true, Cases: m.EventCases(g)})
		return true
	}
	got.Index = run.AltCase(g.Alt)
	c := &g.Comms[got.Index]
	if !c.Send {
		m.receive(g, c)
		return true
	}
	ch := c.Chan
	if ch.Cells[state.ChanClosed].N != 0 {
		m.Record(g, run.Event{Op: schedule.Fail, Object: ch.ID})
		m.NoteClosedSend(g, ch)
		return m.PanicPlain(g, "send on closed channel")
	}
	slot, theirs, meets := run.AltPartner(g.Alt)
	var p *state.Goroutine
	if meets {
		p = m.Goroutines[slot]
		m.Preserve(p)
		p.Got.Index, p.Got.Ok, p.Got.Firing = theirs, true, race.Firing{}
		p.Granted, p.Delivered = true, true
		m.Wake(p)
		if n := ch.Cells[state.ChanCount].N; n > 0 {
			// g has waited for the partner to take an element from the full buffer.
			p.Got.Words, p.Got.Shadow = p.Got.Words[:0], p.Got.Shadow[:0]
			m.receive(p, &p.Comms[theirs])
			meets = false
		}
	}
	m.NoteSend(g, ch)
	words := g.Stack[c.Value : c.Value+c.Elem.Words]
	event := m.recordSend(g, c, words)
	if meets {
		p.Got.Words = append(p.Got.Words[:0], words...)
		p.Got.Shadow = append(p.Got.Shadow[:0], g.Shadows(c.Value, c.Elem.Words)...)
		m.recordRecv(p, ch, event, c.Elem)
		if ch.Cells[state.ChanCap].N == 0 {
			g.Synchronize(&p.Thread)
		} else {
			m.synchronizeBuffered(g, p, ch)
		}
		return true
	}
	at := int(ch.Cells[state.ChanHead].N+ch.Cells[state.ChanCount].N) % int(ch.Cells[state.ChanCap].N)
	w := c.Elem.Words
	m.Heap.Dirty(ch, state.ChanBuffer+at*w, w)
	copy(ch.Cells[state.ChanBuffer+at*w:], words)
	ch.SetShadows(state.ChanBuffer+at*w, w, g.Shadows(c.Value, w))
	m.Heap.Dirty(ch, state.ChanCount, 1)
	ch.Cells[state.ChanCount].N++
	element := m.ChanShadowOf(ch).Element(at)
	element.Sent = event
	g.Acquire(&element.Clock)
	g.Release(&element.Clock)
	return true
}

// synchronizeBuffered orders what g, which has sent a value to p on a channel with a buffer,
// and p have done before what they do next, as if the value went through the buffer.
func (m *Interpreter) synchronizeBuffered(g, p *state.Goroutine, ch *heap.Object) {
	at := ch.Cells[state.ChanHead].N
	m.Heap.Dirty(ch, state.ChanHead, 1)
	ch.Cells[state.ChanHead].N = (at + 1) % ch.Cells[state.ChanCap].N
	element := m.ChanShadowOf(ch).Element(int(at))
	for _, by := range [...]*state.Goroutine{g, p} {
		by.Acquire(&element.Clock)
		by.Release(&element.Clock)
	}
}

// receive takes the oldest element from the buffer of c's channel, or a zero value if the
// channel is closed and empty.
func (m *Interpreter) receive(g *state.Goroutine, c *state.Comm) {
	ch, w, got := c.Chan, c.Elem.Words, &g.Got
	s := m.ChanShadowOf(ch)
	if ch.Cells[state.ChanCount].N == 0 {
		got.Words = append(got.Words, make([]heap.Word, w)...)
		m.Record(g, run.Event{Op: schedule.RecvClosed, Object: ch.ID, Alt: int32(got.Index), Select: g.Selects, Cases: m.EventCases(g), Other: s.Closed, Extra: state.CapacityOf(ch)})
		g.Acquire(&s.Close)
		return
	}
	at := int(ch.Cells[state.ChanHead].N)
	first := state.ChanBuffer + at*w
	got.Ok = true
	got.Words = append(got.Words, ch.Cells[first:first+w]...)
	if ch.Sym != nil {
		got.Shadow = append(got.Shadow, ch.Sym[first:first+w]...)
	}
	m.Heap.Dirty(ch, first, w)
	clear(ch.Cells[first : first+w])
	ch.SetShadows(first, w, nil)
	m.Heap.Dirty(ch, state.ChanHead, 2)
	ch.Cells[state.ChanHead].N = uint64(at+1) % ch.Cells[state.ChanCap].N
	ch.Cells[state.ChanCount].N--
	slot := s.Element(at)
	if got.Firing = slot.Firing; got.Firing.Latest > 0 {
		clock.Received(&m.State, g, &got.Firing)
	}
	m.recordRecv(g, ch, slot.Sent, c.Elem)
	g.Acquire(&slot.Clock)
	g.Release(&slot.Clock)
}

// recordSend records that g sends words.
func (m *Interpreter) recordSend(g *state.Goroutine, c *state.Comm, words []heap.Word) int32 {
	if !m.Tracing && m.SkipEvent(g) {
		return -1
	}
	e := run.Event{Op: schedule.Send, Object: c.Chan.ID, Alt: int32(g.Got.Index), Select: g.Selects, Cases: m.EventCases(g), Extra: state.CapacityOf(c.Chan)}
	m.DescribeWords(words, g.Shadows(c.Value, len(words)), c.Elem, &e, false)
	return m.Record(g, e)
}

// recordRecv records that g receives g.Got.Words, which event sent has sent, and gives
// them fresh symbols if the plan asks for these.
func (m *Interpreter) recordRecv(g *state.Goroutine, ch *heap.Object, sent int32, elem *code.Type) {
	if !m.Tracing && m.SkipEvent(g) {
		g.Got.Event = -1
		return
	}
	e := run.Event{Op: schedule.Recv, Object: ch.ID, Alt: int32(g.Got.Index), Select: g.Selects, Cases: m.EventCases(g), Other: sent, Extra: state.CapacityOf(ch)}
	m.DescribeWords(g.Got.Words, nil, elem, &e, true)
	if fresh := m.ReadSymbols(g, len(g.Got.Words), elem); fresh != nil {
		g.Got.Shadow = append(g.Got.Shadow[:0], fresh...)
		state.AttachSymbols(&e, fresh)
	}
	g.Got.Event = m.Record(g, e)
}

// takeReceived stores the received words in the registers from Stack[at] on.
func (m *Interpreter) takeReceived(g *state.Goroutine, at int) {
	if g.Got.Firing.Latest > 0 && needsTime(g, at) {
		wall, ext := clock.Words(m.Arena, clock.ReadFiring(&m.State, g, &g.Got.Firing), false)
		m.SetRegister(g, at, wall.Word, wall.Sym)
		m.SetRegister(g, at+1, ext.Word, ext.Sym)
		m.SetRegister(g, at+2, g.Got.Words[2], expr.None)
		return
	}
	for i, w := range g.Got.Words {
		sym := expr.None
		if i < len(g.Got.Shadow) {
			sym = g.Got.Shadow[i]
		}
		m.SetRegister(g, at+i, w, sym)
	}
}

// needsTime reports whether g, which is at a receive, needs what the time.Time in the registers
// from Stack[at] on says.
func needsTime(g *state.Goroutine, at int) bool {
	f := g.Top()
	needed := f.Func.NeededBefore(f.PC + 1)
	for r := at - int(f.Base); r < at-int(f.Base)+2; r++ {
		if needed[r/64]>>(r%64)&1 != 0 {
			return true
		}
	}
	return false
}

// isForeign reports whether ch belongs to a synctest bubble that g is not in.
func isForeign(g *state.Goroutine, ch *heap.Object) bool {
	return ch != nil && ch.Cells[state.ChanBubble].P != g.Bubble && ch.Cells[state.ChanBubble].P != nil
}

// parkAtForeign makes g, which is about to use a channel of another bubble, wait for its
// turn to end the run by that.
func (m *Interpreter) parkAtForeign(g *state.Goroutine, ch *heap.Object) bool {
	return m.Visit(g, run.Transition{Op: schedule.Fail, Object: ch.ID})
}

// failForeign ends the run because g has used a channel of a bubble that it is not in.
func (m *Interpreter) failForeign(g *state.Goroutine, what string) bool {
	g.Granted = false
	m.Record(g, run.Event{Op: schedule.Fail, Object: run.NoObject})
	return m.Fatal(g, what+" synctest channel from outside bubble")
}
