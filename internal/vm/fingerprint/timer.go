package fingerprint

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// addTimers adds the timers that have not fired or been stopped. Outside of bubbles, their order
// decides nothing: which one fires is a decision.
func (p *Printer) addTimers() {
	for i, t := range p.sortedTimers() {
		p.source = int32(len(p.arranged) + i)
		from := p.nameOfTimer(t)
		h := begin(tagTimer)
		h.addHash(hash(from))
		if p.Bubbles > 0 {
			h.addInt(i)
		}
		p.addPointer(&h, t.Cell.Object, from, 0)
		h.addInt(t.Cell.Offset)
		h.add(uint64(t.When))
		h.add(uint64(t.Period))
		h.addInt(int(t.Creator))
		h.addInt(int(t.Child))
		p.addPointer(&h, t.Bubble, from, 1)
		h.addBool(t.Late)
		h.addBool(t.Held)
		h.addBool(t.OfInitialiser)
		h.addInt(int(t.Setting))
		h.add(uint64(t.Wait))
		h.add(uint64(t.Left))
		h.addInt(int(t.Fired))
		p.addReadings(&h, t.Shown)
		p.all.add(h)
	}
}

// sortedTimers sets timers, and returns it: all of them, in an order that does not depend on when they
// were set if objects are named after the order in which they are reached.
func (p *Printer) sortedTimers() []*state.Timer {
	if !p.renames {
		p.timers = p.Timers
		return p.timers
	}
	p.timers = slices.SortedFunc(slices.Values(p.Timers), func(a, b *state.Timer) int {
		return cmp.Or(cmp.Compare(a.Creator, b.Creator), cmp.Compare(numberOf(a), numberOf(b)))
	})
	return p.timers
}

// nameOfTimer returns a name for a timer, which its alternative identifies. Where slots do not
// count, it is that of its creator with its number.
func (p *Printer) nameOfTimer(t *state.Timer) name {
	if p.renames {
		return name{uint64(tagTimer), uint64(uint32(t.Creator))<<32 | uint64(uint32(numberOf(t)))}
	}
	return name{uint64(tagTimer), uint64(uint32(t.Alt))}
}

// numberOf returns the number of timers that the creator of t had set before it.
func numberOf(t *state.Timer) int32 { return run.Decision{Alt: t.Alt}.Timer() }
