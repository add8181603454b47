package conflict

import (
	"slices"
	"sort"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/internal/analysis/cells"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// maxAccesses is how many accesses to a cell, by a goroutine that holds the same locks, are kept.
const maxAccesses = 1 << 10

// A Verdict is what is decided about a pair.
type Verdict uint8

// The verdicts.
const (
	None  Verdict = iota // no race is known
	Never                // and the earlier access has none with later events of the goroutine either
	Race
)

// Pairs are the accesses of a schedule so far.
type Pairs struct {
	// Decide is called for a pair, before the relation has taken e into account. Once it has been
	// Race, pairs at the same two places of the program are not asked about again.
	Decide func(a *Access, e *schedule.Event) Verdict
	// Kept is the number of accesses.
	Kept int

	relation *ideal.Relation
	cells    cells.Table[[]*group]
	known    map[analysis.Pair]bool
}

// An Access is an access with what has to be kept for it.
type Access struct {
	vectorclock.Epoch
	Needs ideal.Stamp // of the event before it
	Site  analysis.Site
	kind  access.Kind
}

// A group is the accesses to a cell with the same locks held.
type group struct {
	held       []schedule.Held
	goroutines []*accesses
	index      map[schedule.GoroutineID]*accesses // if there are many
}

// accesses are those of one goroutine.
type accesses struct {
	goroutine schedule.GoroutineID
	list      []Access
	dropped   int                          // accesses before those in list
	first     map[schedule.GoroutineID]int // that can race with later ones of another goroutine; counts those dropped
}

// New returns the accesses before the first event of the schedule that r follows.
func New(r *ideal.Relation, decide func(*Access, *schedule.Event) Verdict) *Pairs {
	return &Pairs{Decide: decide, relation: r, known: make(map[analysis.Pair]bool)}
}

// Access compares an access by a goroutine that holds some locks with those before it, has the
// relation take it into account, and keeps it.
func (p *Pairs) Access(e *schedule.Event, kind access.Kind, held []schedule.Held) {
	at := p.cells.Use(e.Cell())
	groups := *at
	var same *group
	for _, g := range groups {
		if same == nil && equal(g.held, held) {
			same = g
		}
		if p.relation.Exclude(g.held, held) {
			continue
		}
		for _, a := range g.goroutines {
			if a.goroutine != e.Goroutine {
				p.compare(a, e, kind)
			}
		}
	}
	needs := p.relation.Share(e.Goroutine)
	p.relation.Event(e)
	if same == nil {
		same = &group{held: slices.Clone(held)}
		*at = append(groups, same)
	}
	own := same.of(e.Goroutine)
	if len(own.list) == maxAccesses {
		n := maxAccesses / 2
		own.list, own.dropped = slices.Delete(own.list, 0, n), own.dropped+n
		p.Kept -= n
	}
	own.list = append(own.list, Access{Epoch: p.relation.Epoch(e.Goroutine), Needs: needs, Site: analysis.SiteOf(e), kind: kind})
	p.Kept++
}

// fewGoroutines is how many goroutines are looked through for one of them.
const fewGoroutines = 8

// of returns the accesses of a goroutine.
func (g *group) of(id schedule.GoroutineID) *accesses {
	if g.index != nil {
		if a := g.index[id]; a != nil {
			return a
		}
	} else if i := slices.IndexFunc(g.goroutines, func(a *accesses) bool { return a.goroutine == id }); i >= 0 {
		return g.goroutines[i]
	}
	a := &accesses{goroutine: id}
	g.goroutines = append(g.goroutines, a)
	switch {
	case g.index != nil:
		g.index[id] = a
	case len(g.goroutines) > fewGoroutines:
		g.index = make(map[schedule.GoroutineID]*accesses)
		for _, a := range g.goroutines {
			g.index[a.goroutine] = a
		}
	}
	return a
}

// equal reports whether the same locks are held.
func equal(a, b []schedule.Held) bool {
	return slices.EqualFunc(a, b, func(x, y schedule.Held) bool { return x.Cell == y.Cell && x.Shared == y.Shared })
}

// compare has the pairs of e with earlier accesses of another goroutine decided.
func (p *Pairs) compare(a *accesses, e *schedule.Event, kind access.Kind) {
	if n := len(a.list); n == 0 || p.relation.Ordered(a.list[n-1].Epoch, e.Goroutine) {
		return // and so are those before it
	}
	first := max(a.first[e.Goroutine]-a.dropped, 0)
	first += sort.Search(len(a.list)-first, func(i int) bool { return !p.relation.Ordered(a.list[first+i].Epoch, e.Goroutine) })
	now := analysis.SiteOf(e)
	for i := first; i < len(a.list); i++ {
		b := &a.list[i]
		if !access.Conflict(b.kind, kind) {
			continue
		}
		pair, located := analysis.PairOf(&b.Site, &now)
		if located && p.known[pair] {
			continue
		}
		switch p.Decide(b, e) {
		case Race:
			p.known[pair] = located
		case Never:
			if i == first {
				// An access before it could race: it may need fewer sections.
				first++
				if a.first == nil {
					a.first = make(map[schedule.GoroutineID]int)
				}
				a.first[e.Goroutine] = a.dropped + first
			}
		}
	}
}

// Forget drops all accesses.
func (p *Pairs) Forget() {
	p.cells = cells.Table[[]*group]{}
	p.Kept = 0
}
