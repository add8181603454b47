package oracle

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
)

// features are what programs can have beside the statements that all have.
var features = []struct {
	name string
	Config
}{
	{"time", Config{Time: true}},
	{"maps", Config{Maps: true}},
}

// TestFeatures compares what the exhaustive search finds with what the enumerator says, for
// programs with more in them.
func TestFeatures(t *testing.T) {
	for _, f := range features {
		t.Run(f.name, func(t *testing.T) {
			var programs []*Program
			var results []*Result
			n := sample.Size(600, 200, 30)
			for seed := uint64(0); len(programs) < n; seed++ {
				cfg := f.Config
				cfg.Mode = Mode(seed % 2)
				p := Generate(seed, cfg)
				if r, err := Enumerate(p, 20000); err == nil {
					programs, results = append(programs, p), append(results, r)
				}
			}
			s := loadSuite(t, programs)
			for i, want := range results {
				p := s.player(t, i)
				f, err := p.search(t.Context(), hyperconcolic.New(hyperconcolic.Options{Names: p.machine.Names}), 20000)
				if err != nil {
					t.Errorf("%v\n%s", err, describe(s, i))
					continue
				}
				if what := f.difference(want); what != "" {
					t.Errorf("%s\n%s", what, describe(s, i))
				}
			}
		})
	}
}

// difference says how f differs from what it should be, "" if it does not.
func (f *found) difference(want *Result) string {
	if !f.status.Exhausted {
		return fmt.Sprintf("not exhausted: %v", f.status.Open)
	}
	if got := slices.Sorted(maps.Keys(f.outcomes)); !slices.Equal(got, want.Outcomes) {
		return fmt.Sprintf("outcomes %q\n    want %q", got, want.Outcomes)
	}
	if f.race != want.Race {
		return fmt.Sprintf("race %v, want %v", f.race, want.Race)
	}
	return ""
}
