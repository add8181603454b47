package section

import (
	"sort"

	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// A Lock is the sections of a lock.
type Lock struct {
	sections map[schedule.GoroutineID][]*Section // of each goroutine, in order
	order    []schedule.GoroutineID              // that have sections
	open     []*Section
}

// A Section is what a goroutine does between the acquisition and the release of a lock.
type Section struct {
	Acquired  vectorclock.Epoch
	Order     int64 // of the acquisition
	Shared    bool
	Release   ideal.Stamp // the zero Stamp if it has not ended
	goroutine schedule.GoroutineID
	depth     int   // of a reentrant lock
	nested    bool  // the goroutine has held the lock before, for reading
	exclusive int64 // order of the last section of the goroutine so far that is not shared; -1 if there is none
}

// Kept are the sections of a lock that an ideal has.
type Kept struct {
	Last, LastExclusive int64      // Order of the last one, and of the last one that is not shared; -1 if there is none
	Open                []*Section // whose releases it does not have
}

// acquire begins a section.
func (l *Lock) acquire(e *schedule.Event, at vectorclock.Epoch) {
	s := &Section{goroutine: e.Goroutine, Acquired: at, Order: e.Order, Shared: e.Op == schedule.RLock, exclusive: -1, depth: 1}
	for _, o := range l.open {
		if o.goroutine == e.Goroutine {
			if !o.Shared {
				o.depth++
				return
			}
			s.nested = true
		}
	}
	list := l.sections[e.Goroutine]
	if list == nil {
		l.order = append(l.order, e.Goroutine)
	} else {
		s.exclusive = list[len(list)-1].exclusive
	}
	if !s.Shared {
		s.exclusive = e.Order
	}
	l.sections[e.Goroutine] = append(list, s)
	l.open = append(l.open, s)
}

// releases ends the section that e releases: one of its goroutine, if there is any.
func (l *Lock) releases(e *schedule.Event, stamp ideal.Stamp) {
	found := -1
	for i, s := range l.open {
		if s.Shared == (e.Op == schedule.RUnlock) && (found < 0 || s.goroutine == e.Goroutine) {
			found = i
		}
	}
	if found < 0 {
		return
	}
	s := l.open[found]
	if s.depth--; s.depth > 0 {
		return
	}
	s.Release = stamp
	l.open = append(l.open[:found], l.open[found+1:]...)
}

// kept returns the sections of a goroutine whose acquisitions an ideal has.
func (l *Lock) kept(g schedule.GoroutineID, c vectorclock.Clock) []*Section {
	list := l.sections[g]
	return list[:sort.Search(len(list), func(i int) bool { return !list[i].Acquired.Before(c) })]
}

// Kept adds the sections that an ideal has to k, whose Open is taken to be empty.
func (l *Lock) Kept(c vectorclock.Clock, k *Kept) {
	k.Last, k.LastExclusive = -1, -1
	for _, g := range l.order {
		list := l.kept(g, c)
		if len(list) == 0 {
			continue
		}
		s := list[len(list)-1]
		k.Last, k.LastExclusive = max(k.Last, s.Order), max(k.LastExclusive, s.exclusive)
		for i := len(list) - 1; i >= 0; i-- {
			s := list[i]
			if s.Release.Time == 0 || !s.Release.Before(c) {
				k.Open = append(k.Open, s)
			}
			if !s.nested {
				break // those before it have been released before it
			}
		}
	}
}

// Overtaken reports whether the ideal has a later section that excludes s.
func (k *Kept) Overtaken(s *Section) bool {
	return s.Order < k.LastExclusive || !s.Shared && s.Order < k.Last
}

// forget drops the sections that have ended. Of the others r knows the goroutines, and has forgotten when they began.
func (l *Lock) forget(r *ideal.Relation) {
	clear(l.sections)
	l.order = l.order[:0]
	for _, s := range l.open {
		if l.sections[s.goroutine] == nil {
			l.order = append(l.order, s.goroutine)
		}
		l.sections[s.goroutine] = append(l.sections[s.goroutine], s)
		s.Acquired = vectorclock.Epoch{Goroutine: r.Epoch(s.goroutine).Goroutine}
	}
}
