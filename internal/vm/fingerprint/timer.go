package fingerprint

import "github.com/everyway-go/everyway/internal/vm/state"

// addTimers adds the timers that have not fired or been stopped. Outside of bubbles, their order
// decides nothing: which one fires is a decision.
func (p *Printer) addTimers() {
	for i := range p.Timers {
		t := &p.Timers[i]
		from := nameOfTimer(t)
		h := begin(tagTimer)
		if p.Bubbles > 0 {
			h.addInt(i)
		}
		h.addInt(int(t.Alt))
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
		h.addInt(int(t.Fired))
		p.addReadings(&h, t.Shown)
		p.all.add(h)
	}
}

// nameOfTimer returns a name for a timer, which its alternative identifies.
func nameOfTimer(t *state.Timer) name { return name{uint64(tagTimer), uint64(uint32(t.Alt))} }
