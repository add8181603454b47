package vm_test

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
)

// Loops that spin have finitely many interleavings; the exhaustive search finds the
// outcomes that all of them have, with the number of runs that the comments give.
func TestSpins(t *testing.T) {
	p := loadFuncs(t, "concurrent/spins")
	for _, name := range p.some() {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(p.docs[name], "too many interleavings") {
				p.exploreAll(t, name)
			}
			want := slices.Sorted(slices.Values(p.want[name]))
			r := p.runner(t, name)
			r.Stall = 0
			got, runs := r.search(t, hyperconcolic.New(hyperconcolic.Options{Names: r.Names}))
			if have := slices.Sorted(maps.Keys(got)); !slices.Equal(have, want) {
				t.Errorf("found\n\t%s\nwant\n\t%s", strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
			}
			if want := p.notes(name, "runs:"); len(want) > 0 {
				if most, _ := strconv.Atoi(want[0]); runs != most {
					t.Errorf("%d runs, want %d", runs, most)
				}
			}
		})
	}
}

// search carries out an exhaustive search and returns the outcomes, and the number
// of runs that came to their end.
func (r *runner) search(t *testing.T, s strategy.Strategy) (outcomes map[string]bool, runs int) {
	t.Helper()
	outcomes = map[string]bool{}
	for range 5000 {
		job, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			if st := s.Status(); !st.Exhausted {
				t.Errorf("the search ended with status %+v", st)
			}
			return outcomes, runs
		}
		trace, out := r.run(t, job.Plan, job.Scheduler)
		if trace.Outcome != run.Stopped {
			outcomes[out] = true
			runs++
		}
		if err := s.Learn(context.Background(), job, trace, r.Arena); err != nil {
			t.Fatal(err)
		}
	}
	t.Error("the search does not end")
	return nil, 0
}

// A turner lets goroutines take steps in turn or, if unfair is set, the first goroutine
// as long as it is enabled.
type turner struct{ unfair bool }

func (s turner) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Value || s.unfair {
		return 0
	}
	for i := range p.Enabled {
		if p.Enabled[i].Goroutine > p.Last {
			return i
		}
	}
	return 0
}

// TestCycles tests that a state that repeats is a livelock if every goroutine has had its
// turn.
func TestCycles(t *testing.T) {
	p := loadFuncs(t, "concurrent/spins")
	for name := range p.docs {
		want := p.notes(name, "cycle:")
		if want == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			r := p.runner(t, name)
			trace, got := r.run(t, &run.Plan{}, turner{})
			if first, _, _ := strings.Cut(got, "\n"); first != want[0] { // without the stack
				t.Errorf("in turn, the run ends with %q, want %q", got, want[0])
			}
			decisions := slices.Clone(trace.Decisions)
			if _, again := r.run(t, &run.Plan{Prefix: decisions}, turner{}); again != got {
				t.Errorf("replayed, the run ends with %q, not %q", again, got)
			}
		})
	}
	t.Run("unfair", func(t *testing.T) {
		const want = "bounded: too many scheduling decisions"
		if _, got := p.runner(t, "toggles").run(t, &run.Plan{}, turner{unfair: true}); got != want {
			t.Errorf("the run ends with %q, want %q", got, want)
		}
	})
}

// TestPauses tests that loops without visible operations pause and are found to spin.
func TestPauses(t *testing.T) {
	p := loadFuncs(t, "concurrent/spins")
	for _, name := range []string{"loops", "plainFlag", "computes"} {
		t.Run(name, func(t *testing.T) {
			trace, got := p.runner(t, name).run(t, &run.Plan{}, turner{unfair: true})
			if trace.Outcome == run.Bounded {
				got = "bounded " + strings.TrimSuffix(got, " bounded: "+trace.Message)
			}
			if want := p.notes(name, "plain:"); got != want[0] {
				t.Errorf("the run ends with %q, want %q", got, want[0])
			}
		})
	}
	t.Run("search", func(t *testing.T) {
		r := p.runner(t, "plainFlag")
		outcomes, _ := r.search(t, hyperconcolic.New(hyperconcolic.Options{Names: r.Names}))
		for o := range outcomes {
			if !strings.HasPrefix(o, "data race: ") {
				t.Errorf("a run ends with %q", o)
			}
		}
	})
}

// TestSearchCycles tests that an exhaustive search finds a livelock of several
// goroutines, since long runs give each of them its turn.
func TestSearchCycles(t *testing.T) {
	p := loadFuncs(t, "concurrent/spins")
	for _, name := range []string{"toggles", "politely"} {
		t.Run(name, func(t *testing.T) {
			r := p.runner(t, name)
			r.Stall = 0
			s := hyperconcolic.New(hyperconcolic.Options{Names: r.Names})
			for range 20 {
				job, err := s.Next(t.Context())
				if err != nil || job == nil {
					t.Fatal("the search ended: ", err)
				}
				trace, out := r.run(t, job.Plan, job.Scheduler)
				if strings.HasPrefix(out, "livelock: ") {
					if n := len(trace.Decisions); n > 2000 {
						t.Errorf("it takes %d decisions to see that the state repeats", n)
					}
					return
				}
				if err := s.Learn(t.Context(), job, trace, r.Arena); err != nil {
					t.Fatal(err)
				}
			}
			t.Error("no livelock found")
		})
	}
}
