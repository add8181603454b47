package search

import (
	"context"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/verdict"
)

// steady makes the same run again and again and does nothing else.
type steady struct{ job strategy.Job }

func (s *steady) Next(context.Context) (*strategy.Job, error) { return &s.job, nil }
func (s *steady) Learn(context.Context, *strategy.Job, *run.Trace, *expr.Arena) error {
	return nil
}
func (s *steady) Status() strategy.Status      { return strategy.Status{} }
func (s *steady) Export() []strategy.Item      { return nil }
func (s *steady) Import([]strategy.Item) error { return nil }

// BenchmarkRun compares runs of an empty program by a task with the same runs
// made by the machine alone: the difference is what the engine adds to a run.
func BenchmarkRun(b *testing.B) {
	prog, target := divideTarget(b, "empty")
	cfg, err := Config{}.withDefaults()
	if err != nil {
		b.Fatal(err)
	}
	w, err := newMachines(prog, target, verdict.Quiet{}).Worker(b.Context(), target, cfg.worker(nil, nil), run.NewNames(), func([]byte) {})
	if err != nil {
		b.Fatal(err)
	}
	s := &steady{strategy.Job{Plan: &run.Plan{}, Scheduler: run.NonPreemptive{}}}
	if _, err := w.Divide(s, nil); err != nil {
		b.Fatal(err)
	}
	b.Run("machine", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := w.Run(b.Context(), s.job.Plan, s.job.Scheduler); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("task", func(b *testing.B) {
		b.ReportAllocs()
		t := worker.Task{Number: 3, Runs: b.N}
		unknown := func([]check.Finding) *check.Finding { return nil }
		if _, err := w.Explore(b.Context(), t, unknown, func() bool { return false }); err != nil {
			b.Fatal(err)
		}
	})
	b.Run("alone", func(b *testing.B) {
		b.ReportAllocs()
		cfg := cfg
		cfg.Runs, cfg.Budget = b.N, time.Hour
		q := &search{cfg: cfg, worker: w, start: time.Now(), obs: &printed{Observer: verdict.Quiet{}}, result: &verdict.Result{}, state: &state{}}
		if err := q.alone(b.Context(), phase{until: 1}, s); err != nil {
			b.Fatal(err)
		}
	})
}
