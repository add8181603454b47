package fingerprint

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// Offsets of what the rest of the state points to, in the names of hidden objects.
const (
	atPools = 1 << 48 * (iota + 1)
	atOldPools
	atQueues
	atRooms
)

// addRun adds the state of the run besides memory, goroutines and timers.
func (p *Printer) addRun() {
	from := name{uint64(tagRun), 0}
	h := begin(tagRun)
	t := p.Trace
	for _, n := range [...]uint64{
		uint64(p.Now), p.ClockReadings, p.Draws, p.Keys, uint64(p.Guessed), p.Cleanups, uint64(p.Collections), p.Called,
		uint64(p.Bubbles), uint64(p.Initialisers), uint64(p.Late),
		uint64(t.Initialisers), uint64(t.Bounds), uint64(len(t.Seeds)), uint64(len(t.Params)), uint64(len(t.Subtests)),
	} {
		h.add(n)
	}
	for _, b := range [...]bool{
		p.Multi, p.MainExited, p.TestsRan, p.CountsAllocations(),
		t.Collected, t.AddsMatter, t.Added, t.TimersHeld, t.TimeCut, t.Parallel,
	} {
		h.addBool(b)
	}
	h.addBool(p.renames)
	if !p.renames {
		h.addInt(len(p.Goroutines)) // the slot of the next one
	}
	h.addText(p.InputPrefix)
	h.addInt(len(t.Tests))
	for _, id := range t.Tests {
		h.addInt(int(id))
	}
	h.addInt(len(p.TestHelpers()))
	for _, fn := range p.TestHelpers() {
		h.addInt(int(fn))
	}
	p.addReadings(&h, p.OldReadings)
	if !p.renames {
		p.addQueues(&h, from)
	}
	p.addInputs(&h, from)
	p.all.add(h)
	for _, o := range p.Parted {
		h := begin(tagParted)
		h.add(uint64(uint32(o.ID.Goroutine))<<32 | uint64(uint32(o.ID.Count)))
		p.all.add(h)
	}
}

// addQueues appends to h the queues of channels. Their numbers are in cells.
func (p *Printer) addQueues(h *hash, from name) {
	h.addInt(len(p.Queues))
	at := uint64(atQueues)
	add := func(o *heap.Object) {
		p.addPointer(h, o, from, at)
		at++
	}
	for i := range p.Queues {
		q := &p.Queues[i]
		h.addHash(hash(nameOfID(q.ID)))
		add(q.Bubble)
		h.addInt(q.Waiters)
		h.addInt(len(q.Channels))
		for _, ch := range q.Channels {
			add(ch)
		}
	}
}

// addNamedQueues adds the queues of channels when objects have names that do not depend on the
// order of goroutines, as that of the queues does. Of a queue it counts which channels have it, how
// many wait there, and after which channel it is named, since the labels of steps have that name.
// Channels that nothing can reach any more do not count.
func (p *Printer) addNamedQueues() {
	if !p.renames {
		return
	}
	for i := range p.Queues {
		q := &p.Queues[i]
		var channels set
		for _, ch := range q.Channels {
			if ch.ID.Goroutine == run.HiddenObjects || q.Bubble != nil {
				p.fixed = true
				return
			}
			if p.isOld(ch) || ch.Marking == p.mark {
				one := begin(tagObject)
				one.addHash(hash(p.nameByID(ch.ID)))
				channels.add(one)
			}
		}
		if channels == (set{}) {
			continue
		}
		h := begin(tagQueue)
		h.addHash(hash(channels))
		h.addInt(q.Waiters)
		p.addObjectID(&h, q.ID)
		p.all.add(h)
	}
}

// addInputs appends to h the inputs that have been drawn, and the path condition: whatever
// satisfies it comes here, with the decisions that the runs have taken.
func (p *Printer) addInputs(h *hash, from name) {
	t := p.Trace
	h.addInt(len(t.Inputs))
	for i := range t.Inputs {
		in := &t.Inputs[i]
		h.addText(in.Name)
		h.addInt(int(in.Width))
		h.addBool(in.Choice)
		if in.Sym == expr.None {
			h.add(in.Value)
		}
	}
	var path set
	for i := range t.Path {
		c := &t.Path[i]
		one := begin(tagCondition)
		one.addInt(p.role(c.Goroutine)) // which meets it again without a new condition
		one.addInt(int(c.Kind))
		p.addExpr(&one, c.Cond)
		path.add(one)
	}
	h.addHash(hash(path))
	h.addInt(len(p.Rooms))
	for i := range p.Rooms {
		r := &p.Rooms[i]
		p.addPointer(h, r.Object, from, atRooms+uint64(i))
		h.addInt(r.Words)
		h.add(uint64(r.Small))
		h.addBool(r.Ample)
		if r.Sym != expr.None {
			p.addExpr(h, r.Sym)
		}
	}
}
