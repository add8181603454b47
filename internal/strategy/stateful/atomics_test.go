package stateful

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
)

// TestAtomics compares what is found where atomic loads and additions are hidden with what is found
// where all of them are steps.
func TestAtomics(t *testing.T) {
	boot := loadPrograms(t, "testdata/atomics")
	all := Options{ForgetKnowledge: true, ForgetUnread: true, Rename: true, Alike: true, Ahead: true, ForgetUses: true, ForgetAccesses: true, AddsCommute: true}
	for _, tt := range []struct {
		name  string
		want  string // of what is found
		fewer bool   // there are fewer runs
	}{
		{"Settled", "finished", true},
		{"Guarded", "finished", false},
		{"StoredLater", "panic", false},
		{"Decides", "panic", false},
		{"Waits", "finished", false},
		{"Spins", "finished", false},
		{"Forever", "stuck", false},
		{"Published", "finished", false},
		{"PublishedTwice", "finished", false},
		{"Compares", "panic", false},
		{"Alias", "panic", false},
		{"Values", "panic", false},
		{"Plain", "race", false},
		{"Once", "finished", false},
		{"Told", "panic", false},
		{"Counted", "finished", false},
		{"Totals", "finished", true},
		{"TotalsGuarded", "panic", false},
		{"TotalsTwice", "panic", false},
		{"AddedLater", "panic", false},
		{"ToldSum", "panic", false},
		{"Overwritten", "panic", false},
		{"PlainSum", "race", false},
		{"Results", "panic", false},
		{"Summed", "finished", false},
		{"Deferred", "panic", false},
		{"EndsLater", "panic", false},
		{"EndsLaterTold", "panic", false},
		{"StartsLater", "panic", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, o := range []Options{{ForgetKnowledge: true, AddsCommute: true}, all} {
				want, most := endings(t, boot(tt.name), o, false)
				o.HideAtomics = true
				got, runs := endings(t, boot(tt.name), o, false)
				t.Logf("%s: %d runs, %d where they are hidden", got, most, runs)
				if got != want {
					t.Errorf("%+v: found %s, want %s", o, got, want)
				}
				if !strings.Contains(got, tt.want) {
					t.Errorf("%+v: found %s, want %s among them", o, got, tt.want)
				}
				if tt.fewer && runs >= most {
					t.Errorf("%+v: %d runs where they are hidden, and %d where they are not", o, runs, most)
				}
				// Other instances go on.
				if again, _ := endings(t, boot(tt.name), o, true); again != want {
					t.Errorf("%+v: found %s by a search that is restored, want %s", o, again, want)
				}
			}
		})
	}
}

// endings returns how the runs of a search end; see collect.
func endings(t *testing.T, m *vm.Machine, o Options, restores bool) (string, int) {
	t.Helper()
	return collect(t, m, o, 20_000, restores, func(trace *run.Trace, found map[string]bool) (race bool) {
		switch {
		case trace.Panic != nil:
			found["panic "+trace.Panic.Message] = true
		case trace.Stuck != nil:
			found["stuck"] = true
		case trace.Outcome != run.Stopped:
			found[trace.Outcome.String()] = true
		}
		return len(trace.Unordered) > 0
	})
}

// TestAtomicsElsewhere breaks searches off when they have made a load visible. They go on where
// functions have other numbers, and have the same loads visible there.
func TestAtomicsElsewhere(t *testing.T) {
	boot := loadPrograms(t, "testdata/atomics")
	o := Options{ForgetKnowledge: true, HideAtomics: true}
	for _, name := range []string{"PublishedTwice", "Values", "Once", "Counted"} {
		m := boot(name)
		o.Names, o.Sites = m.Names, m
		first := New(o)
		for len(placesOf(m, first)) == 0 {
			if !step(t, m, first) {
				t.Fatalf("%s: the search has ended with all loads hidden, or none", name)
			}
		}
		want := placesOf(m, first)
		other := boot(name)
		for i := range 3 {
			other.SiteOf(fmt.Sprint("unknown", i), 0) // takes a number
		}
		o.Names, o.Sites = other.Names, other
		second := New(o)
		if err := second.Restore(first.Save()); err != nil {
			t.Fatal(err)
		}
		runs := 0
		for step(t, other, second) {
			runs++
		}
		if got := placesOf(other, second); runs == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: after %d more runs loads are visible at %v, want %v", name, runs, got, want)
		}
	}
}

// placesOf returns where a search has loads visible that hides others.
func placesOf(m *vm.Machine, s strategy.Strategy) (list []string) {
	for at := range s.(*search).visible.Atomics {
		name, _ := m.Site(at)
		list = append(list, fmt.Sprint(name, " ", at.Instr))
	}
	slices.Sort(list)
	return list
}
