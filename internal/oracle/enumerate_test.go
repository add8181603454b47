package oracle

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/sample"
)

// TestAgainstNaive compares the two enumerators on random programs.
func TestAgainstNaive(t *testing.T) {
	const all, usual, short = 500, 150, 50
	compared, interleaved := 0, 0
	for seed := range sample.Of(all, usual, short) {
		for _, mode := range []Mode{Guarded, Racy} {
			p := Generate(uint64(seed), Config{Mode: mode})
			naive, err := enumerateNaively(p, sample.Size(3000, 3000, 500))
			if err != nil {
				continue
			}
			got, err := Enumerate(p, 1e6)
			if err != nil {
				t.Fatalf("seed %d, %v: %v", seed, mode, err)
			}
			compared++
			if len(got.Outcomes) > 2 {
				interleaved++
			}
			same := slices.Equal(got.Outcomes, naive.Outcomes) && maps.Equal(got.Degree, naive.Degree) && got.Race == naive.Race
			if !same {
				t.Fatalf("%s\n  enumerated: %q\n              %v race %v\nnaively:      %q\n              %v race %v",
					Describe(p), got.Outcomes, got.Degree, got.Race, naive.Outcomes, naive.Degree, naive.Race)
			}
		}
	}
	t.Logf("%d programs compared, %d of them with more than two outcomes", compared, interleaved)
	if compared < sample.Size(all, usual, short) {
		t.Errorf("only %d programs were small enough", compared)
	}
}

func TestTooLarge(t *testing.T) {
	p := Generate(1, Config{})
	if _, err := Enumerate(p, 1); !errors.Is(err, ErrTooLarge) {
		t.Errorf("Enumerate with a limit of 1 state: error %v, want ErrTooLarge", err)
	}
}
