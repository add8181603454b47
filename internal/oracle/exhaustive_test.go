package oracle

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/strategy/exhaustive"
)

// suiteSize is the number of programs that the strategies are compared on.
func suiteSize() int {
	if testing.Short() {
		return 40
	}
	return 520
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
	runs, redundant, holds := 0, 0, 0
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
	}
	t.Logf("%d programs, %d of them hold; %d runs, %d of them redundant", len(programs), holds, runs, redundant)
}

// describe names program i of the suite and shows its source.
func describe(s *suite, i int) string {
	p := s.programs[i]
	text, _ := Source("p", []*Program{p})
	return fmt.Sprintf("the %v program of seed %d:\n%s", p.Mode, p.Seed, text)
}
