package walk

import (
	"math"
	"testing"
	"time"
)

// TestGain checks that summaries are walked if runs take less time with them, and otherwise only to measure that.
func TestGain(t *testing.T) {
	for _, test := range []struct {
		name        string
		with        time.Duration // for a run with all trees; it is 100 µs without
		tree        time.Duration // for making each of 40 trees
		least, most int           // percent of the runs that are made without
		lost        float64       // of the time, at most
		gain        float64
	}{
		{"less time", 60 * time.Microsecond, 100 * time.Microsecond, 0, 5, 0, 0.4},
		{"more time", 140 * time.Microsecond, 100 * time.Microsecond, 95, 100, 0.02, -0.4},
		{"the same time", 100 * time.Microsecond, 100 * time.Microsecond, 95, 100, 0.01, 0},
		{"trees that take long", 60 * time.Microsecond, 2 * time.Millisecond, 0, 5, 0, 0.4},
		{"trees that take long, for nothing", 100 * time.Microsecond, 2 * time.Millisecond, 90, 100, 0.02, 0},
	} {
		w, a := &Walker{}, &Gain{}
		const n, trees = 200_000, 40
		without, made := 0, 0
		var total time.Duration
		for range n {
			a.Begin(w)
			took := 100 * time.Microsecond
			if w.Off {
				without++
			} else {
				took += (test.with - took) * time.Duration(made) / trees
			}
			if made < trees {
				w.asked = true
				if !w.Sparing {
					made++
					w.made = test.tree
					took += w.made
				}
			}
			total += took
			a.End(w, 1000, took)
		}
		if percent := 100 * without / n; percent < test.least || percent > test.most {
			t.Errorf("%s: %d%% of the runs were made without", test.name, percent)
		}
		if lost := float64(total)/float64(n*100*time.Microsecond) - 1; lost > test.lost {
			t.Errorf("%s: %.1f%% of the time is lost", test.name, 100*lost)
		}
		if got := w.Counts.Gain; math.Abs(got-test.gain) > 0.01 {
			t.Errorf("%s: the gain is %.2f", test.name, got)
		}
		if w.Counts.Off != without {
			t.Errorf("%s: %d runs are counted as made without, want %d", test.name, w.Counts.Off, without)
		}
	}
}
