package guided

import (
	"maps"
	"slices"
	"sync"

	"github.com/everyway-go/everyway/internal/strategy"
)

// A system is an abstract system (section 4.2): the locations that matter for whether some locations are reached.
// It is a directed graph.
type system struct {
	guide strategy.Guide
	mu    sync.Mutex                 // of what is computed on first use
	in    map[strategy.Location]bool // L_α
	order []strategy.Location        // its elements, in the order in which they were added

	next map[strategy.Location][]strategy.Location // E_α, computed on first use; nil when in has changed
	// sides has what has been asked of side.
	sides map[[2]strategy.Location]strategy.Side
}

// newSystem returns the abstract system of locations.
func newSystem(guide strategy.Guide, targets []strategy.Location) *system {
	s := &system{guide: guide, in: make(map[strategy.Location]bool)}
	s.add(targets...)
	return s
}

// add adds locations, and what equations 1 to 4 add because of them.
func (s *system) add(locations ...strategy.Location) {
	work := slices.Clone(locations)
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		if l == strategy.NoLocation || s.in[l] {
			continue
		}
		s.in[l] = true
		s.order = append(s.order, l)
		s.next = nil
		// Equation 1: the calls that lead to the function, and where that starts.
		start := s.guide.Start(l)
		work = append(work, start)
		if l == start {
			work = append(work, s.guide.Callers(l)...)
		}
		// Equation 2: the branches on which it depends whether l is reached.
		for _, d := range s.guide.Dependences(l) {
			work = append(work, d.Branch)
		}
		// Equation 3: what defines the variables of a branch.
		if s.guide.IsBranch(l) {
			work = append(work, s.guide.Definitions(l)...)
		}
		// Equation 4: locks that are taken on the way to l, and given back after.
		work = append(work, s.guide.Acquisitions(l)...)
		work = append(work, s.guide.Releases(l)...)
	}
}

// with returns a system that has some more locations: s itself if it has them.
func (s *system) with(locations []strategy.Location) *system {
	if !slices.ContainsFunc(locations, func(l strategy.Location) bool { return !s.in[l] }) {
		return s
	}
	more := &system{guide: s.guide, in: maps.Clone(s.in), order: slices.Clone(s.order)}
	more.add(locations...)
	return more
}

// edges returns where one comes next from a location of the system: the locations of equation 5, in its function, and,
// of a call, the starts of equation 6.
func (s *system) edges(l strategy.Location) []strategy.Location {
	if s.next == nil {
		s.next = make(map[strategy.Location][]strategy.Location)
		calls := make(map[strategy.Location][]strategy.Location)
		for _, m := range s.order {
			if s.guide.Start(m) == m {
				for _, call := range s.guide.Callers(m) {
					calls[call] = append(calls[call], m)
				}
			}
		}
		for _, m := range s.order {
			list := slices.Clone(calls[m])
			list = append(list, s.guide.Followers(m, func(l strategy.Location) bool { return s.in[l] })...)
			slices.Sort(list)
			s.next[m] = slices.Compact(list)
		}
	}
	return s.next[l]
}

// side returns the side of a branch that leads to a location of the same function: AnySide if both or neither do.
func (s *system) side(branch, to strategy.Location) strategy.Side {
	key := [2]strategy.Location{branch, to}
	if side, ok := s.sides[key]; ok {
		return side
	}
	// Nested dependences count, too.
	found, both := strategy.AnySide, false
	seen := map[strategy.Location]bool{to: true}
	for work := []strategy.Location{to}; len(work) > 0; {
		l := work[0]
		work = work[1:]
		for _, d := range s.guide.Dependences(l) {
			if d.Branch == branch {
				both = both || found != strategy.AnySide && found != d.Side
				found = d.Side
				continue
			}
			if !seen[d.Branch] {
				seen[d.Branch] = true
				work = append(work, d.Branch)
			}
		}
	}
	if both {
		found = strategy.AnySide
	}
	if s.sides == nil {
		s.sides = make(map[[2]strategy.Location]strategy.Side)
	}
	s.sides[key] = found
	return found
}
