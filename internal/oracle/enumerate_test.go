package oracle_test

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/kinds"
	"github.com/everyway-go/everyway/internal/sample"
)

// TestAgainstNaive compares the two enumerators on random programs.
func TestAgainstNaive(t *testing.T) {
	for _, c := range []struct {
		name              string
		cfg               kinds.Config
		all, usual, short int
		degrees           bool // are comparable: a step has one interference at most
		small             int  // one program in so many is small enough, at least
	}{
		{"plain", kinds.Config{}, 500, 150, 50, true, 1},
		{"logs", kinds.Config{Logs: true}, 500, 100, 30, true, 1},
		{"maps", kinds.Config{Maps: true}, 100, 30, 10, true, 1},
		{"nodes", kinds.Config{Nodes: true}, 300, 80, 20, false, 2},
		{"time", kinds.Config{Time: true, Clock: true, Parks: true}, 300, 60, 20, false, 1},
		{"bubbles", kinds.Config{Time: true, Clock: true, Parks: true, Bubble: true}, 500, 100, 20, false, 1},
		{"half a unit of stall", kinds.Config{Time: true, Clock: true, Parks: true, Stall: oracle.Unit / 2}, 100, 20, 5, false, 4},
		{"polls", kinds.Config{Polls: true, Parks: true, Stall: oracle.Unit - 1}, 300, 60, 20, false, 4},
		{"two units of stall", kinds.Config{Time: true, Clock: true, Parks: true, Stall: 2 * oracle.Unit}, 100, 20, 5, false, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			compared, interleaved, raced := 0, 0, 0
			for seed := range sample.Of(c.all, c.usual, c.short) {
				for _, c.cfg.Mode = range []oracle.Mode{oracle.Guarded, oracle.Racy} {
					p := kinds.Generate(uint64(seed), c.cfg)
					naive, err := oracle.EnumerateNaively(p, sample.Size(3000, 3000, 500))
					if err != nil {
						continue
					}
					got, err := oracle.Enumerate(p, 1e6)
					if err != nil {
						t.Fatalf("seed %d, %v: %v", seed, c.cfg.Mode, err)
					}
					compared++
					if len(got.Outcomes) > 2 {
						interleaved++
					}
					if got.Race {
						raced++
					}
					same := slices.Equal(got.Outcomes, naive.Outcomes) && got.Race == naive.Race
					if c.degrees {
						same = same && maps.Equal(got.Degree, naive.Degree)
					} else {
						same = same && slices.Equal(branches(got), branches(naive))
					}
					if !same {
						t.Fatalf("%s\n  enumerated: %q\n              %v race %v\nnaively:      %q\n              %v race %v",
							oracle.Describe(p), got.Outcomes, got.Degree, got.Race, naive.Outcomes, naive.Degree, naive.Race)
					}
				}
			}
			t.Logf("%d programs compared, %d of them with more than two outcomes, %d with a race", compared, interleaved, raced)
			if compared < sample.Size(c.all, c.usual, c.short)/c.small {
				t.Errorf("only %d programs were small enough", compared)
			}
		})
	}
}

// branches returns the branches that can be covered, in order.
func branches(r *oracle.Result) []oracle.Branch {
	return slices.SortedFunc(maps.Keys(r.Degree), func(a, b oracle.Branch) int { return cmp.Compare(a.String(), b.String()) })
}

func TestTooLarge(t *testing.T) {
	p := kinds.Generate(1, kinds.Config{})
	if _, err := oracle.Enumerate(p, 1); !errors.Is(err, oracle.ErrTooLarge) {
		t.Errorf("Enumerate with a limit of 1 state: error %v, want ErrTooLarge", err)
	}
}
