package analysistest

import (
	"context"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/schedule"
)

// FindAll returns all findings of a detector in a schedule. No findings are taken together.
func FindAll(t testing.TB, info analysis.Info, events []schedule.Event, window int) []*analysis.Finding {
	t.Helper()
	var found []*analysis.Finding
	state := schedule.NewState(schedule.NewTable())
	d := info.New(analysis.Config{
		State: state, Table: schedule.NewTable(), Limits: analysis.Limits{Window: window},
		Report: func(f *analysis.Finding) { found = append(found, f) },
	})
	for i := range events {
		e := events[i].Clone()
		if err := state.Next(&e); err != nil {
			t.Fatal(err)
		}
		if err := d.Event(context.Background(), &e); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	return found
}

// FindPairs returns all pairs of events that a detector reports in a schedule, as [Races] returns them,
// with the first finding of each.
func FindPairs(t testing.TB, info analysis.Info, events []schedule.Event, window int) map[[2]int64]*analysis.Finding {
	t.Helper()
	pairs := map[[2]int64]*analysis.Finding{}
	for _, f := range FindAll(t, info, events, window) {
		a, b := f.Sites[0].Order, f.Sites[1].Order
		if key := [2]int64{min(a, b), max(a, b)}; pairs[key] == nil {
			pairs[key] = f
		}
	}
	return pairs
}

// CheckWitness checks the witness of a finding: that its events are a valid schedule, in which, but
// for the last two, which race, every read sees what it has seen in the schedule.
func CheckWitness(t testing.TB, events []schedule.Event, f *analysis.Finding, rule Rule) {
	t.Helper()
	n := len(f.Witness)
	if n < 2 || f.Witness[n-2] != f.Sites[0].Order && f.Witness[n-2] != f.Sites[1].Order {
		t.Errorf("the witness of %v is %v", f.Sites, f.Witness)
		return
	}
	if !Allowed(events, f.Witness[:n-2], f.Witness[n-2], rule) || !Allowed(events, f.Witness[:n-2], f.Witness[n-1], rule) {
		t.Errorf("the witness of %v is no schedule: %v", f.Sites, f.Witness)
	}
}

// Allowed reports whether some of the events of a schedule, each by its Order, are one that a rule
// allows, after which event next is possible.
func Allowed(events []schedule.Event, order []int64, next int64, rule Rule) bool {
	s := &search{events: events, rule: rule}
	for _, o := range order {
		s.path = append(s.path, int(o))
	}
	_, ok := s.check()
	return ok && s.possible(events[next])
}
