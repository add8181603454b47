package roundrobin

import (
	"context"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// Info describes the strategy.
var Info = strategy.Info{
	Name: "roundrobin",
	Doc:  "runs each seed, then zero, under one fair schedule: goroutines take their steps in turn",
	New: func(c strategy.Config) (strategy.Strategy, error) {
		return &search{inputs: append(c.Seeds[:len(c.Seeds):len(c.Seeds)], run.Input{})}, nil
	},
}

// search implements strategy.Strategy.
type search struct {
	inputs []run.Input // of the runs that are left
	runs   int
}

// Next implements strategy.Strategy.
func (s *search) Next(context.Context) (*strategy.Job, error) {
	if len(s.inputs) == 0 {
		return nil, nil
	}
	input := s.inputs[0]
	s.inputs = s.inputs[1:]
	s.runs++
	return &strategy.Job{Plan: &run.Plan{Input: input}, Scheduler: newScheduler()}, nil
}

// Learn implements strategy.Strategy.
func (s *search) Learn(context.Context, *strategy.Job, *run.Trace, *expr.Arena) error { return nil }

// Status implements strategy.Strategy.
func (s *search) Status() strategy.Status {
	return strategy.Status{Finished: len(s.inputs) == 0, Counts: run.Counts{Candidates: s.runs}, Degree: -1}
}

// A scheduler lets the enabled goroutines of one run take their steps in turn: the next step is
// that of the goroutine whose last step is longest ago. All timers count as one goroutine.
type scheduler struct {
	steps int
	last  map[int32]int // number of a goroutine's last step, from 1; 0 before its first
}

func newScheduler() *scheduler { return &scheduler{last: map[int32]int{}} }

// Choose implements run.Scheduler. Of values it chooses the first.
func (s *scheduler) Choose(p *run.SchedulingPoint) int {
	next := 0
	for i := range p.Enabled {
		if s.last[p.Enabled[i].Goroutine] < s.last[p.Enabled[next].Goroutine] {
			next = i
		}
	}
	return next
}

// Stepping implements run.Watcher: steps without a choice count too.
func (s *scheduler) Stepping(t *run.Transition, _ *run.Trace) bool {
	s.steps++
	s.last[t.Goroutine] = s.steps
	return true
}
