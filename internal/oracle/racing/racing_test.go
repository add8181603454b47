package racing_test

import (
	"io"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle/racing"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	strategyracing "github.com/everyway-go/everyway/internal/strategy/racing"
)

// maxRuns bounds the runs of an exhaustive search. A function that needs more is left out.
const maxRuns = 5_000

// TestRaces checks that each race that the strategy confirms is one that an exhaustive search
// finds, of shapes of two objects, and that it confirms most of these: it need not find a race that
// can only be seen if a goroutine takes a path that it takes because of another one. A potential
// race that it does not confirm and that the exhaustive search does not find either is one that the
// search reports as refuted.
func TestRaces(t *testing.T) {
	text, names := racing.Source(7, sample.Size(300, 16, 6))
	dir := t.TempDir()
	if err := suite.Write(dir, "races", map[string]string{"races.go": text}); err != nil {
		t.Fatal(err)
	}
	s, err := suite.LoadFuncs(t.Context(), dir, names...)
	if err != nil {
		t.Fatal(err)
	}
	s.Settings = run.Settings{
		MaxLen: 2, MaxObjects: 2, MaxChain: 100,
		Limits: run.Limits{Instructions: 1e6, Memory: 16 << 20, Depth: 1000, Goroutines: 100, Decisions: 1000},
	}
	found, confirmed, potential, compared := 0, 0, 0, 0
	for _, name := range names {
		every, _, done := races(t, s, name, func(c strategy.Config) strategy.Strategy {
			return hyperconcolic.New(hyperconcolic.Options{Names: c.Names})
		})
		if !done {
			continue
		}
		compared++
		some, status, _ := races(t, s, name, func(c strategy.Config) strategy.Strategy {
			st, err := strategyracing.New(c)
			if err != nil {
				t.Fatal(err)
			}
			return st
		})
		for at := range some {
			if !every[at] {
				t.Errorf("%s: %v is no race in any run", name, at)
			}
		}
		said := map[[2]run.SiteID]bool{}
		for _, r := range status.Alone.Races {
			potential++
			if said[r.Sites] = r.Confirmed; r.Confirmed != some[r.Sites] {
				t.Errorf("%s: that %v is confirmed is %v, and that it was seen is %v", name, r.Sites, r.Confirmed, some[r.Sites])
			}
		}
		for at := range every {
			found++
			if some[at] {
				confirmed++
			} else {
				t.Logf("%s: %v is not confirmed; that it is potential: %v", name, at, said)
			}
		}
	}
	t.Logf("%d functions, %d potential races, %d of %d races confirmed", compared, potential, confirmed, found)
	if 10*confirmed < 9*found || found == 0 {
		t.Errorf("%d of %d races were confirmed, want nine of ten", confirmed, found)
	}
}

// races returns the races in the runs of a search, and whether it has come to its end.
func races(t *testing.T, s *suite.Suite, name string, begin func(strategy.Config) strategy.Strategy) (map[[2]run.SiteID]bool, strategy.Status, bool) {
	t.Helper()
	ctx := t.Context()
	m, err := s.Machine(ctx, name, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	m.MaxObjects = s.Settings.MaxObjects
	st := begin(strategy.Config{Settings: s.Settings, Names: m.Names})
	found := map[[2]run.SiteID]bool{}
	for range maxRuns {
		job, err := st.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			return found, st.Status(), true
		}
		trace, err := m.Run(ctx, job.Plan, job.Scheduler)
		if err != nil {
			t.Fatal(err)
		}
		for i := range trace.Unordered {
			at := [2]run.SiteID{trace.Unordered[i].Earlier.Innermost(), trace.Unordered[i].Later.Innermost()}
			if a, b := at[0], at[1]; a.Func > b.Func || a.Func == b.Func && a.Instr > b.Instr {
				at[0], at[1] = b, a
			}
			found[at] = true
		}
		if err := st.Learn(ctx, job, trace, m.Arena); err != nil {
			t.Fatal(err)
		}
	}
	return found, st.Status(), false
}
