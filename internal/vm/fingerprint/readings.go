package fingerprint

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/race"
)

// addReadings appends to h readings of the clock.
func (p *Printer) addReadings(h *hash, r *race.Readings) {
	list := r.List()
	h.addInt(len(list))
	var all set // expressions of equal hashes could be in any order
	for i := range list {
		x := &list[i]
		one := begin(tagReadings)
		if x.Time == expr.None {
			one.add(uint64(x.Value))
		} else {
			p.addExpr(&one, x.Time)
		}
		one.add(uint64(x.Latest))
		one.addInt(x.Terms)
		one.addInt(int(x.Reader.Slot))
		one.addInt(int(x.Reader.Number))
		all.add(one)
	}
	h.addHash(hash(all))
}

// addExpr appends to h a symbolic value.
func (p *Printer) addExpr(h *hash, x expr.ID) {
	h.add(uint64(tagSymbolic))
	h.add(p.Arena.Hash(x))
	h.addInt(int(p.Arena.Width(x)))
}

// addFiring appends to h what a timer has sent, as far as it has not been read yet.
func (p *Printer) addFiring(h *hash, f *race.Firing) {
	h.add(uint64(f.Latest))
	if f.Latest == 0 {
		return
	}
	h.addInt(int(f.Creator))
	h.addInt(int(f.Setting))
	h.addInt(int(f.Number))
	h.addBool(f.Quiescent == p.Quiescent)
	h.add(uint64(f.Time))
	p.addReadings(h, f.Readings)
}
