package concurrent

import (
	"iter"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle/kinds"
	"github.com/everyway-go/everyway/internal/sample"
)

// TestCompare compares what the exhaustive searches find with what the enumerator says, for
// programs of each kind.
func TestCompare(t *testing.T) {
	type search struct {
		name string
		Search
		programs iter.Seq[int] // of a kind, by their seeds
		every    int           // one of so many kinds is tried
	}
	searches := []search{
		{"reduced", Reduced, sample.Of(80, 20, 10), 1},
		{"stateful", remembering(t, strings.Join(Words, ",")), sample.Of(80, 20, 10), 1},
		{"accesses", remembering(t, "adds,uses,accesses,names,alike"), sample.Of(40, 10, 5), 2},
	}
	// Each of what the stateful search leaves out alone, and each two of them.
	for i, one := range Words {
		for _, other := range Words[i:] {
			searches = append(searches, search{one + "+" + other, remembering(t, one+","+other), sample.Of(10, 5, 2), 5})
		}
	}
	for i, search := range searches {
		var all []kinds.Kind
		for n, k := range kinds.All {
			// What can be collected has no fingerprints: that takes long.
			if (i+n)%search.every == 0 && !(search.Merges && k.Config.Nodes) {
				all = append(all, k)
			}
		}
		// Most of the time is for loading the programs of a kind.
		for _, k := range sample.Each(all, (len(all)+3)/4, (len(all)+3)/4) {
			t.Run(search.name+"/"+k.Name, func(t *testing.T) {
				var seeds []uint64
				for seed := range search.programs {
					seeds = append(seeds, uint64(seed))
				}
				r, err := Compare(t.Context(), seeds, k.Config, search.Search, false)
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range r.Differences {
					t.Errorf("%s\n%s", d.What, d.Source)
				}
				t.Logf("%d of %d programs compared, %d runs", r.Compared, r.Programs, r.Runs)
				if r.Compared < r.Programs/2 {
					t.Errorf("only %d of %d programs were compared: %v", r.Compared, r.Programs, r.Left)
				}
			})
		}
	}
}

// remembering returns a stateful search with options.
func remembering(t *testing.T, options string) Search {
	t.Helper()
	o, err := ParseOptions(options)
	if err != nil {
		t.Fatal(err)
	}
	return Stateful(o)
}
