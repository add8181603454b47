package reorder

import (
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/schedule"
)

// A Section is a critical section, from step to step; -1 stands for what is outside of the window.
type Section struct {
	Goroutine        schedule.GoroutineID // that has taken the lock, as Step.Stamp has it
	Acquire, Release int
	Shared           bool
	depth            int
}

// Exclude reports whether two sections of a lock, of different goroutines, cannot overlap.
func (s *Section) Exclude(t *Section) bool {
	return s.Goroutine != t.Goroutine && dependence.Exclude(s.Shared, t.Shared)
}

// Sections returns the critical sections of each lock, as they were begun.
func (w *Window) Sections() [][]*Section {
	index := map[schedule.Cell]int{}
	var lists [][]*Section
	add := func(c schedule.Cell, s *Section) {
		n, ok := index[c]
		if !ok {
			n = len(lists)
			index[c] = n
			lists = append(lists, nil)
		}
		lists[n] = append(lists[n], s)
	}
	open := func(c schedule.Cell, g schedule.GoroutineID, shared bool) *Section {
		if n, ok := index[c]; ok {
			return find(lists[n], g, shared)
		}
		return nil
	}
	for i, h := range w.open {
		add(h.Cell, &Section{Goroutine: w.holders[i].Goroutine, Acquire: -1, Release: -1, Shared: h.Shared, depth: 1})
	}
	for i := range w.Steps {
		s := &w.Steps[i]
		c := s.Site.Cell
		switch s.role {
		case acquires, acquiresR:
			if at := open(c, s.Goroutine, false); at != nil && at.Goroutine == s.Goroutine && s.role == acquires {
				at.depth++
				continue
			}
			add(c, &Section{Goroutine: s.Goroutine, Acquire: i, Release: -1, Shared: s.role == acquiresR, depth: 1})
		case releases, releasesR:
			if at := open(c, s.Goroutine, s.role == releasesR); at != nil {
				if at.depth--; at.depth == 0 {
					at.Release = i
				}
			}
		}
	}
	return lists
}

// find returns the section that is open, one of the goroutine if there is any.
func find(list []*Section, g schedule.GoroutineID, shared bool) (found *Section) {
	for _, s := range list {
		if s.Release < 0 && s.Shared == shared && (found == nil || s.Goroutine == g) {
			found = s
		}
	}
	return found
}
