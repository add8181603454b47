package edges

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
)

// everyOrder runs the program in every order, again and again until all accesses that race are visible operations.
func everyOrder(ctx context.Context, m *vm.Machine) (*found, error) {
	f := &found{outcomes: map[string]bool{}, races: map[[2]run.SiteID]bool{}}
	plan := run.Plan{}
	for {
		before := f.runs
		again, err := f.everyOrder(ctx, m, &plan, maxOrders-before)
		if err != nil {
			return nil, err
		}
		if !again {
			if f.cut {
				f.status = []string{timeCut}
			}
			return f, nil
		}
	}
}

// everyOrder runs the program in every order, at most so many times, until a race shows. Then it reports true.
func (f *found) everyOrder(ctx context.Context, m *vm.Machine, plan *run.Plan, most int) (again bool, err error) {
	var options [][]run.Decision // what is left to try at each decision, the one taken last first
	plan.Prefix = nil
	for range most {
		f.runs++
		e := &explorer{}
		trace, err := m.Run(ctx, plan, e)
		if err != nil {
			return false, err
		}
		f.note(trace)
		if len(trace.GivenUp) > 0 {
			return false, errTooMany
		}
		if strategy.Refine(&plan.Visible, trace) {
			return true, nil
		}
		options = append(options, e.options...)
		prefix := slices.Clone(trace.Decisions)
		for len(options) > 0 && len(options[len(options)-1]) == 1 {
			options = options[:len(options)-1]
		}
		if len(options) == 0 {
			return false, nil
		}
		top := &options[len(options)-1]
		*top = (*top)[1:]
		plan.Prefix = append(prefix[:len(options)-1], (*top)[0])
	}
	return false, errTooMany
}

// An explorer is the scheduler that takes the first option and remembers which there were.
type explorer struct{ options [][]run.Decision }

// Choose implements run.Scheduler.
func (e *explorer) Choose(p *run.SchedulingPoint) int {
	var list []run.Decision
	if p.Kind == run.Value {
		for v := range p.N {
			list = append(list, run.Decision{Kind: run.Value, Goroutine: p.Goroutine, Alt: int32(v)})
		}
	}
	for i := range p.Enabled {
		list = append(list, p.Enabled[i].Decision)
	}
	e.options = append(e.options, list)
	return 0
}
