package vm

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
)

// Runs that begin alike. A search that goes depth first makes runs that have most
// of their steps in common with the one before. Such a run begins at the last
// checkpoint before they part, of those made in the run before and in the ones
// before that which it began like. From there to where they part it takes the
// decisions of the run before; its scheduler is not asked, nor told.
//
// A run that has printed something makes no more checkpoints, for what comes before
// one is not printed again.

// A Resumer is a Watcher whose runs begin alike. Resumers are compared: the dynamic
// type is one that can be.
type Resumer interface {
	Watcher
	// Resume is called at the start of a run. If the machine's last run was the
	// Resumer's too, last is its trace, otherwise nil. The result is the number of
	// steps of that run with which this one begins, 0 when last is nil; Stepping and
	// Choose are called for what comes after them only.
	//
	// The run before must have had a further step. The machine's settings and the plans,
	// which have no prefix, must be the same but for inputs that are not drawn in those
	// steps.
	Resume(last *Trace) int
}

// resumption is what the machine knows of the run before, and where it is to stop
// over in this one.
type resumption struct {
	resumer  Resumer    // whose run it is, nil when there is none
	shared   int        // steps that are those of the run before
	replay   []Decision // those of the run before
	stopover int        // number of steps after which the next checkpoint is, -1 for none
	stretch  int        // how many steps there are from one checkpoint to the next
	end      int        // number of steps of the run before
	spoken   bool       // the run has printed something: that would not be done again
}

// progress is how far a run has come, beside memory and goroutines.
type progress struct {
	steps       int
	last, fired int32
	multi       bool
	fuel, small int64
	arena       expr.Mark
	races       raceMark

	trace Trace // with findings and seeds, which runs do not share, but no other list
	// How long the lists of the trace were that only grow.
	decisions, events, inputs, path, givenUp int
	covered                                  []uint64
}

// resume begins a run at the last checkpoint that it has in common with the
// run before. It is false when it has to begin at the start of the entry function.
func (m *Machine) resume(ctx context.Context, plan *Plan, sched Scheduler) bool {
	r, _ := sched.(Resumer)
	last := m.trace
	if r == nil || r != m.resumer || m.ctxErr != nil || len(plan.Prefix) > 0 {
		last = nil
	}
	m.resumption = resumption{resumer: r, stopover: -1, end: m.cycle.steps}
	if r == nil {
		return false
	}
	if m.shared = r.Resume(last); m.shared == 0 {
		return false
	}
	m.replay = m.trace.Decisions // kept in place: the run takes the same
	to := len(m.undo.levels) - 1
	for to > 0 && m.undo.levels[to].progress.steps > m.shared {
		to--
	}
	m.planStopovers(m.undo.levels[to].progress.steps)
	if to == 0 {
		return false
	}
	l := &m.undo.levels[to]
	m.rewindRaces(l)
	m.rewindConditions(l)
	m.rewind(to)
	m.spareGoroutines()
	m.ctx, m.plan = ctx, plan
	m.goBack(&l.progress)
	return true
}

// A checkpoint costs about as much as two or three steps. So there is one every so
// many steps at most, and so many at most in the part of a run that is new.
const (
	stretchSteps  = 6
	newStretches  = 4
	stopoverUntil = cycleFrom - 1 // before the run is watched for cycles, which has a state of its own
)

// planStopovers says that the run, which has come so far, is to stop over at regular
// distances up to the end of the one before, a guess of how long it will be.
func (m *Machine) planStopovers(steps int) {
	m.stretch = max(stretchSteps, (m.end-steps)/newStretches)
	m.nextStopover(steps)
}

// nextStopover sets where to stop over after so many steps.
func (m *Machine) nextStopover(steps int) {
	m.stopover = steps + m.stretch
	if m.stopover > min(m.end-stretchSteps/2, stopoverUntil) {
		m.stopover = -1
	}
}

// stopOver makes a checkpoint that later runs may begin at.
func (m *Machine) stopOver() {
	if m.spoken {
		m.stopover = -1
		return
	}
	l := &m.undo.levels[m.checkpoint()]
	t, p := m.trace, &l.progress
	p.steps, p.last, p.fired, p.multi = m.cycle.steps, m.last, m.fired, m.multi
	p.fuel, p.small = m.fuel, m.round.small
	p.trace = Trace{
		Findings: slices.Clone(t.Findings), Seeds: slices.Clone(t.Seeds),
		Instructions: t.Instructions, TimersHeld: t.TimersHeld, Skipped: t.Skipped,
	}
	p.decisions, p.events, p.inputs, p.path, p.givenUp = len(t.Decisions), len(t.Events), len(t.Inputs), len(t.Path), len(t.GivenUp)
	p.covered = append(p.covered, t.Covered...)
	p.arena = m.Arena.Mark()
	p.races = m.races.mark()
	m.nextStopover(m.cycle.steps)
}

// goBack makes the run one that has come so far.
func (m *Machine) goBack(p *progress) {
	m.Arena.Release(p.arena)
	t, now := m.trace, *m.trace
	*t = p.trace
	t.Decisions, t.Events = now.Decisions[:p.decisions], now.Events[:p.events]
	t.Inputs, t.Path, t.GivenUp = now.Inputs[:p.inputs], now.Path[:p.path], now.GivenUp[:p.givenUp]
	t.Covered = append(now.Covered[:0], p.covered...)
	t.Accesses = now.Accesses[:0]
	t.Findings, t.Seeds = slices.Clone(t.Findings), slices.Clone(t.Seeds) // those of former runs are their readers'
	m.last, m.fired, m.multi = p.last, p.fired, p.multi
	m.fault, m.over = noFault, false
	m.fuel, m.round.small = p.fuel, p.small
	clear(m.offers[:cap(m.offers)]) // those of goroutines that have ended are not all in sight
	m.cycle.begin()
	m.cycle.steps = p.steps
}

// rewindConditions forgets what was held and given up since a checkpoint. It comes
// before goroutines are gone.
func (m *Machine) rewindConditions(l *level) {
	t, p := m.trace, &l.progress
	for i := range t.Path[p.path:] {
		c := &t.Path[p.path+i]
		delete(m.events.held, heldCondition{m.slotOf(c.Goroutine), c.Cond})
	}
	for _, u := range t.GivenUp[p.givenUp:] {
		delete(m.events.gaveUp, u)
	}
}

// prefix returns the decisions that the run is to begin with.
func (m *Machine) prefix() []Decision {
	if m.cycle.steps <= m.shared && len(m.replay) > 0 {
		return m.replay
	}
	return m.plan.Prefix
}
