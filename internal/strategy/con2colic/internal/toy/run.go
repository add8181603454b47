package toy

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A recorder makes the trace of a run.
type recorder struct {
	arena *expr.Arena
	names *run.Names
	plan  *run.Plan
	sched run.Scheduler
	trace *run.Trace
	multi bool
	seen  map[run.Access]bool
	stop  bool
	last  int32
}

// A Machine runs a program under plans.
type Machine struct {
	Arena *expr.Arena
	Names *run.Names

	prog *Program
}

// NewMachine returns a machine for p.
func NewMachine(p *Program) *Machine {
	return &Machine{Arena: expr.NewArena(), Names: run.NewNames(), prog: p}
}

// Objects returns the objects of the cells.
func (p *Program) Objects() map[run.ObjectID]bool {
	objects := map[run.ObjectID]bool{}
	for i := range p.Cells {
		objects[cellObject(i)] = true
	}
	return objects
}

// Run carries out a plan.
func (m *Machine) Run(plan *run.Plan, sched run.Scheduler) *run.Trace {
	m.Arena = expr.NewArena()
	p := m.prog
	r := &recorder{
		arena: m.Arena, names: m.Names, plan: plan, sched: sched, seen: map[run.Access]bool{}, last: -1,
		trace: &run.Trace{Outcome: run.Finished, Covered: bitset.New(2 * p.Branches())},
	}
	var inputs []value
	for _, name := range p.Inputs {
		n := uint8(plan.Input[name]) % max(p.Domain, 1)
		v := value{n: n, sym: r.arena.Var(name, 8)}
		inputs = append(inputs, v)
		r.trace.Inputs = append(r.trace.Inputs, run.InputVar{Name: name, Width: 8, Value: uint64(n), Sym: v.sym})
	}
	s := newState(p, inputs)
	s.rec = r
	s.cover = func(branch int, taken bool) {
		bitset.Set(r.trace.Covered).Add(2*branch + pick(taken, 1, 0))
	}
	main := s.ts[0]
	r.event(main, run.Event{Op: schedule.Start, Object: run.NoObject})
	for _, v := range inputs {
		below := r.arena.Ult(v.sym, r.arena.Const(uint64(p.Domain), 8))
		r.condition(main, run.SiteID{}, below, run.Assumed, schedule.Assume, 0)
	}
	for s.advanceAll(); !s.failed && !r.stop; s.advanceAll() {
		if !s.next() {
			break
		}
	}
	if s.failed {
		r.trace.Outcome = run.Failed
	}
	r.trace.Accesses = sortAccesses(r.seen)
	return r.trace
}

// next takes one step. It is false if there is none or the run is stopped.
func (s *state) next() bool {
	r := s.rec
	var all, enabled []transition
	var choices []run.Transition
	for _, t := range s.ts {
		all = s.transitions(all, t)
	}
	r.trace.Pending = r.trace.Pending[:0]
	for i, w := range all {
		if w.Enabled {
			enabled = append(enabled, w)
			choices = append(choices, w.Transition)
		}
		if i == 0 || all[i-1].t != w.t || all[i-1].Case() != w.Case() || all[i-1].Op != w.Op {
			r.trace.Pending = append(r.trace.Pending, w.Transition)
		}
	}
	if len(enabled) == 0 {
		s.stuck()
		return false
	}
	i := 0
	if len(enabled) > 1 {
		i = r.sched.Choose(&run.SchedulingPoint{Kind: run.Step, Enabled: choices, Last: r.last, Pending: r.trace.Pending, Trace: r.trace})
		if i >= 0 {
			r.trace.Decisions = append(r.trace.Decisions, enabled[i].Decision)
		}
	}
	if w, ok := r.sched.(run.Watcher); i >= 0 && ok && !w.Stepping(&enabled[i].Transition, r.trace) {
		i = -1
	}
	if i < 0 {
		r.trace.Outcome = run.Stopped
		return false
	}
	r.trace.Pending = nil
	r.last = enabled[i].t.id
	s.step(enabled[i])
	return true
}

func (s *state) stuck() {
	trace := s.rec.trace
	for _, g := range s.ts {
		if g.ended {
			continue
		}
		if trace.Stuck == nil {
			trace.Stuck = &run.Stuck{Returned: s.ts[0].ended}
		}
		if !trace.Stuck.Returned {
			trace.Outcome = run.Failed
		}
		trace.Stuck.Goroutines = append(trace.Stuck.Goroutines, run.StuckGoroutine{StackTrace: run.StackTrace{Goroutine: g.id}})
	}
}

func (r *recorder) event(t *thread, e run.Event) int32 {
	e.Goroutine, e.Index = t.id, t.events
	t.events++
	r.trace.Events = append(r.trace.Events, e)
	return int32(len(r.trace.Events) - 1)
}

func (r *recorder) spawned(parent, t *thread, st *Stmt) {
	parent.spawns++
	t.id = r.names.Child(parent.id, parent.spawns)
	r.multi = true
	r.event(parent, run.Event{Op: schedule.Spawn, Object: run.NoObject, Other: t.id, Site: site(st)})
	r.event(t, run.Event{Op: schedule.Start, Object: run.NoObject})
}

func (r *recorder) access(t *thread, o run.ObjectID, wrote bool) {
	if r.multi {
		r.seen[run.Access{Object: o, Goroutine: t.id, Wrote: wrote}] = true
	}
}

// readSymbol returns the fresh symbol of the read that is t's next event.
func (r *recorder) readSymbol(t *thread) expr.ID {
	if !r.plan.ReadSymbols {
		return expr.None
	}
	return r.arena.Var(fmt.Sprintf("%s#%d", r.names.String(t.id), t.events), 8)
}

func (r *recorder) branch(t *thread, st *Stmt, cond expr.ID, taken bool, kind run.ConditionKind) {
	if cond == expr.None {
		return
	}
	if !taken {
		cond = r.arena.Not(cond)
	}
	if _, constant := r.arena.ConstValue(cond); !constant {
		r.condition(t, site(st), cond, kind, schedule.Branch, pick[int32](taken, 1, 0))
	}
}

func (r *recorder) condition(t *thread, site run.SiteID, cond expr.ID, kind run.ConditionKind, op schedule.Op, alt int32) {
	e := r.event(t, run.Event{Op: op, Object: run.NoObject, Site: site, Cond: cond, Alt: alt})
	r.trace.Path = append(r.trace.Path, run.Condition{
		Event: e, Decision: int32(len(r.trace.Decisions)), Goroutine: t.id, Site: site, Cond: cond, Kind: kind,
	})
}

func (r *recorder) choose(t *thread, st *Stmt, n int) int {
	if n <= 1 {
		return 0
	}
	v := r.sched.Choose(&run.SchedulingPoint{Kind: run.Value, N: n, Last: r.last, Goroutine: t.id, Trace: r.trace})
	if v < 0 {
		r.stop, v = true, 0
	}
	r.trace.Decisions = append(r.trace.Decisions, run.Decision{Kind: run.Value, Goroutine: t.id, Alt: int32(v)})
	r.event(t, run.Event{Op: schedule.Choice, Object: run.NoObject, Alt: int32(v), Site: site(st)})
	return v
}

// combine returns the expression of an operator with operands of which one is symbolic.
func (r *recorder) combine(k Kind, x, y value) expr.ID {
	a := r.arena
	if x.sym == expr.None && y.sym == expr.None {
		return expr.None
	}
	id := func(v value) expr.ID {
		if v.sym == expr.None {
			return a.Const(uint64(v.n), 8)
		}
		return v.sym
	}
	switch k {
	case Plus:
		return a.Add(id(x), id(y))
	case Minus:
		return a.Sub(id(x), id(y))
	case Times:
		return a.Mul(id(x), id(y))
	case Equal:
		return a.Eq(id(x), id(y))
	default:
		return a.Ult(id(x), id(y))
	}
}
