package fingerprint

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/queue"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// choosing stands for the operation of a goroutine that is about to choose an entry of a map.
const choosing = -1

// addOperation appends to h the operation at which g is parked, or how far it is in a step.
func (p *Printer) addOperation(h *hash, g *state.Goroutine, from name) {
	at := int(g.At)
	if g == p.choosing {
		at = choosing
	}
	h.addInt(at)
	h.addInt(int(g.Phase))
	switch at {
	case choosing:
		h.addBool(p.OnlyObserved())
	case int(state.AtPrimitive):
		p.addPrimitive(h, g, from)
	case int(state.AtCommunication):
		h.addBool(g.Selects)
		h.addBool(g.HasDefault)
		p.addComms(h, g, from)
	default: // its transition is added when objects have names
		if queue.Closes(g) {
			p.addComms(h, g, from)
		}
	}
	p.addPointer(h, g.Served, from, atServed)
	p.addPointer(h, g.Cond.Object, from, atCond)
	h.addInt(g.Cond.Offset)
	h.addBool(g.Notified)
}

// addHeld adds the locks that goroutines hold, or held when they ended, and those that they have
// inherited. How these are held is in the locks.
func (p *Printer) addHeld() {
	for _, g := range p.Goroutines {
		if len(g.Thread.Held) > 0 {
			h := begin(tagHeld)
			h.addInt(p.roleAt(g.Slot))
			p.addLocks(&h, g.Thread.Held)
			p.all.add(h)
		}
		if len(g.Inherited) > 0 {
			h := begin(tagInherited)
			h.addInt(p.roleAt(g.Slot))
			p.addLocks(&h, g.InheritedLocks())
			p.all.add(h)
		}
	}
}

// addPending adds the transition of g if it has been made when g was parked.
func (p *Printer) addPending(g *state.Goroutine) {
	if g == p.choosing || g.At == state.AtPrimitive || g.At == state.AtCommunication {
		return
	}
	h := begin(tagPending)
	h.addInt(p.role(g.ID))
	p.addTransition(&h, &g.Pending)
	p.all.add(h)
}

// addPrimitive appends to h the primitive at which g is parked.
func (p *Printer) addPrimitive(h *hash, g *state.Goroutine, from name) {
	h.addInt(int(g.Prim.ID))
	top := g.Top()
	h.addInt(g.PrimBase - int(top.Base))
	var syms []expr.ID
	if top.Symbolic {
		syms = g.Sym[g.PrimBase:]
	}
	p.addWords(h, g.Stack[g.PrimBase:g.PrimBase+g.Prim.Params], syms, from, atArguments)
	if g.Prim.Name == state.GroupWaitName {
		h.addBool(g.Blocked) // a Wait that had to wait can race with an Add
	}
	if g.Sleeps() {
		h.add(uint64(g.When))
		h.addBool(g.Held)
		h.addBool(g.Late)
		p.addReadings(h, g.Wakes)
	}
}

// addComms appends to h the communications of g, with the words that it sends.
func (p *Printer) addComms(h *hash, g *state.Goroutine, from name) {
	h.addInt(len(g.Comms))
	at := uint64(atComms)
	var syms []expr.ID
	if g.Top().Symbolic {
		syms = g.Sym
	}
	for i := range g.Comms {
		c := &g.Comms[i]
		h.addBool(c.Send)
		p.addPointer(h, c.Chan, from, at)
		at++
		if !c.Send {
			continue
		}
		words := g.Stack[c.Value : c.Value+c.Elem.Words]
		var sent []expr.ID
		if syms != nil {
			sent = syms[c.Value:]
		}
		p.addWords(h, words, sent, from, at)
		at += uint64(len(words))
	}
	h.addInt(p.rankOf(g))
}

// rankOf returns the place of g among those that are known to wait, -1 if it is not. Those that
// wait since the same quiescent point have the same place.
func (p *Printer) rankOf(g *state.Goroutine) int {
	if g.WaitsSince == 0 {
		return -1
	}
	rank := 0
	for _, o := range p.Live {
		if 0 < o.WaitsSince && o.WaitsSince < g.WaitsSince {
			rank++
		}
	}
	return rank
}

// addTransition appends to h a transition of a goroutine that has been made when it was parked.
func (p *Printer) addTransition(h *hash, t *run.Transition) {
	p.addObjectID(h, t.Object)
	p.addRange(h, t.From)
	p.addObjectID(h, t.Bubble)
	p.addObjectID(h, t.Queue)
	h.addInt(p.role(t.Partner))
	for _, n := range [...]int64{
		int64(t.Kind), int64(t.Alt), int64(t.Op), int64(t.Offset), int64(t.Cells),
		t.State, t.Delta, int64(t.Site.Func), int64(t.Site.Instr), int64(t.Waits), int64(len(t.Awaits)),
	} {
		h.add(uint64(n))
	}
	for _, b := range [...]bool{t.Spins, t.Compares, t.Select, t.Commutes, t.Contingent, t.Enabled, t.Queued} {
		h.addBool(b)
	}
	for _, r := range t.Awaits {
		p.addRange(h, r)
	}
}

func (p *Printer) addRange(h *hash, r run.Range) {
	p.addObjectID(h, r.Object)
	h.addInt(int(r.Offset))
	h.addInt(int(r.Cells))
}

// addObjectID appends to h the name of an object. The objects have names.
func (p *Printer) addObjectID(h *hash, id run.ObjectID) { h.addHash(hash(p.nameByID(id))) }
