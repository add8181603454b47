package analysistest

import (
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/schedule"
)

// CheckLeak checks the witness of a leak. Its events are a schedule, but for the select that goes
// another way, or the last two: a signal and the Wait that it does not end. After it the goroutine
// of the last site is at that, and does not go on whatever else of the events happens, as long as
// the goroutine of the select does nothing more.
func CheckLeak(t testing.TB, events []schedule.Event, f *analysis.Finding, rule Rule) {
	t.Helper()
	s := newSearch(slices.Clone(events), rule)
	left := f.Sites[len(f.Sites)-1]
	g := int(left.Goroutine)
	turn, own := len(f.Witness)-2, len(f.Witness)
	var to *analysis.Turn
	for _, site := range f.Sites {
		if site.Turn != nil {
			turn, to = slices.Index(f.Witness, site.Order), site.Turn
		}
	}
	if turn < 0 {
		t.Errorf("the witness of %v is %v", f.Sites, f.Witness)
		return
	}
	for n, o := range f.Witness {
		e := &s.events[o]
		if n == turn {
			// Another goroutine may have sent what is received now.
			if _, ok := s.check(); !ok {
				t.Errorf("the witness of %v is no schedule: %v", f.Sites, f.Witness)
				return
			}
			switch {
			case to != nil:
				*e = schedule.Event{
					Op: to.Op, Goroutine: e.Goroutine, Index: e.Index, Object: to.Cell.Object, Case: schedule.NoCase, Child: schedule.NoGoroutine, Order: e.Order, From: -1,
				}
				if to.Op == schedule.RecvClosed && s.possible(schedule.Event{
					Op: schedule.Recv, Goroutine: e.Goroutine, Index: e.Index, Object: e.Object,
					Case: schedule.NoCase,
				}) {
					e.Op = schedule.Recv
				}
			case e.Child >= 0:
				e.Child = schedule.NoGoroutine // nobody waits yet
			}
		}
		s.path = append(s.path, int(o))
		s.at[e.Goroutine]++
	}
	if s.state() == nil {
		t.Errorf("the witness of %v is no schedule: %v", f.Sites, f.Witness)
		return
	}
	if to != nil {
		other := s.events[f.Witness[turn]].Goroutine
		s.byGoroutine[other] = s.byGoroutine[other][:s.at[other]]
		if next := s.next(g); next == nil || next.Order != left.Order {
			t.Errorf("g%d is not at event %d after the witness of %v: %v", g, left.Order, f.Sites, f.Witness)
			return
		}
	} else if f.Witness[own-1] != left.Order {
		t.Errorf("g%d does not wait after the witness of %v: %v", g, f.Sites, f.Witness)
		return
	}
	// What it does until it waits, such as the release of the lock of a condition.
	for s.next(g) != nil && to == nil && s.next(g).Op != schedule.CondWake {
		s.path = append(s.path, s.byGoroutine[g][s.at[g]])
		s.at[g]++
	}
	if s.goesOn([]int{g}, slices.Clone(s.at), map[string]bool{}) {
		t.Errorf("g%d can go on after the witness of %v: %v", g, f.Sites, f.Witness)
	}
}
