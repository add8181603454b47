package racing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
)

// A pair is two places in the code whose accesses may race.
type pair [2]run.SiteID

func pairOf(a, b run.SiteID) pair {
	if cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Instr, b.Instr)) > 0 {
		a, b = b, a
	}
	return pair{a, b}
}

// A potential race is one of two places in the code. It is confirmed by a run.
type potential struct {
	at         pair
	found      bool // two accesses there may meet on one object
	confirmed  bool
	candidates []candidate // that have not been tried
	tried      int
	excluded   int // candidates whose paths exclude each other: their inputs, or their locks
	unknown    int // candidates of which the solver does not know it
	missed     int // candidates whose runs did not come to the accesses
	dropped    int // candidates that are not tried, as there are so many

	apart []candidate // in different shapes, that have not been integrated
	jumps int         // integrations that were tried
	why   string      // the last one of them has failed
}

// known says what is known of a race that is not confirmed.
func (p *potential) known() string {
	var list []string
	add := func(n int, what string) {
		if n > 0 {
			list = append(list, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(p.excluded, "that exclude each other")
	add(p.missed, "that did not come there at the same time")
	add(p.unknown, "of which the solver does not know whether they exclude each other")
	add(len(p.candidates)+p.dropped, "that were not tried")
	text := "pairs of paths: " + strings.Join(list, ", ")
	switch {
	case len(list) == 0:
		text = cmp.Or(p.why, "no shape was tried for both paths")
	case p.why != "":
		text += "; " + p.why
	}
	return text
}

// A candidate is two accesses of two paths. If after is set, the second path is one that follows
// the first one in the same run.
type candidate struct{ of [2]use }

// A use is an access in a path.
type use struct {
	path   *path
	access *access
}

// maxCandidates bounds the candidates of a potential race that wait.
const maxCandidates = 256

// An index knows the accesses of paths by what they access.
type index struct {
	uses  map[place][]use
	alike map[likeness]int // number of uses
	names *run.Names
}

// concurrent reports whether two accesses are not in order because one goroutine starts the other one after its access.
func concurrent(names *run.Names, u, v use) bool { return follows(names, u, v) && follows(names, v, u) }

// follows reports whether the access u does not come before its goroutine starts that of v, if it does.
func follows(names *run.Names, u, v use) bool {
	for g := v.path.goroutine; g != nobody; g = names.Parent(g) {
		if names.Parent(g) == u.path.goroutine {
			return slices.Contains(u.path.spawned[:u.access.spawned], g)
		}
	}
	return true
}

// A place is an object, in a shape.
type place struct {
	shape  uint64
	object run.ObjectID
}

// A likeness is what uses have in common that need not all be tried.
type likeness struct {
	place     place
	goroutine int32
	site      run.SiteID
	offset    int32
	write     bool
	locks     uint64
}

// maxAlike bounds the uses that are alike.
const maxAlike = 4

// add adds a path, and calls found for each pair of its accesses and those of other goroutines that may race.
func (x *index) add(p *path, found func(use, use)) {
	for i := range p.accesses {
		a := &p.accesses[i]
		at := place{p.of.shape, a.object}
		sum := newChain()
		for _, l := range a.locks {
			shared := uint64(0)
			if l.shared {
				shared = 1
			}
			sum = sum.and(uint64(l.object.Goroutine), uint64(l.object.Count), uint64(l.offset), shared)
		}
		key := likeness{at, p.goroutine, a.site, a.offset, a.write, uint64(sum)}
		if x.alike[key]++; x.alike[key] > maxAlike {
			continue
		}
		mine := use{p, a}
		for _, u := range x.uses[at] {
			if u.path.goroutine != p.goroutine && a.races(u.access) && concurrent(x.names, u, mine) {
				found(u, mine)
			}
		}
		x.uses[at] = append(x.uses[at], mine)
	}
}

// sequential calls found for the accesses of a path and of one after it in the same run that may
// race. An object that the first goroutine has allocated and shared cannot be accessed by the
// second one while the first one still holds a lock with which the second one has come to it.
func sequential(names *run.Names, p, q *path, found func(use, use)) {
	for i := range p.accesses {
		for j := range q.accesses {
			a, b := &p.accesses[i], &q.accesses[j]
			if u, v := (use{p, a}), (use{q, b}); a.races(b) && !exclusive(a.guard, q.got[a.object]) && concurrent(names, u, v) {
				found(u, v)
			}
		}
	}
}
