package sched

import (
	"context"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Runs that begin alike. A search that goes depth first makes runs that have most
// of their steps in common with the one before. Such a run begins at the last
// checkpoint before they part, of those made in the run before and in the ones
// before that which it began like. From there on it goes as any run, so that the
// trace is that of the run from the start.
//
// Two things tell that a run begins like the one before. Either its scheduler says so,
// when it is a Resumer: up to where the two part the run takes the decisions of the one
// before, and the scheduler is not asked, nor told. Or its plan's prefix begins with decisions
// of the run before.

// Resumption is what the machine knows of the run before, and where it is to stop
// over in this one.
type Resumption struct {
	setting        setting        // of this run
	resumer        run.Resumer    // whose run it is, nil when there is none
	shared         int            // steps that are those of the run before, as its Resumer says
	replay         []run.Decision // those of the run before
	nextCheckpoint int            // number of steps after which the next checkpoint is, -1 for none
	distance       int            // how many steps there are from one checkpoint to the next
	end            int            // number of steps of the run before
	Began          int            // number of steps after which this one began
}

// A setting is what a run depends on beside its decisions.
type setting struct {
	input   run.Input
	visible run.Visible
	plain
}

// plain is the part of a setting that can be compared.
type plain struct {
	record, recordPlain, readSymbols, inputToState bool
	merge                                          run.Merging
	run.Settings
}

// settingOf returns the setting of a run of plan.
func (m *Scheduler) settingOf(plan *run.Plan) setting {
	return setting{plan.Input, plan.Visible, plain{
		plan.Record, plan.RecordPlain, plan.ReadSymbols, plan.InputToState, plan.Merge, m.Settings,
	}}
}

// like reports whether s and t are the same but for the input.
func (s *setting) like(t *setting) bool {
	return s.plain == t.plain &&
		maps.Equal(s.visible.Sites, t.visible.Sites) && maps.Equal(s.visible.Objects, t.visible.Objects)
}

// A level is a checkpoint of a run, or that at the start of the entry function.
type level struct {
	state.Mark
	progress progress
}

// Checkpoint makes the present state one that rewind can come back to. It
// returns its level.
func (m *Scheduler) Checkpoint() int {
	n := len(m.levels)
	m.levels = slices.Grow(m.levels, 1)[:n+1]
	l := &m.levels[n]
	*l = level{m.CheckpointState(), progress{covered: l.progress.covered[:0], able: l.progress.able, moved: l.progress.moved}}
	return n
}

// Rewind takes the machine back to the checkpoint of a level, which stays; those after it
// are gone.
func (m *Scheduler) Rewind(to int) {
	m.RewindState(&m.levels[to].Mark)
	m.levels = m.levels[:to+1] // their memory is used again
}

// progress is how far a run has come, beside memory and goroutines.
type progress struct {
	steps       int
	last, fired int32
	multi       bool
	fuel, small int64
	arena       expr.Mark
	printed     int // bytes
	merged      int // conditions

	trace run.Trace // with failures, accesses and seeds of its own; the other lists are the machine's
	// How long the lists of the trace were that only grow.
	decisions, events, inputs, path, wishes, givenUp int
	covered                                          []uint64

	// What the run was watched for cycles with.
	marks       int
	able, moved race.SlotSet
	open        bool
}

// Resume begins a run at the last checkpoint that it has in common with the
// run before. It is false when it has to begin at the start of the entry function.
func (m *Scheduler) Resume(ctx context.Context, plan *run.Plan, sched run.Scheduler) bool {
	was, fresh := m.Resumption, m.CtxErr != nil || m.FromStart
	m.Resumption = Resumption{setting: m.settingOf(plan), nextCheckpoint: -1, end: m.cycle.steps}
	to := 0
	if r, ok := sched.(run.Resumer); ok {
		m.resumer = r
		to = m.sharedWithLast(r, fresh || r != was.resumer || len(plan.Prefix) > 0)
	} else if _, watches := sched.(run.Watcher); !watches && !fresh && len(plan.Prefix) > 0 {
		to = m.sharedByPlan(plan, &was.setting)
	}
	if to == 0 {
		return false
	}
	l := &m.levels[to]
	m.Races.Rewind(&l.Races)
	clear(m.Touched[m.Races.Touched():])
	m.Touched = m.Touched[:m.Races.Touched()]
	m.rewindConditions(l)
	m.Rewind(to)
	m.SpareGoroutines()
	m.Ctx, m.Plan, m.policy = ctx, plan, sched
	m.watcher = m.resumer
	m.continuing, _ = sched.(run.Continuing)
	m.restoreProgress(&l.progress)
	m.Began = l.progress.steps
	return true
}

// sharedWithLast asks r what the run has in common with the one before, which it has
// nothing to do with when unlike is set. It returns the level to begin at.
func (m *Scheduler) sharedWithLast(r run.Resumer, unlike bool) int {
	if unlike {
		m.shared = r.Resume(nil)
		return 0
	}
	if m.shared = r.Resume(m.Trace); m.shared == 0 {
		return 0
	}
	m.replay = m.Trace.Decisions // kept in place: the run takes the same
	return m.lastLevel(func(p *progress) bool { return p.steps <= m.shared })
}

// sharedByPlan returns the level to begin at, by the plan's prefix, when the setting
// of the run before was the one given.
func (m *Scheduler) sharedByPlan(plan *run.Plan, was *setting) int {
	if !m.setting.like(was) {
		return 0
	}
	decisions := 0
	for decisions < min(len(plan.Prefix), len(m.Trace.Decisions)) && plan.Prefix[decisions] == m.Trace.Decisions[decisions] {
		decisions++
	}
	if decisions == 0 {
		return 0
	}
	inputs := was.input.Shared(plan.Input, m.Trace.Inputs)
	return m.lastLevel(func(p *progress) bool { return p.decisions <= decisions && p.inputs <= inputs })
}

// lastLevel returns the last level of which ok is true, and plans the checkpoints of a
// run that begins there.
func (m *Scheduler) lastLevel(ok func(*progress) bool) int {
	to := len(m.levels) - 1
	for to > 0 && !ok(&m.levels[to].progress) {
		to--
	}
	m.planCheckpoints(m.levels[to].progress.steps)
	return to
}

// A checkpoint costs about as much as two or three steps. So there is one every so
// many steps at most, and so many at most in the part of a run that is new.
const (
	minDistance       = 6
	checkpointsPerRun = 4
)

// maxPrinted is the number of bytes after which a run that prints makes no more
// checkpoints: they are kept, to be printed again by runs that begin like it.
const maxPrinted = 1 << 16

// planStopovers says that the run, which has come so far, is to stop over at regular
// distances up to the end of the one before, a guess of how long it will be.
func (m *Scheduler) planCheckpoints(steps int) {
	m.distance = max(minDistance, (m.end-steps)/checkpointsPerRun)
	m.planNextCheckpoint(steps)
}

// nextStopover sets where to stop over after so many steps.
func (m *Scheduler) planNextCheckpoint(steps int) {
	m.nextCheckpoint = steps + m.distance
	if m.nextCheckpoint > m.end-minDistance/2 {
		m.nextCheckpoint = -1
	}
}

// stopOver makes a checkpoint that later runs may begin at.
func (m *Scheduler) makeCheckpoint() {
	if len(m.Printed) > maxPrinted {
		m.nextCheckpoint = -1
		return
	}
	l := &m.levels[m.Checkpoint()]
	t, p, c := m.Trace, &l.progress, &m.cycle
	p.steps, p.last, p.fired, p.multi = c.steps, m.Last, m.fired, m.Multi
	p.fuel, p.small = m.Fuel, m.Round.Small
	p.trace = *t
	ownFacts(&p.trace)
	p.decisions, p.events, p.inputs = len(t.Decisions), len(t.Events), len(t.Inputs)
	p.path, p.wishes, p.givenUp = len(t.Path), len(t.Correspondences), len(t.GivenUp)
	p.covered = append(p.covered, t.Covered...)
	p.arena = m.Arena.Mark()
	p.printed = len(m.Printed)
	p.merged = len(m.Events.Merged)
	p.marks, p.open = len(c.marks), c.open
	p.able.Copy(&c.able)
	p.moved.Copy(&c.moved)
	m.planNextCheckpoint(c.steps)
}

// ownFacts gives t lists of its own where later runs must not write.
func ownFacts(t *run.Trace) {
	t.TestFailures, t.Unordered, t.Seeds = slices.Clone(t.TestFailures), slices.Clone(t.Unordered), slices.Clone(t.Seeds)
}

// goBack makes the run one that has come so far.
func (m *Scheduler) restoreProgress(p *progress) {
	m.Arena.Release(p.arena)
	t, now := m.Trace, *m.Trace
	*t = p.trace
	t.Decisions, t.Events = now.Decisions[:p.decisions], now.Events[:p.events]
	t.Inputs, t.Path, t.Correspondences, t.GivenUp = now.Inputs[:p.inputs], now.Path[:p.path], now.Correspondences[:p.wishes], now.GivenUp[:p.givenUp]
	t.Covered = append(now.Covered[:0], p.covered...)
	t.Accesses = now.Accesses[:0]
	ownFacts(t) // those of former runs are their readers'
	m.Last, m.fired, m.Multi = p.last, p.fired, p.multi
	m.Fault, m.Over = state.NoFault, false
	m.Fuel, m.Round.Small = p.fuel, p.small
	m.Printed = m.Printed[:p.printed]
	if m.Output != nil && p.printed > 0 {
		_, _ = m.Output.Write(m.Printed) // as output does
	}
	c := &m.cycle
	c.steps, c.marks, c.open = p.steps, c.marks[:p.marks], p.open
	c.able.Copy(&p.able)
	c.moved.Copy(&p.moved)
}

// rewindConditions forgets what was held and given up since a checkpoint. It comes
// before goroutines are gone.
func (m *Scheduler) rewindConditions(l *level) {
	t, p := m.Trace, &l.progress
	for i := range t.Path[p.path:] {
		c := &t.Path[p.path+i]
		delete(m.Events.Held, state.HeldCondition{Slot: m.slotOf(c.Goroutine), Cond: c.Cond})
	}
	for _, u := range t.GivenUp[p.givenUp:] {
		delete(m.Events.GaveUp, u)
	}
	m.Events.Merged = m.Events.Merged[:p.merged]
}

// prefix returns the decisions that the run is to begin with.
func (m *Scheduler) prefix() []run.Decision {
	if m.cycle.steps <= m.shared && len(m.replay) > 0 {
		return m.replay
	}
	return m.Plan.Prefix
}
