package inspect

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/variables"
	"github.com/everyway-go/everyway/schedule"
)

// Options say how a session shows a run.
type Options struct {
	// Library follows the functions of the standard library too: their lines are points, and their
	// variables are shown.
	Library bool
}

// A Session shows a run. It stands at one of the run's points. It is not safe for concurrent use.
type Session struct {
	ctx      context.Context
	program  *program.Program
	target   *load.Target
	recorded *schedule.Run
	worker   *worker.Worker
	machine  *vm.Machine
	follower *variables.Follower
	options  Options

	plan   *run.Plan
	policy *policy
	points []Point
	events []run.Event         // of the whole run
	steps  []schedule.RunEvent // the events as reports show them
	ended  *run.Trace          // how the run ended
	found  []check.Finding
	// finding is the index in found of what was recorded, -1 if the run does not show it.
	finding int

	indexing  bool // the points are being listed
	truncated bool // there are more than maxPoints
	lost      string
	at        int // the point at which the session stands
	goal      int // the point to which it goes
	step      int32
	cursor    int // the next Line in step
	synced    bool
	snapshots map[int]*variables.Snapshot
	pause     func(int) bool // stops the run until it is to go on; false if it is to end
	resume    func() (int, bool)
	stop      func()
	fault     error

	globals map[*heap.Object]string
	locks   *lockTable
	// other is the session's run that was left for another schedule, nil if it shows the recorded one.
	other *departure
}

// A departure is what a session showed before it went on under another schedule.
type departure struct {
	policy    *policy
	points    []Point
	steps     []schedule.RunEvent
	ended     *run.Trace
	found     []check.Finding
	finding   int
	truncated bool
	at        int
}

// Open makes a recorded run of a program that was loaded with program.LoadNamed, and returns a session that
// stands at its first point.
func Open(ctx context.Context, prog *program.Program, target *load.Target, recorded *schedule.Run, opts Options) (*Session, error) {
	corpus, err := worker.ReadCorpus(prog, target)
	if err != nil {
		return nil, err
	}
	s := &Session{ctx: ctx, program: prog, target: target, recorded: recorded, options: opts, snapshots: make(map[int]*variables.Snapshot)}
	s.follower = variables.New(prog.Fset)
	s.follower.Follows = func(f *code.Func) bool { return opts.Library || !f.Standard }
	s.follower.Reached = s.reached
	cfg := worker.Config{
		Settings: worker.RecordedSettings(recorded.Options), Corpus: corpus, Leaks: check.LeaksAll, Goal: recorded.Goal,
		Prepare: func(m *vm.Machine) {
			s.machine = m
			m.Traps.At, m.Traps.Sprung = s.follower.Traps, s.trap
			m.Checkpointed = func(steps int) { s.snapshots[steps] = s.follower.Snapshot() }
		},
	}
	w, err := worker.NewMachines(prog, func(time.Duration) {}).Worker(ctx, target, cfg, run.NewNames(), func([]byte) {})
	if err != nil {
		return nil, err
	}
	s.worker = w
	s.machine.Output = io.Discard
	if s.plan, err = w.Plan(recorded); err != nil {
		return nil, err
	}
	decisions := s.plan.Prefix
	s.plan.Prefix = nil
	if err := s.index(&policy{s: s, decisions: decisions, rest: run.NonPreemptive{}}); err != nil {
		return nil, err
	}
	return s, s.Goto(0)
}

// Close ends the session.
func (s *Session) Close() {
	s.halt()
	s.worker.Close()
}

// index carries out the run to its end and lists its points.
func (s *Session) index(p *policy) error {
	s.halt()
	s.policy, s.points, s.indexing, s.truncated = p, nil, true, false
	s.fault, s.synced = nil, false
	t, err := s.worker.Run(s.ctx, s.plan, p)
	s.indexing = false
	if err == nil {
		err = s.fault
	}
	if err != nil {
		return fmt.Errorf("making the run: %w", err)
	}
	s.ended = t.Clone()
	s.events, s.steps = s.ended.Events, s.worker.RecordSteps(s.ended)
	p.decisions = s.ended.Decisions // whoever has taken them
	s.lost = p.lost
	last := Point{Kind: End, Step: int32(s.machine.Steps()) + 1, Events: int32(len(s.events)), Goroutine: -1, Func: -1}
	s.points = append(s.points, last)
	s.found, s.finding = s.worker.Findings(s.ended), -1
	for i := range s.found {
		if s.worker.SameFinding(&s.found[i], s.recorded) {
			s.finding = i
			break
		}
	}
	if s.finding < 0 && len(s.found) > 0 {
		s.finding = 0
	}
	s.at = len(s.points) - 1
	return nil
}

// trap implements state.Traps.Sprung.
func (s *Session) trap(g *state.Goroutine, f *state.Frame) bool {
	if s.machine.Booting || s.policy == nil {
		return true
	}
	s.sync()
	return s.follower.Trap(g, f)
}

// sync makes the follower know what it knew where the run has resumed.
func (s *Session) sync() {
	if s.synced {
		return
	}
	s.synced, s.step, s.cursor = true, -1, 0
	snapshot := s.snapshots[s.machine.Began]
	if s.machine.Began == 0 || snapshot == nil {
		s.follower.Begin()
		return
	}
	s.follower.Restore(snapshot)
}

// reached is called when a goroutine comes to a line.
func (s *Session) reached(g *state.Goroutine, at token.Pos, first bool) bool {
	step := int32(s.machine.Steps())
	if s.indexing {
		return s.add(Point{
			Kind: Line, Step: step, Goroutine: g.ID, Depth: int32(len(g.Frames)), Func: g.Top().Func.ID,
			Pos: at, Entered: first,
		})
	}
	if step != s.step {
		s.step, s.cursor = step, s.firstOf(step)
		if step > 0 {
			s.cursor++ // the Step itself
		}
	}
	i := s.cursor
	s.cursor++
	if p := &s.points[min(i, len(s.points)-1)]; p.Kind != Line || p.Goroutine != g.ID || p.Pos != at {
		s.fault = fmt.Errorf("the run was not the same when it was made again, at point %d", i)
		return false
	}
	return s.reach(i)
}

// stepping is called when a step is about to be taken.
func (s *Session) stepping(t *run.Transition) bool {
	s.sync()
	step := int32(s.machine.Steps())
	if s.indexing {
		p := Point{Kind: Step, Step: step, Goroutine: t.Goroutine, Func: -1, Op: t.Op}
		if t.Goroutine >= 0 {
			g := s.goroutine(t.Goroutine)
			p.Depth = int32(len(g.Frames))
			if i := s.sourceFrame(g); i >= 0 {
				f := &g.Frames[i]
				p.Func, p.Pos = f.Func.ID, f.Func.Pos[f.PC]
			}
		}
		return s.add(p)
	}
	return s.reach(s.firstOf(step))
}

// add adds a point when the points are listed.
func (s *Session) add(p Point) bool {
	if len(s.points) == maxPoints {
		s.truncated = true
		return false
	}
	p.Events = int32(len(s.machine.Trace.Events))
	s.points = append(s.points, p)
	return true
}

// reach is called when the run comes to a point that is listed.
func (s *Session) reach(i int) bool {
	if i < s.goal {
		return true
	}
	s.at = i
	return s.pause(i)
}

var errGone = errors.New("the run ended before the point")

// Goto goes to the point with an index.
func (s *Session) Goto(i int) error {
	if i < 0 || i >= len(s.points) {
		return fmt.Errorf("there is no point %d: the run has those from 0 to %d", i, len(s.points)-1)
	}
	s.locks = nil
	if i == s.at {
		return nil
	}
	s.goal = i
	if s.resume == nil || i < s.at || s.at < 0 {
		s.begin(i)
	}
	_, ok := s.resume()
	switch {
	case s.fault != nil:
		return s.fault
	case ok:
		return nil
	case i == len(s.points)-1:
		s.at = i
		return nil
	}
	return errGone
}

// begin begins to carry out the run, from the last checkpoint before point i or from the start.
func (s *Session) begin(i int) {
	s.halt()
	// The lines of a step are in it, so that the step before is the last that may be skipped.
	s.policy.shared = max(0, int(s.points[i].Step)-1)
	s.synced, s.fault, s.policy.lost = false, nil, ""
	s.resume, s.stop = iter.Pull(func(yield func(int) bool) {
		s.pause = yield
		if _, err := s.worker.Run(s.ctx, s.plan, s.policy); err != nil && s.fault == nil {
			s.fault = err
		}
	})
}

// halt ends the run that is being carried out.
func (s *Session) halt() {
	if s.stop != nil {
		s.stop()
	}
	s.resume, s.stop = nil, nil
}

// Len returns the number of points.
func (s *Session) Len() int { return len(s.points) }

// At returns the point at which the session stands.
func (s *Session) At() int { return s.at }

// Point returns a point.
func (s *Session) Point(i int) Point { return s.points[i] }

// Truncated reports whether the run has more points than a session lists: it ends at the last one then.
func (s *Session) Truncated() bool { return s.truncated }

// Lost says why the run is not the recorded one, "" if it is: a decision of its schedule was not possible.
func (s *Session) Lost() string { return s.lost }

// Steps returns the number of steps that the schedule of the run has.
func (s *Session) Steps() int { return int(s.points[len(s.points)-1].Step) - 1 }

// goroutine returns the goroutine with a number, nil if it has not been started.
func (s *Session) goroutine(id int32) *state.Goroutine {
	for _, g := range s.machine.Goroutines {
		if g.ID == id {
			return g
		}
	}
	return nil
}

// Switch leaves the run for another one: it is the same up to the point at which the session stands, where
// goroutine g takes the next step instead. After that the schedule is a fair one. The session
// stands at the same point of it. [Session.Return] comes back.
func (s *Session) Switch(g int32) error {
	if s.at == len(s.points)-1 {
		return errors.New("the run is at its end")
	}
	was := departure{s.policy, s.points, s.steps, s.ended, s.found, s.finding, s.truncated, s.at}
	step := s.points[s.at].Step
	if s.points[s.at].Kind != Step {
		step++ // the one that comes next
	}
	decisions, choice := s.policy.choices[step]
	if !choice {
		return errors.New("no other goroutine can take a step here")
	}
	turn := &turn{s: s, goroutine: g}
	err := s.index(&policy{s: s, decisions: slices.Clone(s.ended.Decisions[:decisions]), rest: turn})
	if err == nil && turn.missed != "" {
		err = errors.New(turn.missed)
	}
	if err != nil {
		s.restore(&was)
		return errors.Join(err, s.Goto(was.at))
	}
	if s.other == nil {
		s.other = &was
	}
	return s.Goto(was.at)
}

// Departed reports whether the session shows another run than the recorded one, because of Switch.
func (s *Session) Departed() bool { return s.other != nil }

// Return comes back from Switch to the recorded run, at the point at which the session left it.
func (s *Session) Return() error {
	if s.other == nil {
		return errors.New("this is the recorded run")
	}
	was := s.other
	s.other = nil
	s.restore(was)
	return s.Goto(was.at)
}

// restore makes the session show a run that it showed before. It stands nowhere until it goes to a point.
func (s *Session) restore(d *departure) {
	s.halt()
	s.policy, s.points, s.steps, s.ended, s.found, s.finding, s.truncated = d.policy, d.points, d.steps, d.ended, d.found, d.finding, d.truncated
	s.events = s.ended.Events
	s.at = -1
}
