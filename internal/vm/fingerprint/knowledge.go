package fingerprint

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Known returns who knows of which access in the state of the last fingerprint: run.SchedulingPoint.Known.
func (p *Printer) Known() *run.Knowledge {
	p.reachAll()
	p.resetFloors()
	k := &p.known
	k.Holders, k.Accesses, p.bits = k.Holders[:0], k.Accesses[:0], p.bits[:0]
	for i := range p.holders {
		k.Holders = append(k.Holders, p.holders[i].clock.Of)
	}
	k.Goroutines = k.Goroutines[:0]
	for _, g := range p.arranged {
		k.Goroutines = append(k.Goroutines, run.NamedGoroutine{Number: g.ID, Spawns: g.Spawns, Allocs: g.Allocs, Timers: g.Timers})
	}
	words := (len(p.holders) + 63) / 64
	all := p.all
	for _, o := range p.Touched {
		if !p.isReached(o) {
			continue
		}
		p.users = p.users[:0]
		eachAccess(o, func(off int, kind run.AccessKind, a *race.Access) {
			if p.allKnow(a) {
				return
			}
			if len(p.users) == 0 {
				p.findUsers(o)
			}
			if p.usersKnow(a) {
				return
			}
			n := len(p.bits)
			for range words {
				p.bits = append(p.bits, 0)
			}
			bits := p.bits[n:]
			var known set
			for i := range p.holders {
				if h := &p.holders[i]; h.clock.Covers(a) {
					bits[i>>6] |= 1 << (i & 63)
					known.a += h.is.a
					known.b += h.is.b
				}
			}
			k.Accesses = append(k.Accesses, run.EarlierAccess{Object: o.ID, Offset: int32(off), Kind: kind, Of: state.AllocationOf(o, off), Known: bits})
			h := p.hashOfAccess(&use{a, o, off, kind})
			h.addHash(hash(known))
			all.add(h)
		})
	}
	k.Hash = run.Fingerprint{all.a, all.b}
	return k
}
