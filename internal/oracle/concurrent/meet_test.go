package concurrent

import (
	"maps"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/kinds"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
)

// shownBy are seeds of programs that have shown mistakes in what a search does where goroutines meet.
var shownBy = []uint64{22058, 26490, 27165, 27498, 28877, 30250, 31868, 105319, 107070}

// TestMeetings checks that programs whose goroutines meet on channels without a buffer have a run
// for each class and, where that can be told, no more.
func TestMeetings(t *testing.T) {
	n := sample.Size(3000, 300, 60)
	var programs []*oracle.Program
	for i := 0; len(programs) < n; i++ {
		seed := uint64(i)
		if i < len(shownBy) {
			seed = shownBy[i]
		}
		p := kinds.Generate(seed, kinds.Config{Mode: oracle.Mode(seed % 2), Meets: true})
		if classes, err := oracle.Classes(p, maxClasses); err == nil && classes > 2 {
			programs = append(programs, p)
		}
	}
	s := load(t, programs)
	runs, redundant, counted := 0, 0, 0
	for i, program := range programs {
		want, err := oracle.Enumerate(program, 1e6)
		if err != nil {
			t.Fatalf("%v\n%s", err, describe(s, i))
		}
		p := player(t, s, i)
		f, err := p.Search(t.Context(), hyperconcolic.New(hyperconcolic.Options{Names: p.Machine.Names}), 100000)
		if err != nil {
			t.Errorf("%v\n%s", err, describe(s, i))
			continue
		}
		runs += f.Runs
		redundant += f.Status.Redundant
		if got := slices.Sorted(maps.Keys(f.Outcomes)); !f.Status.Exhausted || !slices.Equal(got, want.Outcomes) || f.Race != want.Race {
			t.Errorf("%s\noutcomes %q, race %v, exhausted %v\n    want %q, %v", describe(s, i), got, f.Race, f.Status.Exhausted, want.Outcomes, want.Race)
		}
		exact := countable(program, want)
		if exact {
			counted++
		}
		classes, err := oracle.Classes(program, maxClasses)
		if err != nil || f.Complete < classes || exact && f.Complete > classes {
			t.Errorf("%s\n%d runs, want one for each of %d classes (%v)", describe(s, i), f.Complete, classes, err)
		}
	}
	t.Logf("%d programs, %d runs, %d of them redundant; no more than one for each class in %d programs", len(programs), runs, redundant, counted)
	if redundant > runs/20 {
		t.Errorf("%d of %d runs were in vain", redundant, runs)
	}
}
