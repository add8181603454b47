package worker

import (
	"cmp"
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/estimate"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/schedule"
)

// A Probe is an estimate of the size of the tree below one item.
type Probe struct {
	Size       float64       // runs in the tree, in the mean
	Runs       int           // made for the estimate
	Found      *schedule.Run // the first of them that shows something wrong
	Overlooked               // by any of them
}

// Probe estimates the size of the tree below an item. Its runs count for nothing, but for
// the first of which unknown returns a finding.
func (w *Worker) Probe(ctx context.Context, item strategy.Item, rng *rand.Rand, unknown func([]check.Finding) *check.Finding) (Probe, error) {
	var p Probe
	if err := w.makeProber(); err != nil {
		return p, err
	}
	tree := estimate.Tree[strategy.Item]{
		Children: func(item strategy.Item) ([]strategy.Item, error) {
			children, job, trace, err := w.children(ctx, item)
			if job != nil {
				if p.Overlooked = p.Or(overlooked(job.Plan, trace)); p.Any() {
					return nil, nil
				}
				if f := w.recordNew(job.Plan, trace, unknown); f != nil {
					// It goes before the size of anything.
					p.Found = cmp.Or(p.Found, f)
					return nil, nil
				}
			}
			return children, err
		},
		// Items are told apart by how late in the run they branch off, roughly: the
		// tree below one that comes late is small.
		Class: func(_, n, _ int) int { return bits.Len(uint(n)) },
	}
	var err error
	p.Size, p.Runs, err = tree.Size(item, rng)
	return p, err
}

// makeProber makes the strategy for estimates unless there is one.
func (w *Worker) makeProber() error {
	if w.prober != nil {
		return nil
	}
	st, err := w.newProber()
	if err != nil {
		return err
	}
	d, ok := st.(strategy.Divisible)
	if !ok {
		return errors.New("the strategy cannot be divided")
	}
	d.Export() // the root
	w.prober = d
	return nil
}

// children makes the run of an item and returns the items that come of it.
func (w *Worker) children(ctx context.Context, item strategy.Item) ([]strategy.Item, *strategy.Job, *run.Trace, error) {
	st := w.prober
	if err := st.Import([]strategy.Item{item}); err != nil {
		return nil, nil, nil, err
	}
	job, err := st.Next(ctx)
	if job == nil || err != nil {
		return nil, nil, nil, err
	}
	trace, err := w.Run(ctx, job.Plan, job.Scheduler)
	if err == nil {
		err = st.Learn(ctx, job, trace, w.machine.Arena)
	}
	children := st.Export()
	if err != nil {
		return nil, nil, nil, err
	}
	return children, job, trace, nil
}
