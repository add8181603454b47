package search

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/profile"
	"github.com/everyway-go/everyway/internal/verdict"
)

var profileProgram = sync.OnceValues(func() (*program.Program, error) {
	return program.Load(context.Background(), ".", []string{"./testdata/profile"}, nil, true)
})

// searchProfiled searches the target of testdata/profile.
func searchProfiled(t *testing.T, cfg Config) *verdict.Result {
	t.Helper()
	prog, err := profileProgram()
	if err != nil {
		t.Fatal(err)
	}
	if cfg.OutDir == "" {
		cfg.OutDir = t.TempDir()
	}
	cfg.Budget, cfg.Seed = time.Hour, 1
	r, err := Target(t.Context(), prog, &prog.Targets()[0], cfg, verdict.Quiet{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// counts returns a profile without times.
func counts(p profile.Profile) profile.Profile {
	without := profile.Profile{}
	for at, c := range p {
		if c.Time, c.Solver = 0, 0; c != (profile.Costs{}) {
			without[at] = c
		}
	}
	return without
}

// runsOf returns how many runs depart in each way.
func runsOf(p profile.Profile) map[profile.Departure]int64 {
	runs := map[profile.Departure]int64{}
	for at, c := range p {
		if _, d, _ := at.Parts(); c.Runs > 0 {
			runs[d] += c.Runs
		}
	}
	return runs
}

// text describes a profile, a line for each place.
func text(p profile.Profile) string {
	var b strings.Builder
	for _, at := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintf(&b, "%+v %q\n", p[at], at)
	}
	return b.String()
}

// With a profile a search is the same, and the profile has all of its runs and queries. Two searches have
// the same counts.
func TestProfile(t *testing.T) {
	for _, s := range withoutPlaces() {
		t.Run(s.Name, func(t *testing.T) {
			cfg := Config{Strategy: s.Name, Workers: 1, Runs: 300}
			want := searchProfiled(t, cfg)
			if want.Profile != nil {
				t.Error("there is a profile that nobody has asked for")
			}
			cfg.Profile = true
			got, again := searchProfiled(t, cfg), searchProfiled(t, cfg)
			p := got.Profile
			if x, y := text(counts(p)), text(counts(again.Profile)); x != y {
				t.Errorf("first\n%s\nthen\n%s", x, y)
			}
			sum := p.Total()
			if sum.Runs != int64(got.Runs) || sum.Queries != got.Solver.Queries {
				t.Errorf("the profile has %d runs and %d queries of %d and %d:\n%s", sum.Runs, sum.Queries, got.Runs, got.Solver.Queries, text(p))
			}
			if sum.Steps == 0 || sum.Instructions == 0 || sum.Time == 0 || (sum.Solver == 0) != (sum.Queries == 0) {
				t.Errorf("the profile adds up to %+v", sum)
			}
			got.Profile = nil
			if x, y := outcome(t, got), outcome(t, want); x != y {
				t.Errorf("with a profile\n%s\nwithout\n%s", x, y)
			}
		})
	}
}

// What is at which place: runs depart at the branches of the target and where its goroutines lock, and
// instructions are those of its loop.
func TestProfilePlaces(t *testing.T) {
	r := searchProfiled(t, Config{Strategy: "hyperconcolic", Workers: 1, Profile: true})
	if r.Verdict != verdict.Holds {
		t.Fatalf("verdict %s %q", r.Verdict, r.Open)
	}
	sums := map[string]profile.Costs{}
	for at, c := range r.Profile {
		a, d, stack := at.Parts()
		var calls []string
		for _, f := range stack {
			if !strings.Contains(f.File, "/testdata/profile/") {
				continue
			}
			name := f.Func[strings.LastIndex(f.Func, "/")+1:]
			calls = append(calls, fmt.Sprintf("%s:%d", name, f.Line))
		}
		for _, key := range []string{fmt.Sprint(a, " ", d), fmt.Sprint(a, " ", d, " ", strings.Join(calls, " "))} {
			sum := sums[key]
			sum.Add(c)
			sums[key] = sum
		}
	}
	fee1 := "profile.fee:20 profile.FuzzAccount.func1.1:37"
	fee2 := "profile.fee:20 profile.FuzzAccount.func1.2:38"
	for _, want := range []struct {
		key string
		ok  func(profile.Costs) bool
	}{
		{"planning start", func(c profile.Costs) bool { return c.Runs == 1 }},
		{"planning again", func(c profile.Costs) bool { return c.Runs == 0 }},
		{"planning branch " + fee1, func(c profile.Costs) bool { return c.Runs > 0 }},
		{"planning order profile.(*account).add:14 profile.FuzzAccount.func1.3:39", func(c profile.Costs) bool { return c.Runs > 0 }},
		{"solving  " + fee1, func(c profile.Costs) bool { return c.Queries > 0 && c.Solver > 0 && c.Solver == c.Time }},
		{"solving  " + fee2, func(c profile.Costs) bool { return c.Queries > 0 }},
		{"running  profile.sum:28 profile.FuzzAccount.func1.3:39", func(c profile.Costs) bool {
			return c.Instructions > sums["running "].Instructions*8/10 && c.Steps == 0
		}},
	} {
		if c := sums[want.key]; !want.ok(c) {
			t.Errorf("%s: %+v", want.key, c)
		}
	}
	if t.Failed() {
		t.Logf("\n%s", text(r.Profile))
	}
}

// How many runs depart at a point of the search does not depend on the order of the runs, nor on
// the number of workers. Which of the ways to go on from there was the first one, which does not
// count, does.
func TestProfileOrder(t *testing.T) {
	var want string
	for _, cfg := range []Config{{Workers: 1}, {Workers: 3}, {Workers: 1, Order: "depth"}, {Workers: 1, FromStart: true}} {
		cfg.Strategy, cfg.Profile = "hyperconcolic", true
		r := searchProfiled(t, cfg)
		if got := fmt.Sprint(runsOf(r.Profile)); want == "" {
			want = got
		} else if got != want {
			t.Errorf("workers %d, order %q, from the start %v:\n%s\nwant\n%s", cfg.Workers, cfg.Order, cfg.FromStart, got, want)
		}
	}
}

// A search that is resumed has the profile of all of its parts.
func TestProfileResumed(t *testing.T) {
	cfg := Config{Strategy: "hyperconcolic", Workers: 1, Profile: true, OutDir: t.TempDir(), Runs: 10}
	first := searchProfiled(t, cfg)
	cfg.Runs, cfg.Resume = 0, true
	r := searchProfiled(t, cfg)
	if r.Verdict != verdict.Holds || r.Runs <= first.Runs {
		t.Fatalf("verdict %s after %d runs, first %d", r.Verdict, r.Runs, first.Runs)
	}
	if n := r.Profile.Total().Runs; n != int64(r.Runs) {
		t.Errorf("the profile has %d runs of %d", n, r.Runs)
	}
}
