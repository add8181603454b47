package stateful_test

import (
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle/concurrent"
	"github.com/everyway-go/everyway/internal/oracle/kinds"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/strategy/stateful"
)

// TestCompared makes all comparisons of steps that are left out since they have been made before,
// and compares what is found then with what an enumerator says.
func TestCompared(t *testing.T) {
	n := uint64(sample.Size(60, 8, 4))
	for _, kind := range kinds.All {
		if !slices.Contains([]string{"stall", "counters", "closes", "leaders"}, kind.Name) {
			continue // those have few orders
		}
		t.Run(kind.Name, func(t *testing.T) {
			for _, o := range []stateful.Options{
				{Ahead: true},
				{ForgetKnowledge: true, Rename: true, Alike: true, Ahead: true, ForgetUses: true, ForgetAccesses: true, AddsCommute: true},
			} {
				var seeds []uint64
				for seed := range n {
					seeds = append(seeds, 61_000+seed)
				}
				r, err := concurrent.Compare(t.Context(), seeds, kind.Config, concurrent.Stateful(o.Checking()), false)
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range r.Differences {
					t.Errorf("%+v: seed %d: %s", o, d.Seed, d.What)
				}
				t.Logf("%d of %d compared, %d runs", r.Compared, r.Programs, r.Runs)
			}
		})
	}
}
