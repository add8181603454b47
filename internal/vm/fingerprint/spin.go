package fingerprint

import "github.com/everyway-go/everyway/internal/vm/state"

// addSpin appends to h what is known of g as a goroutine that may be spinning. It decides when
// its operation is disabled, since it awaits a change. To leave that out would be right as far as
// what can happen is concerned. But a search that does not continue states that it has seen
// would then not come to where all goroutines await a change.
func (p *Printer) addSpin(h *hash, g *state.Goroutine, from name) {
	s := g.Spin
	if s == nil || !s.Watching {
		pause := 0 // if there is no Spin yet, it is as if there were one without a head
		if s != nil {
			pause = s.Pause()
		}
		h.addBool(s != nil && s.Awaits)
		h.addInt(pause)
		return
	}
	h.add(uint64(tagSpin))
	h.addInt(s.Pause())
	h.addBool(s.Awaits)
	h.addInt(s.Revisits)
	h.addInt(s.Limit)
	from.a ^= atSpin
	p.addFrames(h, s.Head.Frames(), s.Head.Stack, s.Head.Shadows(), from)
	h.addInt(len(s.Places))
	for i := range s.Places {
		place := &s.Places[i]
		h.addInt(int(place.Func.ID))
		h.addInt(int(place.PC))
		h.addInt(int(place.Depth()))
	}
	h.addInt(len(s.Observations))
	for i := range s.Observations {
		until, send, at, kind, sym := s.Observations[i].Parts()
		h.addInt(int(until))
		h.addBool(send)
		h.addInt(int(kind))
		p.addPointer(h, at.Object, from, atSpin+uint64(2*i))
		h.addInt(at.Offset)
		p.addWord(h, s.Observations[i].Word, sym, from, atSpin+uint64(2*i+1))
	}
}
