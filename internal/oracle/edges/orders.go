package edges

import (
	"context"

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
	var e run.Enumeration
	plan.Prefix = nil
	for range most {
		f.runs++
		trace, err := m.Run(ctx, plan, &e)
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
		var more bool
		if plan.Prefix, more = e.Next(); !more {
			return false, nil
		}
	}
	return false, errTooMany
}
