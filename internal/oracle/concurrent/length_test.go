package concurrent

import (
	"context"
	"errors"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/kinds"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/schedule"
)

// A measured strategy counts the runs that come to their end, by the most steps that a goroutine takes there.
type measured struct {
	strategy.Strategy
	counter stepCounter
	runs    map[int]int
}

// A stepCounter counts the steps of the goroutines of a run.
type stepCounter struct {
	run.Resumer
	steps map[int32]int
}

// Resume implements run.Resumer. Each run begins at the start, so that all of its steps are seen.
func (c *stepCounter) Resume(*run.Trace) int {
	c.steps = map[int32]int{}
	return c.Resumer.Resume(nil)
}

// Stepping implements run.Watcher.
func (c *stepCounter) Stepping(t *run.Transition, trace *run.Trace) bool {
	goesOn := c.Resumer.Stepping(t, trace)
	if goesOn && t.Goroutine >= 0 {
		c.steps[t.Goroutine]++
		if t.Op == schedule.Send && t.Partner >= 0 {
			c.steps[t.Partner]++
		}
	}
	return goesOn
}

func (m *measured) Next(ctx context.Context) (*strategy.Job, error) {
	job, err := m.Strategy.Next(ctx)
	if job == nil || err != nil {
		return job, err
	}
	m.counter.Resumer = job.Scheduler.(run.Resumer)
	return &strategy.Job{Plan: job.Plan, Scheduler: &m.counter}, nil
}

func (m *measured) Learn(ctx context.Context, job *strategy.Job, trace *run.Trace, from *expr.Arena) error {
	if trace.Outcome == run.Finished {
		most := 0
		for _, n := range m.counter.steps {
			most = max(most, n)
		}
		m.runs[most]++
	}
	return m.Strategy.Learn(ctx, job, trace, from)
}

// TestLength checks that a search with a bound on the steps of a goroutine makes those runs of the
// search without one in which no goroutine takes more, once each, and knows whether there are
// others.
func TestLength(t *testing.T) {
	n := sample.Size(200, 10, 4)
	for _, k := range sample.Each(kinds.All, len(kinds.All)*3/4, len(kinds.All)*3/4) {
		t.Run(k.Name, func(t *testing.T) {
			var programs []*oracle.Program
			for seed := range uint64(n) {
				cfg := k.Config
				cfg.Mode = oracle.Mode(seed % 2)
				programs = append(programs, kinds.Generate(seed, cfg))
			}
			s := load(t, programs)
			bounded, compared := 0, 0
			for i := range programs {
				p := player(t, s, i)
				search := func(length int) (*measured, *Found) {
					o := hyperconcolic.Options{Names: p.Machine.Names, Symmetry: i%2 > 0, AddsCommute: i%4 > 1, Length: length}
					m := &measured{Strategy: hyperconcolic.New(o), runs: map[int]int{}}
					f, err := p.Search(t.Context(), m, 2000)
					if errors.Is(err, ErrTooManyRuns) {
						return nil, nil
					}
					if err != nil {
						t.Fatalf("%v\n%s", err, describe(s, i))
					}
					return m, f
				}
				all, f := search(0)
				if f == nil || f.Race || !f.Status.Exhausted {
					continue // the runs before a race was seen have other steps
				}
				for _, length := range []int{1, 2, 4, 7} {
					m, f := search(length)
					if f == nil {
						continue // more beginnings of runs than runs
					}
					if !f.Status.Finished || len(f.Status.Open) > 0 || f.Status.Exhausted == f.Status.CutLength {
						t.Errorf("length %d: status %+v\n%s", length, f.Status, describe(s, i))
					}
					longer := false
					for most, want := range all.runs {
						if most > length {
							longer = true
							want = 0
						}
						if m.runs[most] != want {
							t.Errorf("length %d: %d runs with %d steps of a goroutine, want %d\n%s", length, m.runs[most], most, want, describe(s, i))
						}
					}
					if longer && !f.Status.CutLength {
						t.Errorf("length %d: there are longer runs\n%s", length, describe(s, i))
					}
					compared++
					if longer {
						bounded++
					}
				}
			}
			t.Logf("%d searches, %d of them with a bound that leaves runs out", compared, bounded)
			if compared == 0 {
				t.Error("nothing was compared")
			}
		})
	}
}
