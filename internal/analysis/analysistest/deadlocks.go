package analysistest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/schedule"
)

// Deadlocks returns the deadlocks of locks, and nothing else, in the orders of some of the events:
// the sets of goroutines, none of them without need, each of which is next to take a lock, and
// cannot as long as the others of the set do nothing. Each is given by what its goroutines hold and
// want.
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

// CheckDeadlock checks the witness of a deadlock: that its events are a schedule, after which the
// goroutines of the last ones wait for each other, and do so whatever else of the events happens.
// It returns the deadlock as [Deadlocks] describes it.
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
	locks := !slices.ContainsFunc(set, func(g int) bool { return !acquires(s.next(g).Op) })
	if locks && !slices.ContainsFunc(s.deadlocks(), func(d []int) bool { return slices.Equal(d, set) }) {
		t.Errorf("goroutines %v do not wait for each other after the witness of %v: %v", set, f.Sites, f.Witness)
	}
	for _, g := range set {
		if s.next(g).Try {
			t.Errorf("g%d waits for no lock after the witness of %v: %v", g, f.Sites, f.Witness)
		}
	}
	if !locks && s.goesOn(set, slices.Clone(s.at), map[string]bool{}) {
		t.Errorf("one of the goroutines %v can go on after the witness of %v: %v", set, f.Sites, f.Witness)
	}
	return s.describe(set)
}

// goesOn reports whether after path one of some goroutines can ever do what it was next to do when each goroutine
// had done as many events as from says, whatever it and others read and receive. A send on a channel
// without a buffer is done when the value has been received.
func (s *search) goesOn(set, from []int, seen map[string]bool) bool {
	key := fmt.Sprint(s.at)
	if seen[key] {
		return false
	}
	seen[key] = true
	state := s.state()
	for _, g := range set {
		if s.at[g] > from[g] && state.Goroutine(schedule.GoroutineID(g)).Sending == 0 {
			return true
		}
	}
	for g := range s.at {
		e := s.next(g)
		if e == nil || !s.possible(*e) ||
			e.Op == schedule.RLock && slices.ContainsFunc(set, func(w int) bool { return s.writes(w, e.Cell()) }) {
			continue
		}
		s.path = append(s.path, s.byGoroutine[g][s.at[g]])
		s.at[g]++
		done := s.goesOn(set, from, seen)
		s.at[g]--
		s.path = s.path[:len(s.path)-1]
		if done {
			return true
		}
	}
	return false
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
		if e.Op == schedule.RLock && s.writes(h, e.Cell()) {
			return true
		}
	}
	return false
}

// writes reports whether g is next to write a RWMutex, for which readers wait.
func (s *search) writes(g int, c schedule.Cell) bool {
	e := s.next(g)
	return e != nil && e.Op == schedule.Lock && !e.Try && e.Lock == schedule.RWMutex && e.Cell() == c
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
