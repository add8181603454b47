package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/strategy/exhaustive"
	"github.com/everyway-go/everyway/internal/strategy/random"
)

// suiteSize is the number of programs that the strategies are compared on.
func suiteSize() int {
	if testing.Short() {
		return 40
	}
	return 520
}

// countable reports whether a search of p is to make exactly as many complete
// runs as p has classes. The machine takes some operations on channels and
// read-write locks to be dependent, or not, where Classes does not; and a failure
// ends a run for some classes at once.
func countable(p *Program, r *Result) bool {
	if p.Mode == Racy || len(p.Chans) > 0 || p.RWs > 0 {
		return false
	}
	for _, o := range r.Outcomes {
		if !strings.HasPrefix(o, "ok") && !strings.HasPrefix(o, Leak) && !strings.HasPrefix(o, Deadlock) {
			return false
		}
	}
	return true
}

// maxClasses bounds the programs that strategies are compared on: a search has
// a run for each class at least.
const maxClasses = 400

// generateSuite returns n programs and what they do.
func generateSuite(t *testing.T, n int) (programs []*Program, results []*Result) {
	t.Helper()
	for seed := uint64(0); len(programs) < n; seed++ {
		p := Generate(seed/2, Mode(seed%2))
		if _, err := Classes(p, maxClasses); err != nil {
			continue
		}
		r, err := Enumerate(p, 1e6)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		programs = append(programs, p)
		results = append(results, r)
	}
	return programs, results
}

// TestExhaustive compares exhaustive search with the enumerator.
func TestExhaustive(t *testing.T) {
	programs, results := generateSuite(t, suiteSize())
	s := loadSuite(t, programs)
	runs, redundant, holds, counted := 0, 0, 0, 0
	for i := range programs {
		want := results[i]
		f, err := s.player(t, i).search(t.Context(), exhaustive.New(exhaustive.Options{}), 100000)
		if err != nil {
			t.Errorf("%v\n%s", err, describe(s, i))
			continue
		}
		runs += f.runs
		redundant += f.status.Redundant
		if !want.Fails() {
			holds++
		}
		if !f.status.Exhausted {
			t.Errorf("%s: not exhausted: %v", describe(s, i), f.status.Open)
		}
		if got := slices.Sorted(maps.Keys(f.outcomes)); !slices.Equal(got, want.Outcomes) {
			t.Errorf("%s\noutcomes %q\n    want %q", describe(s, i), got, want.Outcomes)
		}
		branches := map[Branch]bool{}
		for b := range want.Degree {
			branches[b] = true
		}
		if !maps.Equal(f.covered, branches) {
			t.Errorf("%s\ncovered %v\n   want %v", describe(s, i), f.covered, branches)
		}
		if f.race != want.Race {
			t.Errorf("%s\nrace %v, want %v", describe(s, i), f.race, want.Race)
		}
		if countable(programs[i], want) {
			counted++
			classes, err := Classes(programs[i], maxClasses)
			if err != nil || f.complete != classes {
				t.Errorf("%s\n%d runs, want one for each of %d classes (%v)", describe(s, i), f.complete, classes, err)
			}
		}
	}
	t.Logf("%d programs, %d of them hold; %d runs, %d of them redundant; one run for each class in %d programs",
		len(programs), holds, runs, redundant, counted)
}

// TestRandom checks that what random runs do can be done, and that they find
// most of it.
func TestRandom(t *testing.T) {
	programs, results := generateSuite(t, 40)
	s := loadSuite(t, programs)
	found, all := 0, 0
	for i := range programs {
		want := results[i]
		f, err := s.player(t, i).search(t.Context(), random.New(random.Options{Seed: 1, Runs: 50}), 100)
		if err != nil {
			t.Errorf("%v\n%s", err, describe(s, i))
			continue
		}
		for o := range f.outcomes {
			if !slices.Contains(want.Outcomes, o) {
				t.Errorf("outcome %q, want one of %q\n%s", o, want.Outcomes, describe(s, i))
			}
		}
		if f.race && !want.Race {
			t.Errorf("a race is reported and there is none\n%s", describe(s, i))
		}
		found += len(f.outcomes)
		all += len(want.Outcomes)
	}
	t.Logf("%d of %d outcomes", found, all)
	if found < all/2 {
		t.Errorf("only %d of %d outcomes", found, all)
	}
}

// describe names program i of the suite and shows its source.
func describe(s *suite, i int) string {
	p := s.programs[i]
	text, _ := Source("p", []*Program{p})
	return fmt.Sprintf("the %v program of seed %d:\n%s", p.Mode, p.Seed, text)
}
