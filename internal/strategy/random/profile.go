package random

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A location is what an operation is on.
type location struct {
	object run.ObjectID
	offset int32
}

func locationOf(t *run.Transition) location { return location{t.Object, t.Offset} }

// A Profile counts the operations of a run by goroutine and location.
type Profile struct {
	goroutines []int32 // in the order in which they appeared
	known      perGoroutine[bool]
	parent     map[int32]int32
	uses       []use // in the order in which they appeared
	index      map[use]int
	counts     []int             // of uses
	changed    map[location]bool // by an operation other than a read
	last       int32             // the goroutine that took the last step
}

// A use is a goroutine and a location that it uses.
type use struct {
	goroutine int32
	at        location
}

func newProfile() *Profile {
	return &Profile{parent: map[int32]int32{}, index: map[use]int{}, changed: map[location]bool{}, last: nobody}
}

// step is called when t is about to be carried out, with the operations pending then.
func (p *Profile) step(t *run.Transition, pending []run.Transition) {
	for i := range pending {
		g := pending[i].Goroutine
		if known := p.known.at(g); !*known {
			*known = true
			p.parent[g] = p.last
			p.goroutines = append(p.goroutines, g)
		}
	}
	u := use{t.Goroutine, locationOf(t)}
	i, ok := p.index[u]
	if !ok {
		i = len(p.uses)
		p.index[u] = i
		p.uses = append(p.uses, u)
		p.counts = append(p.counts, 0)
	}
	p.counts[i]++
	if t.Op != schedule.Read && t.Op != schedule.AtomicRead {
		p.changed[u.at] = true
	}
	p.last = t.Goroutine
}

// shared returns the locations that more than one goroutine has used and one has changed.
func (p *Profile) shared() []location {
	by := map[location]int{}
	var list []location
	for _, u := range p.uses {
		if by[u.at]++; by[u.at] == 2 && p.changed[u.at] && u.at.object != run.NoObject {
			list = append(list, u.at)
		}
	}
	return list
}

// count returns the number of operations on the selected locations, by goroutine, with those of
// the goroutines that it has started.
func (p *Profile) count(selected func(location) bool) map[int32]int {
	total := map[int32]int{}
	for i, u := range p.uses {
		if selected(u.at) {
			total[u.goroutine] += p.counts[i]
		}
	}
	for i := len(p.goroutines) - 1; i >= 0; i-- { // goroutines come after the one that started them
		g := p.goroutines[i]
		if of := p.parent[g]; of != nobody {
			total[of] += total[g]
		}
	}
	return total
}
