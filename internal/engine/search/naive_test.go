package search

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/schedule"
)

// A naive strategy runs every sequence of decisions, without any reduction: the
// simplest strategy.Divisible there is. An item is the decisions to take first.
type naive struct {
	names    *run.Names
	frontier [][]byte // next item last
	current  []byte   // of the job that is not learned from
	started  int
	chosen   []alternatives
	pace     time.Duration // that learning from a run takes, at least
}

// alternatives are the decisions that could have been taken in place of one.
type alternatives struct {
	at     int // index among the run's decisions
	others []run.Decision
}

func naiveInfo(pace time.Duration) strategy.Info {
	return strategy.Info{
		Name:       "naive",
		Exhaustive: true,
		New: func(c strategy.Config) (strategy.Strategy, error) {
			return &naive{names: c.Names, frontier: [][]byte{[]byte("[]")}, pace: pace}, nil
		},
	}
}

func (n *naive) Next(context.Context) (*strategy.Job, error) {
	if len(n.frontier) == 0 {
		return nil, nil
	}
	n.current = n.frontier[len(n.frontier)-1]
	n.frontier = n.frontier[:len(n.frontier)-1]
	var item []schedule.Decision
	if err := json.Unmarshal(n.current, &item); err != nil {
		return nil, err
	}
	plan := &run.Plan{}
	for _, d := range item {
		g, ok := int32(-1), d.Goroutine == schedule.Timer
		if !ok {
			if g, ok = n.names.Lookup(d.Goroutine); !ok {
				return nil, fmt.Errorf("no goroutine %s", d.Goroutine)
			}
		}
		kind := run.Step
		if d.Value {
			kind = run.Value
		}
		plan.Prefix = append(plan.Prefix, run.Decision{Kind: kind, Goroutine: g, Alt: d.Alt})
	}
	n.started++
	n.chosen = n.chosen[:0]
	return &strategy.Job{Plan: plan, Scheduler: n}, nil
}

// Choose implements vm.Scheduler: it takes the first option.
func (n *naive) Choose(p *run.SchedulingPoint) int {
	a := alternatives{at: len(p.Trace.Decisions)}
	for v := 1; p.Kind == run.Value && v < p.N; v++ {
		a.others = append(a.others, run.Decision{Kind: run.Value, Goroutine: p.Goroutine, Alt: int32(v)})
	}
	for i := 1; p.Kind == run.Step && i < len(p.Enabled); i++ {
		a.others = append(a.others, p.Enabled[i].Decision)
	}
	n.chosen = append(n.chosen, a)
	return 0
}

func (n *naive) Learn(ctx context.Context, _ *strategy.Job, t *run.Trace, _ *expr.Arena) error {
	time.Sleep(n.pace)
	if err := ctx.Err(); err != nil {
		return err
	}
	n.current = nil
	for _, a := range n.chosen {
		for _, other := range a.others {
			var item []schedule.Decision
			for _, d := range append(t.Decisions[:a.at:a.at], other) {
				name := schedule.Timer
				if d.Goroutine >= 0 {
					name = n.names.String(d.Goroutine)
				}
				item = append(item, schedule.Decision{Value: d.Kind == run.Value, Goroutine: name, Alt: d.Alt})
			}
			data, err := json.Marshal(item)
			if err != nil {
				return err
			}
			n.frontier = append(n.frontier, data)
		}
	}
	return nil
}

func (n *naive) Status() strategy.Status {
	return strategy.Status{Finished: len(n.frontier) == 0, Counts: run.Counts{Candidates: n.started}, Degree: -1}
}

func (n *naive) Export() []strategy.Item {
	var items []strategy.Item
	if n.current != nil {
		items = append(items, strategy.Item{Data: n.current, Size: len(n.current)})
	}
	for i := len(n.frontier) - 1; i >= 0; i-- {
		items = append(items, strategy.Item{Data: n.frontier[i], Size: len(n.frontier[i])})
	}
	n.frontier, n.current = nil, nil
	return items
}

func (n *naive) Import(items []strategy.Item) error {
	for i := len(items) - 1; i >= 0; i-- {
		n.frontier = append(n.frontier, items[i].Data)
	}
	return nil
}
