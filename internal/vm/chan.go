package vm

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/schedule"
)

// makeChan makes a channel of type t. It returns nil when size is out of range:
// the goroutine panics.
func (m *Machine) makeChan(g *goroutine, t *code.Type, size int64) *heap.Object {
	words := int64(t.Elem.Words)
	if size < 0 || size > maxCells || size*words > maxCells {
		m.panicPlain(g, "makechan: size out of range")
		return nil
	}
	o := m.newCells(g, t, heap.ChanObject, chanBuffer+int(size*words))
	if o != nil {
		o.Cells[chanCap].N = uint64(size)
		o.Cells[chanBubble].P = g.bubble
	}
	return o
}

// send carries out a Send instruction.
func (m *Machine) send(g *goroutine, f *frame, in *code.Instr) bool {
	if !g.granted {
		ch := g.stack[int(f.base)+int(in.A)].P
		if g.trespasses(ch) {
			return m.parkAtTrespass(g, ch)
		}
		return m.parkAtComm(g, comm{send: true, ch: ch, value: int(f.base + in.B), elem: f.fn.Types[in.D].Elem})
	}
	if g.at == atAccess {
		return m.trespass(g, "send on")
	}
	return m.communicate(g)
}

// recv carries out a Recv instruction.
func (m *Machine) recv(g *goroutine, f *frame, in *code.Instr) bool {
	t := f.fn.Types[in.D]
	if !g.granted {
		ch := g.stack[int(f.base)+int(in.B)].P
		if g.trespasses(ch) {
			return m.parkAtTrespass(g, ch)
		}
		return m.parkAtComm(g, comm{ch: ch, elem: t.Elem})
	}
	if g.at == atAccess {
		return m.trespass(g, "receive on")
	}
	if !m.communicate(g) {
		return false
	}
	m.takeReceived(g, int(f.base+in.A))
	if in.K&1 != 0 {
		m.setRegister(g, int(f.base+in.A)+t.Elem.Words, heap.BoolWord(g.got.ok), expr.None)
	}
	return true
}

// closeChan carries out a CloseCh instruction.
func (m *Machine) closeChan(g *goroutine, ch *heap.Object) bool {
	if ch == nil {
		return m.panicPlain(g, "close of nil channel")
	}
	if !m.visit(g, run.Transition{Op: schedule.Close, Object: ch.ID}) {
		return false
	}
	if g.trespasses(ch) {
		return m.trespass(g, "close of")
	}
	if ch.Cells[chanClosed].N != 0 {
		m.record(g, run.Event{Op: schedule.Fail, Object: ch.ID})
		return m.panicPlain(g, "close of closed channel")
	}
	m.heap.Dirty(ch, chanClosed, 1)
	ch.Cells[chanClosed].N = 1
	s := m.chanShadowOf(ch)
	s.Closed = m.record(g, run.Event{Op: schedule.Close, Object: ch.ID})
	g.Release(&s.Close)
	return true
}

// lenChan carries out a LenCh instruction; v is the length when it is true.
func (m *Machine) lenChan(g *goroutine, ch *heap.Object) (v uint64, ok bool) {
	if ch == nil || ch.Cells[chanCap].N == 0 {
		return 0, true
	}
	if !m.visit(g, run.Transition{Op: schedule.LenChan, Object: ch.ID}) {
		return 0, false
	}
	m.look(g, ch, chanCount, 1)
	v = ch.Cells[chanCount].N
	m.record(g, run.Event{Op: schedule.LenChan, Object: ch.ID, Read: v, ReadKind: uint8(code.Int64), Other: -1})
	return v, true
}

// parkAtComm parks g at the communication c alone.
func (m *Machine) parkAtComm(g *goroutine, c comm) bool {
	g.comms = append(g.comms[:0], c)
	g.selects, g.orElse = false, false
	return m.park(g, atCommunication)
}

// communicate carries out the communication that g was granted, or finds it
// carried out by a partner. The outcome is in g.got.
func (m *Machine) communicate(g *goroutine) bool {
	g.granted = false
	if g.delivered {
		g.delivered = false
		return true
	}
	got := &g.got
	got.index, got.ok = 0, false
	got.words, got.shadow = got.words[:0], got.shadow[:0]
	if g.alt == run.AltDefault {
		got.index = -1
		m.lookAtComms(g)
		o, _ := g.lookedAt()
		m.record(g, run.Event{Op: schedule.SelectDefault, Object: o, Alt: -1, Select: true})
		return true
	}
	got.index = run.AltCase(g.alt)
	c := &g.comms[got.index]
	if !c.send {
		m.receive(g, c)
		return true
	}
	ch := c.ch
	if ch.Cells[chanClosed].N != 0 {
		m.record(g, run.Event{Op: schedule.Fail, Object: ch.ID})
		return m.panicPlain(g, "send on closed channel")
	}
	words := g.stack[c.value : c.value+c.elem.Words]
	event := m.recordSend(g, c, words)
	if slot, theirs, ok := run.AltPartner(g.alt); ok {
		p := m.gs[slot]
		m.preserve(p)
		p.got.index, p.got.ok = theirs, true
		p.got.words = append(p.got.words[:0], words...)
		p.got.shadow = append(p.got.shadow[:0], g.shadows(c.value, c.elem.Words)...)
		m.recordRecv(p, ch, event, c.elem)
		g.Meet(&p.Thread)
		p.granted, p.delivered = true, true
		m.wake(p)
		return true
	}
	at := int(ch.Cells[chanHead].N+ch.Cells[chanCount].N) % int(ch.Cells[chanCap].N)
	w := c.elem.Words
	m.heap.Dirty(ch, chanBuffer+at*w, w)
	copy(ch.Cells[chanBuffer+at*w:], words)
	ch.SetShadows(chanBuffer+at*w, w, g.shadows(c.value, w))
	m.heap.Dirty(ch, chanCount, 1)
	ch.Cells[chanCount].N++
	s := m.chanShadowOf(ch)
	slot := s.Slot(at)
	slot.Sent = event
	g.Acquire(&slot.Clock)
	g.Release(&slot.Clock)
	return true
}

// receive takes the oldest element from the buffer of c's channel, or what a
// closed channel gives.
func (m *Machine) receive(g *goroutine, c *comm) {
	ch, w, got := c.ch, c.elem.Words, &g.got
	s := m.chanShadowOf(ch)
	if ch.Cells[chanCount].N == 0 {
		for range w {
			got.words = append(got.words, heap.Word{})
		}
		m.record(g, run.Event{Op: schedule.RecvClosed, Object: ch.ID, Alt: int32(got.index), Select: g.selects, Other: s.Closed})
		g.Acquire(&s.Close)
		return
	}
	at := int(ch.Cells[chanHead].N)
	first := chanBuffer + at*w
	got.ok = true
	got.words = append(got.words, ch.Cells[first:first+w]...)
	if ch.Sym != nil {
		got.shadow = append(got.shadow, ch.Sym[first:first+w]...)
	}
	m.heap.Dirty(ch, first, w)
	clear(ch.Cells[first : first+w])
	ch.SetShadows(first, w, nil)
	m.heap.Dirty(ch, chanHead, 2)
	ch.Cells[chanHead].N = uint64(at+1) % ch.Cells[chanCap].N
	ch.Cells[chanCount].N--
	slot := s.Slot(at)
	m.recordRecv(g, ch, slot.Sent, c.elem)
	g.Acquire(&slot.Clock)
	g.Release(&slot.Clock)
}

// recordSend records that g sends words.
func (m *Machine) recordSend(g *goroutine, c *comm, words []heap.Word) int32 {
	if !m.tracing && m.unrecorded(g) {
		return -1
	}
	e := run.Event{Op: schedule.Send, Object: c.ch.ID, Alt: int32(g.got.index), Select: g.selects}
	m.describeWords(words, g.shadows(c.value, len(words)), c.elem, &e, false)
	return m.record(g, e)
}

// recordRecv records that g receives g.got.words, sent by event sent, and makes
// them fresh symbols when the plan asks for those.
func (m *Machine) recordRecv(g *goroutine, ch *heap.Object, sent int32, elem *code.Type) {
	if !m.tracing && m.unrecorded(g) {
		g.got.event = -1
		return
	}
	e := run.Event{Op: schedule.Recv, Object: ch.ID, Alt: int32(g.got.index), Select: g.selects, Other: sent}
	m.describeWords(g.got.words, nil, elem, &e, true)
	if fresh := m.readSymbols(g, len(g.got.words), elem); fresh != nil {
		g.got.shadow = append(g.got.shadow[:0], fresh...)
		attachSymbols(&e, fresh)
	}
	g.got.event = m.record(g, e)
}

// takeReceived leaves the received words in the registers at stack[at:].
func (m *Machine) takeReceived(g *goroutine, at int) {
	for i, w := range g.got.words {
		sym := expr.None
		if i < len(g.got.shadow) {
			sym = g.got.shadow[i]
		}
		m.setRegister(g, at+i, w, sym)
	}
}

// trespasses reports whether ch belongs to a bubble that g is not in.
func (g *goroutine) trespasses(ch *heap.Object) bool {
	return ch != nil && ch.Cells[chanBubble].P != g.bubble && ch.Cells[chanBubble].P != nil
}

// parkAtTrespass makes g, which trespasses with its communication on ch, wait for its
// turn to end the run by that.
func (m *Machine) parkAtTrespass(g *goroutine, ch *heap.Object) bool {
	return m.visit(g, run.Transition{Op: schedule.Fail, Object: ch.ID})
}

// trespass ends the run: g has used a channel of a bubble that it is not in.
func (m *Machine) trespass(g *goroutine, what string) bool {
	g.granted = false
	m.record(g, run.Event{Op: schedule.Fail, Object: run.NoObject})
	return m.fatal(g, what+" synctest channel from outside bubble")
}
