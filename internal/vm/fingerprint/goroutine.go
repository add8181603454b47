package fingerprint

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// nameOfGoroutine returns what the objects are named after that only g points to.
func (p *Printer) nameOfGoroutine(g *state.Goroutine) name {
	return name{uint64(tagGoroutine), uint64(uint32(p.role(g.ID)))}
}

// Offsets of what a goroutine points to besides registers, in the names of hidden objects.
const (
	atArguments = 1 << 48 * (iota + 1)
	atComms
	atServed
	atCond
	atBubble
	atPanics
	atSpin
)

// addGoroutine adds a goroutine that has not ended.
func (p *Printer) addGoroutine(g *state.Goroutine) {
	if g.Granted || g.Delivered || g.Merging.On || g.Status != state.Parked && g != p.choosing {
		p.none = true // it is not at a scheduling point
		return
	}
	p.all.add(p.hashOf(g))
}

// hashOf returns the hash of a goroutine that has not ended.
func (p *Printer) hashOf(g *state.Goroutine) hash {
	from := p.nameOfGoroutine(g)
	h := begin(tagGoroutine)
	h.addInt(p.role(g.ID))
	p.addNames(&h, g)
	h.addInt(int(g.Randoms))
	h.addInt(int(g.Reads))
	h.addBool(g.OfInitialiser)
	h.addInt(int(g.Created.Func))
	h.addInt(int(g.Created.Instr))
	h.addInt(int(g.Texts))
	h.addBool(g.IsAlone())
	p.addPointer(&h, g.Bubble, from, atBubble)
	p.addFrames(&h, g.Frames, g.Stack, g.Sym, from)
	p.addPanics(&h, g, from)
	p.addOperation(&h, g, from)
	p.addPolling(&h, g)
	p.addSpin(&h, g, from)
	return h
}

// addPanics appends to h the panics of g.
func (p *Printer) addPanics(h *hash, g *state.Goroutine, from name) {
	h.addInt(len(g.Panics))
	for i := range g.Panics {
		x := &g.Panics[i]
		at := atPanics + 2*uint64(i)
		p.addWord(h, x.Type, expr.None, from, at)
		p.addWord(h, x.Data, expr.None, from, at+1)
		for _, b := range [...]bool{x.Goexit, x.Recovered, x.Repanicked, x.Commuting, x.HasText} {
			h.addBool(b)
		}
		h.addInt(int(x.Origin))
		h.addInt(int(x.At))
		h.addInt(int(x.Call))
		h.addText(x.Text)
	}
}

// addPolling appends to h how often g has read the clock. What it has read before time passed
// last does not count.
func (p *Printer) addPolling(h *hash, g *state.Goroutine) {
	x := &g.Polling
	if x.Head != nil {
		p.none = true // a state of all memory
		return
	}
	number := int32(-1)
	if x.Since == p.Now {
		number = x.Number
	}
	h.addInt(int(number))
	h.addInt(int(x.Sleeps))
	h.addInt(int(x.Doublings))
}
