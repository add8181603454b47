package worker

import (
	"context"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
)

// The bounds of the work spent on making one finding small.
const (
	minimiseRuns  = 400
	minimiseSteps = 200_000 // of all these runs together
)

// minimise looks for a run with the same finding that needs a shorter stall, then for one
// with fewer context switches, then for one with smaller inputs. Every candidate is run;
// what it returns has been seen to show the finding. It is the smallest so far when ctx ends.
func (w *Worker) minimise(ctx context.Context, best *Witness) (*Witness, error) {
	m := &minimiser{w: w, best: best, runs: minimiseRuns, steps: minimiseSteps}
	for _, pass := range []func(context.Context) (bool, error){m.hidePlain, m.shortenStall, m.joinSegments, m.shrinkInput, m.joinSegments} {
		for {
			better, err := pass(ctx)
			if err != nil {
				return m.best, err
			}
			if !better {
				break
			}
		}
	}
	return m.best, nil
}

type minimiser struct {
	w     *Worker
	best  *Witness
	runs  int // left
	steps int // left
}

// try runs a candidate and makes it the best when it shows the finding and
// better says so of the run that came of it.
func (m *minimiser) try(ctx context.Context, c *Witness, better func(got *Witness) bool) (bool, error) {
	if m.runs <= 0 || m.steps <= 0 || ctx.Err() != nil {
		return false, nil
	}
	m.runs--
	m.steps -= len(m.best.steps)
	got, trace, err := m.w.rerun(ctx, c, run.Plan{})
	if ctx.Err() != nil {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if check.Find(trace, c.key) == nil || got.stall > m.best.stall || !better(got) {
		return false, nil
	}
	m.best = got
	return true, nil
}

// hidePlain leaves the plain accesses that a strategy made visible to their
// goroutines' own time: most findings do not need them as scheduling points.
func (m *minimiser) hidePlain(ctx context.Context) (bool, error) {
	if len(m.best.visible.Objects) == 0 && len(m.best.visible.Sites) == 0 {
		return false, nil
	}
	c := *m.best
	c.visible = run.Visible{}
	return m.try(ctx, &c, func(*Witness) bool { return true })
}

// shortenStall lets timers that are early fire when they are due: all of them, or one.
func (m *minimiser) shortenStall(ctx context.Context) (bool, error) {
	if m.best.stall == 0 {
		return false, nil
	}
	for i := -1; i < len(m.best.early); i++ {
		late := m.best.early
		if i >= 0 {
			late = late[i : i+1]
		}
		c := *m.best
		c.due = maps.Clone(c.due)
		if c.due == nil {
			c.due = map[step]bool{}
		}
		for _, s := range late {
			c.due[s] = true
		}
		ok, err := m.try(ctx, &c, func(got *Witness) bool {
			return got.stall < m.best.stall || len(got.early) < len(m.best.early)
		})
		if ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// joinSegments moves a goroutine's segment next to its following or preceding
// one, so that a context switch or two go away.
func (m *minimiser) joinSegments(ctx context.Context) (bool, error) {
	segments := split(m.best.steps)
	fewer := func(got *Witness) bool {
		a, b := switches(got.steps), switches(m.best.steps)
		return a < b || a == b && len(got.steps) < len(m.best.steps)
	}
	for i := 0; i < len(segments) && m.runs > 0 && m.steps > 0 && ctx.Err() == nil; i++ {
		for _, j := range neighbours(segments, i) {
			c := *m.best
			c.steps = join(segments, i, j)
			if ok, err := m.try(ctx, &c, fewer); ok || err != nil {
				return ok, err
			}
		}
	}
	return false, nil
}

// split cuts steps into maximal runs of one goroutine.
func split(steps []step) [][]step {
	var segments [][]step
	for i, s := range steps {
		if i == 0 || s.goroutine != steps[i-1].goroutine {
			segments = append(segments, nil)
		}
		last := len(segments) - 1
		segments[last] = append(segments[last], s)
	}
	return segments
}

// neighbours returns the next and the previous segment of the goroutine of
// segment i.
func neighbours(segments [][]step, i int) []int {
	var js []int
	for j := i + 1; j < len(segments); j++ {
		if segments[j][0].goroutine == segments[i][0].goroutine {
			js = append(js, j)
			break
		}
	}
	for j := i - 1; j >= 0; j-- {
		if segments[j][0].goroutine == segments[i][0].goroutine {
			js = append(js, j)
			break
		}
	}
	return js
}

// join returns the steps with segment i moved next to segment j of the same
// goroutine, in program order.
func join(segments [][]step, i, j int) []step {
	var steps []step
	for k, seg := range segments {
		switch {
		case k == i:
		case k == j && i < j:
			steps = append(append(steps, segments[i]...), seg...)
		case k == j:
			steps = append(append(steps, seg...), segments[i]...)
		default:
			steps = append(steps, seg...)
		}
	}
	return steps
}

// shrinkInput tries smaller values for each input variable: the least ones, and then some that
// come ever closer to the value, so that a bound is soon found.
func (m *minimiser) shrinkInput(ctx context.Context) (bool, error) {
	for _, name := range slices.Sorted(maps.Keys(m.best.input)) {
		if m.best.input.InTurn() {
			break // what go test runs are the seeds as they are
		}
		value := m.best.input[name]
		candidates := []uint64{0, 1}
		for less := value - value/2; less > 0; less /= 2 {
			candidates = append(candidates, value-less)
		}
		for _, smaller := range candidates {
			if smaller >= value {
				continue
			}
			c := *m.best
			c.input = maps.Clone(m.best.input)
			c.input[name] = smaller
			ok, err := m.try(ctx, &c, func(got *Witness) bool {
				return got.input[name] == smaller && switches(got.steps) <= switches(m.best.steps)
			})
			if ok || err != nil {
				return ok, err
			}
		}
	}
	return false, nil
}
