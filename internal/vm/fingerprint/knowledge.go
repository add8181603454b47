package fingerprint

import (
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Known returns who knows of which access in the state of the last fingerprint: run.SchedulingPoint.Known. What the
// goroutines will learn in their next steps is asked for if it matters.
func (p *Printer) Known(wants func(of run.Allocation, kind run.AccessKind) run.Interest, lesson func(g *state.Goroutine) Lesson) *run.Knowledge {
	p.reachAll()
	p.least.set = false
	p.taught = false
	k := &p.known
	k.Holders, k.Accesses, k.Once, p.bits = k.Holders[:0], k.Accesses[:0], k.Once[:0], p.bits[:0]
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
		known := func(slot int32) uint32 { return p.knownUntil(o, slot, lesson) }
		of := state.AllocationOf(o, 0)
		interest, others := run.Ignored, [run.NumAccessKinds]struct {
			run.Interest
			set bool
		}{} // in accesses to the cells after the distinct ones
		counts := func(off int, kind run.AccessKind) bool {
			if kind == run.BeforeAtomic && !p.Plan.Visible.HideAtomics {
				return false // no addition is hidden
			}
			of.Cell = int32(min(off+1, run.DistinctCells))
			if other := &others[kind]; off+1 < run.DistinctCells {
				interest = wants(of, kind)
			} else {
				if !other.set {
					other.Interest, other.set = wants(of, kind), true
				}
				interest = other.Interest
			}
			return interest != run.Ignored
		}
		p.eachAccess(o, known, counts, func(off int, kind run.AccessKind, a *race.Access) {
			if interest == run.Ignored || a.Time() <= known(a.Slot()) {
				return
			}
			if len(p.users) == 0 {
				p.findUsers(o)
			}
			if p.usersKnow(a) {
				return
			}
			if interest == run.Once {
				k.Once = append(k.Once, run.KindOfAccess{Of: of, Kind: kind})
				if interest = run.Ignored; off+1 >= run.DistinctCells {
					others[kind].Interest = interest
				}
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
			k.Accesses = append(k.Accesses, run.EarlierAccess{
				Object: o.ID, Offset: int32(off), Kind: kind, Of: state.AllocationOf(o, off), Known: bits,
			})
			h := p.hashOfAccess(&use{a, o, off, kind})
			h.addHash(hash(known))
			all.add(h)
		})
	}
	k.Hash = run.Fingerprint{all.a, all.b}
	return k
}

// knownUntil returns the time up to which all goroutines and timers know of what the goroutine in a
// slot has done to an object, or will as soon as they access anything: see Knowledge in doc.go.
func (p *Printer) knownUntil(o *heap.Object, slot int32, lesson func(g *state.Goroutine) Lesson) uint32 {
	until := p.floorOf(slot)
	if later := p.laterFloorOf(slot, lesson); later > until && !slices.Contains(p.about, o.Base()) {
		return later
	}
	return until
}

// laterFloorOf is floorOf for when the goroutines have learned what they learn in their next steps.
func (p *Printer) laterFloorOf(slot int32, lesson func(g *state.Goroutine) Lesson) uint32 {
	if !p.taught {
		p.taught = true
		p.lessons, p.about = p.lessons[:0], p.about[:0]
		for _, g := range p.Live {
			l := lesson(g)
			p.lessons = append(p.lessons, l)
			if l.About != nil {
				p.about = append(p.about, l.About.Base())
			}
		}
		f := &p.leastLater
		f.set = false
		for i, g := range p.Live {
			switch l := &p.lessons[i]; {
			case l.Waits:
			case l.Clock != nil:
				p.learned.Assign(&g.Clock)
				p.learned.Join(l.Clock)
				f.lower(&p.learned)
			default:
				f.lower(&g.Clock)
			}
		}
		for _, t := range p.Timers {
			f.lower(&t.Clock)
		}
	}
	if !p.leastLater.set {
		return math.MaxUint32
	}
	return p.leastLater.At(slot)
}
