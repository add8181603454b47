package syncp

import (
	"sort"

	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// A lock is the sections of a lock.
type lock struct {
	sections map[schedule.GoroutineID][]*section // of each goroutine, in order
	order    []schedule.GoroutineID              // that have sections
	open     []*section
}

// A section is what a goroutine does between the acquisition and the release of a lock.
type section struct {
	goroutine schedule.GoroutineID
	acquired  vectorclock.Epoch
	order     int64 // of the acquisition
	shared    bool
	depth     int   // of a reentrant lock
	nested    bool  // the goroutine has held the lock before, for reading
	exclusive int64 // order of the last section of the goroutine so far that is not shared; -1 if there is none
	release   ideal.Stamp
}

// acquire begins a section.
func (l *lock) acquire(e *schedule.Event, at vectorclock.Epoch) {
	s := &section{goroutine: e.Goroutine, acquired: at, order: e.Order, shared: e.Op == schedule.RLock, exclusive: -1, depth: 1}
	for _, o := range l.open {
		if o.goroutine == e.Goroutine {
			if !o.shared {
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
	if !s.shared {
		s.exclusive = e.Order
	}
	l.sections[e.Goroutine] = append(list, s)
	l.open = append(l.open, s)
}

// releases ends the section that e releases: one of its goroutine, if there is any.
func (l *lock) releases(e *schedule.Event, stamp ideal.Stamp) {
	found := -1
	for i, s := range l.open {
		if s.shared == (e.Op == schedule.RUnlock) && (found < 0 || s.goroutine == e.Goroutine) {
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
	s.release = stamp
	l.open = append(l.open[:found], l.open[found+1:]...)
}

// kept returns the sections of a goroutine whose acquisitions an ideal has.
func (l *lock) kept(g schedule.GoroutineID, c vectorclock.Clock) []*section {
	list := l.sections[g]
	return list[:sort.Search(len(list), func(i int) bool { return !list[i].acquired.Before(c) })]
}

// close adds to an ideal the releases that the sections in it need. It reports whether it has
// added any.
func (l *lock) close(c *vectorclock.Clock) (added bool) {
	last, exclusive := int64(-1), int64(-1) // acquisition in the ideal
	for _, g := range l.order {
		if list := l.kept(g, *c); len(list) > 0 {
			s := list[len(list)-1]
			last, exclusive = max(last, s.order), max(exclusive, s.exclusive)
		}
	}
	for _, g := range l.order {
		list := l.kept(g, *c)
		for i := len(list) - 1; i >= 0; i-- {
			s := list[i]
			if (s.order < exclusive || !s.shared && s.order < last) && !s.release.Before(*c) {
				s.release.AddTo(c)
				added = true
			}
			if !s.nested {
				break // those before it have been released before it
			}
		}
	}
	return added
}

// forget drops the sections that have ended.
func (l *lock) forget() {
	clear(l.sections)
	l.order = l.order[:0]
	for _, s := range l.open {
		if l.sections[s.goroutine] == nil {
			l.order = append(l.order, s.goroutine)
		}
		l.sections[s.goroutine] = append(l.sections[s.goroutine], s)
	}
}
