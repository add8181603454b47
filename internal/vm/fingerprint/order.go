package fingerprint

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// order is the part of a Printer that leaves out the names of goroutines. They are put in an
// order that only depends on what they are about to do and on what they know, and are named by
// their places in it. So are objects, by when they are reached first (memory.go). If two goroutines
// cannot be told apart here, the order in which they were made decides: at worst, the same state
// has several fingerprints.
//
// Some names are kept, since there is more to them: those of goroutines that have set timers which
// can still fire, or have read the clock, since timers and readings are named after them, and of
// those after which the plan names objects; and those of objects that the plan names, or of which a
// number has been made.
type order struct {
	renames  bool
	fixed    bool               // names turn out to be needed
	sketches bool               // a goroutine is looked at before objects have names
	arranged []*state.Goroutine // those that have not ended, in order
	roles    []int32            // by slot: the index in arranged
	places   []place
	naming   run.Naming
	turned   int // the index in arranged of the first of the goroutines that are turned; -1 for none
}

// A place says where a goroutine belongs in the order.
type place struct {
	g      *state.Goroutine
	sketch hash // of what it is about to do
	known  set  // what it knows that others do not
}

// arrange sets arranged and roles.
func (p *Printer) arrange() {
	p.roles = append(p.roles[:0], make([]int32, len(p.Goroutines))...)
	for i := range p.roles {
		p.roles[i] = -1
	}
	p.arranged = append(p.arranged[:0], p.Live...)
	if p.renames && len(p.Live) > 1 {
		p.sort()
		p.turn()
	}
	p.assign()
}

// turn has each of the goroutines that are about to do the same as the first of those that are
// turned take the place of the one before it.
func (p *Printer) turn() {
	if p.turned < 0 {
		return
	}
	end := p.turned + 1
	for end < len(p.places) && p.places[end].sketch == p.places[p.turned].sketch {
		end++
	}
	list := p.arranged[p.turned:end]
	first := list[0]
	copy(list, list[1:])
	list[len(list)-1] = first
}

// Turned implements run.SchedulingPoint.Turned for the state of the last fingerprint, which leaves out names.
func (p *Printer) Turned(first int32) ([]run.ObjectID, bool) {
	want := p.all
	p.turned = int(first)
	p.print()
	p.turned = -1
	if p.none || p.fixed || p.all != want {
		return nil, false
	}
	return slices.Clone(p.objects), true
}

// assign sets roles.
func (p *Printer) assign() {
	for i, g := range p.arranged {
		p.roles[g.Slot] = int32(i)
	}
}

// sort sorts arranged.
func (p *Printer) sort() {
	p.places = p.places[:0]
	p.sketches = true
	for _, g := range p.Live {
		p.places = append(p.places, place{g: g, sketch: p.hashOf(g).sum()})
	}
	p.sketches = false
	bySketch := func(a, b *place) int {
		return cmp.Or(cmp.Compare(a.sketch.a, b.sketch.a), cmp.Compare(a.sketch.b, b.sketch.b))
	}
	slices.SortStableFunc(p.places, func(a, b place) int { return bySketch(&a, &b) })
	for i := range p.places {
		p.arranged[i] = p.places[i].g
	}
	reached := false
	for i := 0; i < len(p.places); {
		end := i + 1
		for end < len(p.places) && bySketch(&p.places[i], &p.places[end]) == 0 {
			end++
		}
		if end > i+1 && !p.Plan.ForgetKnowledge {
			if !reached {
				// Only what can be reached counts for what they know.
				p.assign()
				p.addContents()
				p.reachAll()
				p.gather()
				p.all, reached = set{}, true
			}
			p.sortKnown(p.places[i:end])
		}
		i = end
	}
	if reached {
		for i := range p.places {
			p.arranged[i] = p.places[i].g
		}
		p.beginMemory()
	}
}

// sortKnown sorts goroutines that are about to do the same by what they know, and by who knows of them.
func (p *Printer) sortKnown(list []place) {
	first := p.roles[list[0].g.Slot] // roles are in the order of the list
	for i := range list {
		x := &list[i]
		for k := range p.recent {
			if a := &p.recent[k]; a.Slot() == x.g.Slot || x.g.Clock.Covers(a.Access) {
				one := p.sketchOfUse(a)
				one.addBool(a.Slot() == x.g.Slot)
				x.known.add(one)
			}
		}
		for k := range p.readers {
			if r := &p.readers[k]; r.slot == x.g.Slot {
				x.known.add(p.hashOfCell(tagReaders, p.sketchOf(r.object), r.off))
			}
		}
		for k := range list {
			if k != i && x.g.Clock.CoversNext(&list[k].g.Thread) {
				x.known.a++
			}
			if k != i && list[k].g.Clock.CoversNext(&x.g.Thread) {
				x.known.b++
			}
		}
	}
	p.eachRelease(func(c *race.Clock, from hash) {
		for i := range list {
			if x := &list[i]; c.CoversNext(&x.g.Thread) {
				x.known.add(from)
			}
		}
		for k := range p.recent {
			a := &p.recent[k]
			if i := p.roles[a.Slot()]; int(first) <= int(i) && int(i) < int(first)+len(list) && c.Covers(a.Access) {
				one := p.sketchOfUse(a)
				one.addHash(from)
				list[i-first].known.add(one)
			}
		}
	})
	slices.SortStableFunc(list, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.known.a, b.known.a), cmp.Compare(a.known.b, b.known.b))
	})
}

// sketchOfUse returns the hash of what stands for an access while objects have no names.
func (p *Printer) sketchOfUse(a *use) hash {
	h := p.hashOfCell(tagAccess, p.sketchOf(a.object), a.off)
	h.addInt(int(a.kind))
	site := p.Races.Site(a.Access)
	h.addInt(int(site.Func))
	h.addInt(int(site.Instr))
	return h
}

// eachRelease calls do for each clock that can be acquired, with the hash of what stands for it
// while objects have no names.
func (p *Printer) eachRelease(do func(c *race.Clock, from hash)) {
	for i := range p.cells {
		if c := &p.cells[i]; c.Releases() != nil {
			n := p.sketchOf(c.object)
			do(&c.Releases().Clock, clockOf(n, 4*c.off))
			do(&c.Releases().Readers, clockOf(n, 4*c.off+1))
		}
	}
	for _, o := range p.Touched {
		if o.Kind != heap.ChanObject || !p.isReached(o) {
			continue
		}
		n := p.sketchOf(o)
		do(&o.Race.Chan.Close, clockOf(n, 2))
		elements := o.Race.Chan.Elements()
		for i := range elements {
			do(&elements[i].Clock, clockOf(n, 4*i+3))
		}
	}
}

// role returns what stands for a goroutine, by its number in run.Names: its place in the order, or
// its number if goroutines have their names. It is -1 for one that has ended, if they do not.
func (p *Printer) role(id int32) int {
	switch {
	case !p.renames:
		return int(id)
	case p.sketches:
		return 0
	}
	if g := p.goroutine(id); g != nil {
		return int(p.roles[g.Slot])
	}
	return -1
}

// goroutine returns the goroutine of the run with a number in run.Names, nil if there is none.
func (p *Printer) goroutine(id int32) *state.Goroutine {
	if id < 0 || int(id) >= len(p.Slots) || int(p.Slots[id]) >= len(p.Goroutines) || p.Goroutines[p.Slots[id]].ID != id {
		return nil
	}
	return p.Goroutines[p.Slots[id]]
}

// addNames appends to h the names of g that are kept.
func (p *Printer) addNames(h *hash, g *state.Goroutine) {
	switch {
	case !p.renames:
		h.addInt(int(g.ID))
		// Decisions name goroutines by their slots, and so do stacks that a program looks at.
		h.addInt(int(g.Slot))
		if parent := p.Names.Parent(g.ID); parent >= 0 {
			h.addInt(int(p.Slots[parent]))
		}
	case p.isNamed(g):
		h.addInt(int(g.ID))
	default:
		// What it has read, and reads next, is named after it.
		if g.Reads > 0 || slices.ContainsFunc(p.Timers, func(t *state.Timer) bool { return t.Creator == g.ID }) {
			h.addInt(int(g.ID))
		}
		return
	}
	h.addInt(int(g.Allocs))
	h.addInt(int(g.Spawns))
	h.addInt(int(g.Timers))
}

// isNamed reports whether the plan names objects of g, or of goroutines that it, or one of those, may
// start.
func (p *Printer) isNamed(g *state.Goroutine) bool {
	for o := range p.Plan.Visible.Objects {
		for id := o.Goroutine; id >= 0; id = p.Names.Parent(id) {
			if id == g.ID {
				return true
			}
		}
	}
	return false
}

// keepsName reports whether an object that was made since the first checkpoint keeps its name.
func (p *Printer) keepsName(o *heap.Object) bool {
	return p.Plan.Visible.Objects[o.ID] || p.Exposed[o.Base()] == o
}

// sketchOf returns what stands for an object while objects have no names.
func (p *Printer) sketchOf(o *heap.Object) name {
	if p.isOld(o) {
		if o.ID.Goroutine == run.HiddenObjects {
			return p.numberHidden(o)
		}
		return nameOfID(o.ID)
	}
	h := begin(tagObject)
	h.addInt(int(o.Kind))
	if o.Type != nil {
		h.addInt(int(o.Type.ID))
	}
	h.addInt(int(o.Func))
	h.addInt(o.Size())
	for i := range min(o.Size(), sketchedCells) {
		if w := o.Word(i); w.P == nil && !p.isQueueNumber(o, i) {
			h.add(w.N)
		}
	}
	return name(h.sum())
}

// sketchedCells is the number of cells of an object that sketchOf looks at.
const sketchedCells = 8

// noteNaming returns what has been named.
func (p *Printer) noteNaming() *run.Naming {
	n := &p.naming
	n.Goroutines = n.Goroutines[:0]
	like := 0
	for i, g := range p.arranged {
		if len(p.arranged) > 1 && p.places[i].sketch != p.places[like].sketch {
			like = i
		}
		n.Goroutines = append(n.Goroutines, run.NamedGoroutine{
			Number: g.ID, Spawns: g.Spawns, Allocs: g.Allocs, Timers: g.Timers, Like: int32(like),
		})
	}
	n.Objects = p.objects
	return n
}
