package pointsto

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/bitset"
)

// A Region is what a pointer may point to: slots of objects, none of which is exposed.
type Region struct {
	r     *Result
	slots set
}

// Region returns what a part of a value may point to, the one that begins at a slot of it. It is
// false if that may be anything.
func (r *Result) Region(v ssa.Value, slot int) (Region, bool) {
	slots, number := r.node(v)
	if _, isGlobal := v.(*ssa.Global); isGlobal && number == 0 {
		return r.region(slots)
	}
	if number == 0 {
		return Region{}, false
	}
	n := r.s.values[v]
	if slot >= len(r.s.layouts.of(v.Type()).slots) {
		return Region{}, false
	}
	return r.region(r.s.node[r.s.find(n+int32(slot))].points)
}

func (r *Result) region(slots set) (Region, bool) {
	if len(slots) == 0 || slots.meetsAny(r.exposed) || slots.meetsAny(r.unknown) {
		return Region{}, false
	}
	return Region{r, slots}, true
}

// Content returns what a pointer may point to that is a number of slots behind what the region has.
func (a Region) Content(slot int) (Region, bool) {
	var all, added set
	for at := range a.slots.all() {
		if to := a.r.s.at(at, int32(slot)); to != 0 {
			all.addAll(a.r.s.node[a.r.s.find(to)].points, &added)
		}
	}
	return a.r.region(all)
}

// Slots returns how many slots may be behind what the region has, those included.
func (a Region) Slots() int {
	n := 0
	for at := range a.slots.all() {
		o := a.r.s.object(at)
		n = max(n, int(o.base)+len(o.layout.slots)-int(at))
	}
	return n
}

// Meets reports whether two regions have a slot in common.
func (a Region) Meets(b Region) bool { return a.slots.meets(b.slots) }

// MeetsObject reports whether two regions have slots of one object.
func (a Region) MeetsObject(b Region) bool {
	objects := bitset.New(len(a.r.s.objects))
	for at := range a.slots.all() {
		objects.Add(a.r.s.object(at).id)
	}
	for at := range b.slots.all() {
		if objects.Has(b.r.s.object(at).id) {
			return true
		}
	}
	return false
}

// May reports whether a pointer may lead to what the region has.
func (a Region) May(p Pointees) bool { return a.slots.meets(p.slots) }

// Objects returns the objects of which the region has slots.
func (a Region) Objects() (list []*Object) {
	seen := bitset.New(len(a.r.s.objects))
	for at := range a.slots.all() {
		if o := a.r.s.object(at); !seen.Has(o.id) {
			seen.Add(o.id)
			list = append(list, o)
		}
	}
	return list
}

// Key is the same for the same regions.
func (a Region) Key() string { return fmt.Sprint(a.slots) }
