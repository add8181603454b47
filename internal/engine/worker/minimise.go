package worker

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"slices"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/simplicity"
	"github.com/everyway-go/everyway/internal/run"
)

// The bounds of the work spent on making one finding small.
const (
	minimiseRuns = 2000
	minimiseWork = 200_000_000 // instructions of all these runs together, where a step counts as stepWork and a run as runWork
	stepWork     = 100
	runWork      = 20_000
)

// A size says how small a run is that shows a finding. What comes first counts for most.
type size struct {
	stall      time.Duration // that it needs
	visible    int           // plain accesses that are scheduling points
	early      int           // steps that need time to pass while others wait
	goroutines int           // that take a step before it shows the finding
	switches   int           // until then
	input      simplicity.Size
	steps      int // until it shows the finding
	chosen     int // values that are not the first ones
}

func (s size) compare(t size) int {
	return cmp.Or(
		cmp.Compare(s.stall, t.stall), cmp.Compare(s.visible, t.visible), cmp.Compare(s.early, t.early),
		cmp.Compare(s.goroutines, t.goroutines), cmp.Compare(s.switches, t.switches),
		s.input.Compare(t.input), cmp.Compare(s.steps, t.steps), cmp.Compare(s.chosen, t.chosen),
	)
}

// size returns how small the run of a witness is.
func (c *Witness) size() size {
	steps := c.needed()
	s := size{
		stall: c.stall, visible: c.visible.Size(), early: c.early,
		goroutines: len(goroutines(steps)), switches: switches(steps), input: c.drawn.Size(), steps: len(steps),
	}
	for _, v := range c.values {
		if v != 0 {
			s.chosen++
		}
	}
	return s
}

// minimise looks for a smaller run with the same finding: one that needs a shorter stall, of
// fewer goroutines, with fewer context switches, and with a simpler input. Every candidate is
// run; what it returns has been seen to show the finding. It is the smallest so far when ctx
// ends.
func (w *Worker) minimise(ctx context.Context, best *Witness) (*Witness, error) {
	return newMinimiser(w, best).minimise(ctx)
}

type minimiser struct {
	w     *Worker
	best  *Witness
	runs  int             // left
	work  int             // left
	tried map[uint64]bool // candidates, by a hash
	err   error           // of a run
}

func newMinimiser(w *Worker, best *Witness) *minimiser {
	best.drawn.Seed = simplicity.FromSeed(&best.drawn, w.seeds)
	return &minimiser{w: w, best: best, runs: minimiseRuns, work: minimiseWork, tried: map[uint64]bool{}}
}

// minimise is [Worker.minimise].
func (m *minimiser) minimise(ctx context.Context) (*Witness, error) {
	m.hidePlain(ctx)
	m.shortenStall(ctx)
	var was size
	for better := true; better; better = m.best.size() != was && !m.over(ctx) {
		was = m.best.size()
		m.reorder(ctx, fewerGoroutines)
		m.reorder(ctx, fewerSwitches)
		m.simplifyInput(ctx)
		m.reorder(ctx, fewerSteps)
		m.choose(ctx)
	}
	return m.best, m.err
}

// over reports whether no more candidates are to be run.
func (m *minimiser) over(ctx context.Context) bool {
	return m.runs <= 0 || m.work <= 0 || m.err != nil || ctx.Err() != nil
}

// try runs a candidate and makes the run that came of it the best one when it shows the finding and is smaller.
func (m *minimiser) try(ctx context.Context, c *Witness) bool {
	return m.tryWithin(ctx, c, m.w.machine.Stall)
}

// tryWithin is try if goroutines are not kept waiting for longer than stall.
func (m *minimiser) tryWithin(ctx context.Context, c *Witness, stall time.Duration) bool {
	if m.over(ctx) || m.known(c, stall) {
		return false
	}
	got := m.run(ctx, c, stall)
	if got != nil && stall != m.w.machine.Stall {
		got = m.run(ctx, got, m.w.machine.Stall) // as it will be made again
	}
	if got == nil || got.size().compare(m.best.size()) >= 0 {
		return false
	}
	m.best = got
	return true
}

// known reports whether a candidate was tried before.
func (m *minimiser) known(c *Witness, stall time.Duration) bool {
	h := fnv.New64a()
	fmt.Fprint(h, stall, c.visible.Size(), c.steps, c.values, c.input)
	key := h.Sum64()
	was := m.tried[key]
	m.tried[key] = true
	return was
}

// run makes the run of a candidate. It returns nil if that does not show the finding.
func (m *minimiser) run(ctx context.Context, c *Witness, stall time.Duration) *Witness {
	if m.over(ctx) {
		return nil
	}
	defer func(was time.Duration) { m.w.machine.Stall = was }(m.w.machine.Stall)
	m.w.machine.Stall = stall
	m.runs--
	got, trace, err := m.w.rerun(ctx, c, run.Plan{})
	if err != nil || ctx.Err() != nil {
		m.err = ifNotDone(ctx, err)
		return nil
	}
	m.work -= int(trace.Instructions) + stepWork*len(got.steps) + runWork
	if check.Find(trace, c.key) == nil {
		return nil
	}
	return got
}

// hidePlain leaves the plain accesses that a strategy made visible to their
// goroutines' own time: most findings do not need them as scheduling points.
func (m *minimiser) hidePlain(ctx context.Context) {
	c := *m.best
	if c.visible.Sites, c.visible.Objects, c.visible.Stops = nil, nil, nil; m.best.size().visible > 0 {
		m.try(ctx, &c)
	}
}

// shortenStall looks for the shortest time for which goroutines have to be kept waiting: what needs more is
// not possible in the candidates.
func (m *minimiser) shortenStall(ctx context.Context) {
	least := time.Duration(0)
	for least < m.best.stall && !m.over(ctx) {
		c := *m.best
		c.steps = m.best.needed()
		// What is due at certain times makes few lengths possible, so that the next one is soon tried, too.
		for _, stall := range []time.Duration{least, least + (m.best.stall-least)/2, m.best.stall - 1} {
			if m.tryWithin(ctx, &c, stall) {
				break
			}
			least = max(least, stall+1)
		}
	}
}

// reorder tries other orders of the steps of the best run.
func (m *minimiser) reorder(ctx context.Context, orders func([]step) iter.Seq[[]step]) {
	for better := true; better; {
		better = false
		for steps := range orders(m.best.needed()) {
			if m.over(ctx) {
				return
			}
			c := *m.best
			c.steps = steps
			if better = m.try(ctx, &c); better {
				break
			}
		}
	}
}

// simplifyInput tries simpler inputs.
func (m *minimiser) simplifyInput(ctx context.Context) {
	if m.best.input.InTurn() {
		return // what go test runs are the seeds as they are
	}
	simplicity.Simplify(func() *simplicity.Input { return &m.best.drawn }, func(in *simplicity.Input) bool {
		c := *m.best
		c.steps, c.input, c.drawn.Seed = m.best.needed(), in.Values(), in.Seed
		return m.try(ctx, &c)
	})
}

// choose tries the first values where a run chose others.
func (m *minimiser) choose(ctx context.Context) {
	for n := len(m.best.values); n > 0; n /= 2 {
		for end := len(m.best.values); end > 0; end -= n {
			c := *m.best
			c.steps, c.values = m.best.needed(), slices.Clone(m.best.values)
			clear(c.values[min(max(end-n, 0), len(c.values)):min(end, len(c.values))])
			m.try(ctx, &c)
		}
	}
}
