package analysistest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/schedule"
)

// Deadlocks returns the deadlocks of locks in the orders of some of the events: the sets of goroutines, none
// of them without need, each of which is next to take a lock, and cannot as long as the others of the set
// do nothing. Each is given by what its goroutines hold and want.
func Deadlocks(t testing.TB, events []schedule.Event, rule Rule) map[string]bool {
	found := map[string]bool{}
	s := newSearch(events, rule)
	s.visit = func() {
		for _, set := range s.deadlocks() {
			found[s.describe(set)] = true
		}
	}
	s.explore()
	return found
}

// CheckDeadlock checks the witness of a deadlock: that its events are a schedule, after which the goroutines of
// the last ones wait for each other. It returns the deadlock as [Deadlocks] describes it.
func CheckDeadlock(t testing.TB, events []schedule.Event, f *analysis.Finding, rule Rule) string {
	t.Helper()
	var goroutines []schedule.GoroutineID
	for _, site := range f.Sites {
		if !slices.Contains(goroutines, site.Goroutine) {
			goroutines = append(goroutines, site.Goroutine)
		}
	}
	n := len(f.Witness) - len(goroutines)
	if n < 0 {
		t.Errorf("the witness of %v is %v", f.Sites, f.Witness)
		return ""
	}
	s := newSearch(events, rule)
	for _, o := range f.Witness[:n] {
		s.path = append(s.path, int(o))
		s.at[events[o].Goroutine]++
	}
	if _, ok := s.check(); !ok {
		t.Errorf("the witness of %v is no schedule: %v", f.Sites, f.Witness)
		return ""
	}
	var set []int
	for _, o := range f.Witness[n:] {
		g := int(events[o].Goroutine)
		if next := s.next(g); next == nil || next.Order != o {
			t.Errorf("g%d is not at event %d after the witness of %v: %v", g, o, f.Sites, f.Witness)
			return ""
		}
		set = append(set, g)
	}
	slices.Sort(set)
	if !slices.ContainsFunc(s.deadlocks(), func(d []int) bool { return slices.Equal(d, set) }) {
		t.Errorf("goroutines %v do not wait for each other after the witness of %v: %v", set, f.Sites, f.Witness)
	}
	return s.describe(set)
}

// deadlocks returns the least sets of goroutines that wait for each other after path.
func (s *search) deadlocks() [][]int {
	state := s.state()
	var found [][]int
	for set := uint(1); set < 1<<len(s.at); set++ {
		var list []int
		for g := range s.at {
			if set>>g&1 != 0 {
				list = append(list, g)
			}
		}
		contains := func(d []int) bool {
			return !slices.ContainsFunc(d, func(g int) bool { return !slices.Contains(list, g) })
		}
		waits := !slices.ContainsFunc(list, func(g int) bool { return !s.waits(state, g, list) })
		if waits && !slices.ContainsFunc(found, contains) {
			found = append(found, list)
		}
	}
	return found
}

// waits reports whether g is next to take a lock that others of a set keep it from taking. Sets come
// before those that contain them.
func (s *search) waits(state *schedule.State, g int, set []int) bool {
	e := s.next(g)
	if e == nil || !acquires(e.Op) || e.Try {
		return false
	}
	for _, h := range set {
		if h == g {
			continue
		}
		for _, held := range heldBy(state, h) {
			if held.Cell == e.Cell() && (e.Op == schedule.Lock || !held.Shared) {
				return true
			}
		}
		if w := s.next(h); e.Op == schedule.RLock && w != nil && w.Op == schedule.Lock && !w.Try && w.Lock == schedule.RWMutex && w.Cell() == e.Cell() {
			return true // for a writer that waits
		}
	}
	return false
}

// describe says what goroutines hold and want after path.
func (s *search) describe(set []int) string {
	state := s.state()
	var text []string
	for _, g := range set {
		var held []string
		for _, h := range heldBy(state, g) {
			held = append(held, fmt.Sprint(h.Cell, h.Shared))
		}
		text = append(text, fmt.Sprint("g", g, held, " ", s.next(g).Op.Word(), " ", s.next(g).Cell()))
	}
	return strings.Join(text, ", ")
}

// heldBy returns the locks that a goroutine holds, which may not have been started.
func heldBy(state *schedule.State, g int) []schedule.Held {
	if g >= state.Goroutines() {
		return nil
	}
	return state.Goroutine(schedule.GoroutineID(g)).Held
}
