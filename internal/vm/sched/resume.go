package sched

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Resuming at checkpoints. A depth-first search makes runs that have most of their steps in
// common with the previous run. Such a run need not be executed from the start: it resumes
// at the last checkpoint before the point where the two runs diverge. From there on it is
// executed like any other run, and its trace is the same as if it had been executed from
// the start.
//
// There are three ways to know that a run begins like the previous one. Its policy is a
// Resumer and says so: then the run takes the decisions of the previous one up to the
// point where they diverge, without calling the policy. Or the plan's prefix begins with
// decisions of the previous run. Or no decision has been taken yet.

// Resumption is what the scheduler knows about the previous run, and where it makes
// checkpoints in the current one.
type Resumption struct {
	setting        setting        // of the current run
	resumer        run.Resumer    // policy of the current run, nil if it is no Resumer
	shared         int            // number of steps shared with the previous run, according to resumer
	replay         []run.Decision // decisions of the previous run
	nextCheckpoint int            // number of steps after which to make the next checkpoint, -1 for none
	interval       int            // number of steps between checkpoints, 0 if none are planned
	longAfter      uint64         // number of instructions after which to make one in any case
	end            int            // number of steps of the previous run
	Began          int            // number of steps of the current run that were not executed, since it resumed at a checkpoint
}

// noCheckpoints returns the Resumption of a run without checkpoints.
func noCheckpoints() Resumption { return Resumption{nextCheckpoint: -1, longAfter: math.MaxUint64} }

// A setting is what a run depends on besides its decisions.
type setting struct {
	input   run.Input
	visible run.Visible
	// unprotected is Plan.Unprotected, which is not changed in place.
	unprotected map[run.Allocation]bool
	plain
}

// plain is the part of a setting that is comparable.
type plain struct {
	record, recordPlain, readSymbols, inputToState bool
	oneOrder                                       bool
	merge                                          run.Merging
	symmetry, addsCommute, forgetUses              bool
	forgetAccesses, forgetKnowledge, forgetUnread  bool
	rename, mergePlaces                            bool
	run.Settings
}

// settingOf returns the setting of a run of plan.
func (m *Scheduler) settingOf(plan *run.Plan) setting {
	return setting{plan.Input, plan.Visible, plan.Unprotected, plain{
		plan.Record, plan.RecordPlain, plan.ReadSymbols, plan.InputToState, plan.OneOrder, plan.Merge, plan.Symmetry, plan.AddsCommute, plan.ForgetUses,
		plan.ForgetAccesses, plan.ForgetKnowledge, plan.ForgetUnread, plan.Rename, plan.MergePlaces, m.Settings,
	}}
}

// compatible reports whether s and t are equal except for the input.
func (s *setting) compatible(t *setting) bool {
	return s.plain == t.plain && maps.Equal(s.unprotected, t.unprotected) && s.visible.Equal(t.visible)
}

// A checkpoint is a state of a run to which the machine can be rewound. The first one is
// at the start of the entry function.
type checkpoint struct {
	state.Mark
	progress progress
}

// Checkpoint makes a checkpoint of the current state and returns its index. It does not
// set the progress, which the first checkpoint does not need.
func (m *Scheduler) Checkpoint() int {
	n := len(m.checkpoints)
	m.checkpoints = slices.Grow(m.checkpoints, 1)[:n+1]
	cp := &m.checkpoints[n]
	*cp = checkpoint{m.CheckpointState(), progress{covered: cp.progress.covered[:0], enabled: cp.progress.enabled, moved: cp.progress.moved}}
	return n
}

// Rewind rewinds the machine to the checkpoint with the given index, which remains. Those
// after it are discarded.
func (m *Scheduler) Rewind(to int) {
	m.RewindState(&m.checkpoints[to].Mark)
	m.recursion.Reset(&m.State)
	m.checkpoints = m.checkpoints[:to+1] // the memory of the others is reused
}

// progress is the state of a run besides memory and goroutines.
type progress struct {
	steps           int
	last            int32
	multi           bool
	fuel, unchecked int64
	pauses          int
	arena           expr.Mark
	printed         int // number of bytes
	merged          int // number of merged conditions

	trace run.Trace // its lists of facts and seeds are copies; the others belong to the machine
	// decisions and the others are the lengths of those lists of the trace that only
	// grow.
	decisions, events, inputs, path, correspondences, givenUp, placedBounds int
	covered                                                                 []uint64

	// marks, idle, enabled, moved and otherChoice are from the detection of cycles and
	// deadlocks.
	marks          int
	enabled, moved race.SlotSet
	otherChoice    bool
	idle           int
}

// Resume begins a run at the last checkpoint that it has in common with the previous run.
// It returns false if there is none, so that the run has to begin at the start of the
// entry function.
func (m *Scheduler) Resume(ctx context.Context, plan *run.Plan, sched run.Scheduler) bool {
	was, fresh := m.Resumption, m.CtxErr != nil || m.FromStart
	m.Resumption = noCheckpoints()
	m.setting, m.end = m.settingOf(plan), m.cycle.steps
	if !m.FromStart {
		m.planLong(0)
	}
	to := 0
	if r, ok := sched.(run.Resumer); ok {
		m.resumer = r
		to = m.sharedWithLast(r, fresh || r != was.resumer || len(plan.Prefix) > 0)
	} else if _, watches := sched.(run.Watcher); !watches && !fresh {
		to = m.sharedByPlan(plan, &was.setting)
	}
	if to == 0 {
		return false
	}
	cp := &m.checkpoints[to]
	m.Races.Rewind(&cp.Races)
	clear(m.Touched[m.Races.Touched():])
	m.Touched = m.Touched[:m.Races.Touched()]
	m.rewindConditions(cp)
	m.Rewind(to)
	m.SpareGoroutines()
	m.Ctx, m.Plan, m.policy = ctx, plan, sched
	m.watcher = m.resumer
	m.continuing, _ = sched.(run.Continuing)
	m.restoreProgress(&cp.progress)
	m.Began = cp.progress.steps
	return true
}

// sharedWithLast asks r how many steps the run shares with the previous one, and returns
// the checkpoint at which to begin. If unlike is set, the previous run is not a run of r.
func (m *Scheduler) sharedWithLast(r run.Resumer, unlike bool) int {
	if unlike {
		m.shared = r.Resume(nil)
		return 0
	}
	if m.shared = r.Resume(m.Trace); m.shared == 0 {
		return 0
	}
	m.replay = m.Trace.Decisions // not copied, since the run begins with the same decisions
	to := m.lastCheckpoint(func(p *progress) bool { return p.steps <= m.shared })
	m.planCheckpoints(to)
	return to
}

// sharedByPlan returns the checkpoint at which to begin according to the plan's prefix,
// where was is the setting of the previous run.
func (m *Scheduler) sharedByPlan(plan *run.Plan, was *setting) int {
	if !m.setting.compatible(was) || was.input.InTurn() != plan.Input.InTurn() {
		return 0
	}
	decisions := 0
	for decisions < min(len(plan.Prefix), len(m.Trace.Decisions)) && plan.Prefix[decisions] == m.Trace.Decisions[decisions] {
		decisions++
	}
	inputs := was.input.Shared(plan.Input, m.Trace.Inputs)
	to := m.lastCheckpoint(func(p *progress) bool { return p.decisions <= decisions && p.inputs <= inputs })
	if decisions > 0 {
		m.planCheckpoints(to)
	}
	return to
}

// lastCheckpoint returns the last checkpoint for which ok returns true.
func (m *Scheduler) lastCheckpoint(ok func(*progress) bool) int {
	to := len(m.checkpoints) - 1
	for to > 0 && !ok(&m.checkpoints[to].progress) {
		to--
	}
	return to
}

// A checkpoint costs about as much as two or three steps. That bounds how many are made.
const (
	minInterval       = 6 // smallest number of steps between checkpoints
	checkpointsPerRun = 4 // number of checkpoints in the part of a run that is new
)

// maxPrinted is the number of bytes of output after which a run makes no more
// checkpoints. The output is kept, since a run that resumes at a checkpoint prints it
// again.
const maxPrinted = 1 << 16

// long is a number of instructions that takes far more time than a checkpoint.
const long = 1 << 18

// Steps returns how many steps the run has taken or begun, those included that were not executed
// because it resumed at a checkpoint.
func (m *Scheduler) Steps() int { return m.cycle.steps }

// planLong plans a checkpoint for a run that is long, after its last checkpoint at the
// given number of instructions: when it has executed half as many again, so that there are
// few. A run without other checkpoints makes those only as long as it has taken no
// decision: package initialisers that have started a goroutine may go on for long, and all
// runs have that in common.
func (m *Scheduler) planLong(instructions uint64) {
	m.longAfter = instructions + max(long, instructions/2)
}

// planCheckpoints plans checkpoints at regular intervals, from the checkpoint with the
// given index to the end of the previous run, as a guess of the length of this one.
func (m *Scheduler) planCheckpoints(from int) {
	steps := m.checkpoints[from].progress.steps
	m.interval = max(minInterval, (m.end-steps)/checkpointsPerRun)
	m.planNextCheckpoint(steps)
}

// planNextCheckpoint sets nextCheckpoint after the given number of steps.
func (m *Scheduler) planNextCheckpoint(steps int) {
	m.nextCheckpoint = steps + m.interval
	if m.nextCheckpoint > m.end-minInterval/2 {
		m.nextCheckpoint = -1
	}
}

// makeCheckpoint makes a checkpoint at which later runs may begin.
func (m *Scheduler) makeCheckpoint() {
	if len(m.Printed) > maxPrinted || m.recursion.Active() || m.interval == 0 && len(m.Trace.Decisions) > 0 {
		m.nextCheckpoint, m.longAfter = -1, math.MaxUint64
		return
	}
	m.planLong(m.Trace.Instructions)
	cp := &m.checkpoints[m.Checkpoint()]
	t, p, c := m.Trace, &cp.progress, &m.cycle
	p.steps, p.last, p.multi = c.steps, m.Last, m.Multi
	p.fuel, p.unchecked, p.pauses = m.Unspent(), m.Step.Unchecked, m.Step.Pauses
	p.trace = *t
	ownFacts(&p.trace)
	p.decisions, p.events, p.inputs = len(t.Decisions), len(t.Events), len(t.Inputs)
	p.path, p.correspondences, p.givenUp = len(t.Path), len(t.Correspondences), len(t.GivenUp)
	p.placedBounds = len(t.PlacedBounds)
	p.covered = append(p.covered, t.Covered...)
	p.arena = m.Arena.Mark()
	p.printed = len(m.Printed)
	p.merged = len(m.Events.Merged)
	p.marks, p.idle, p.otherChoice = len(c.marks), c.idle, c.otherChoice
	p.enabled.Copy(&c.enabled)
	p.moved.Copy(&c.moved)
	if m.interval > 0 {
		m.planNextCheckpoint(c.steps)
	}
	if m.Checkpointed != nil {
		m.Checkpointed(c.steps)
	}
}

// ownFacts copies the lists of t that later runs must not change.
func ownFacts(t *run.Trace) {
	t.TestFailures, t.Unordered, t.Seeds = slices.Clone(t.TestFailures), slices.Clone(t.Unordered), slices.Clone(t.Seeds)
	t.Unjudged, t.Tests, t.Subtests, t.ClosedSends = slices.Clone(t.Unjudged), slices.Clone(t.Tests), slices.Clone(t.Subtests), slices.Clone(t.ClosedSends)
}

// restoreProgress restores the progress of the run at a checkpoint.
func (m *Scheduler) restoreProgress(p *progress) {
	m.Arena.Release(p.arena)
	t, now := m.Trace, *m.Trace
	*t = p.trace
	t.Decisions, t.Events = now.Decisions[:p.decisions], now.Events[:p.events]
	t.Inputs, t.Path, t.Correspondences, t.GivenUp = now.Inputs[:p.inputs], now.Path[:p.path], now.Correspondences[:p.correspondences], now.GivenUp[:p.givenUp]
	t.PlacedBounds = now.PlacedBounds[:p.placedBounds]
	if m.InputHeap != nil {
		m.InputHeap.Restore()
	}
	t.Covered = append(now.Covered[:0], p.covered...)
	t.Accesses = now.Accesses[:0]
	ownFacts(t) // the readers of previous traces may still use theirs
	m.planLong(t.Instructions)
	m.Last = p.last
	m.SetMulti(p.multi)
	m.Fault, m.Over = state.NoFault, false
	m.SetFuel(p.fuel)
	m.Meter.Begin(p.decisions, p.path)
	m.Step.Unchecked, m.Step.Pauses, m.Step.Endless = p.unchecked, p.pauses, nil
	m.Printed = m.Printed[:p.printed]
	if m.Output != nil && p.printed > 0 {
		_, _ = m.Output.Write(m.Printed) // as WriteOutput does
	}
	c := &m.cycle
	c.steps, c.idle, c.marks, c.otherChoice = p.steps, p.idle, c.marks[:p.marks], p.otherChoice
	c.enabled.Copy(&p.enabled)
	c.moved.Copy(&p.moved)
}

// rewindConditions removes from Events what was added since a checkpoint. It must be
// called while the goroutines since then still exist.
func (m *Scheduler) rewindConditions(cp *checkpoint) {
	t, p := m.Trace, &cp.progress
	for i := range t.Path[p.path:] {
		c := &t.Path[p.path+i]
		slot := int32(-1) // of timers
		if c.Goroutine >= 0 {
			slot = m.slotOf(c.Goroutine)
		}
		delete(m.Events.Known, state.KnownCondition{Slot: slot, Cond: c.Cond})
	}
	for _, u := range t.GivenUp[p.givenUp:] {
		delete(m.Events.GaveUp, u)
	}
	m.Events.Merged = m.Events.Merged[:p.merged]
}

// prefix returns the decisions with which the run begins.
func (m *Scheduler) prefix() []run.Decision {
	if m.cycle.steps <= m.shared && len(m.replay) > 0 {
		return m.replay
	}
	return m.Plan.Prefix
}
