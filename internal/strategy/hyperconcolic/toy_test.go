package hyperconcolic

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A toy is a machine for programs of straight-line goroutines that access cells and branch on
// inputs: enough to count the runs of a search.
type toy struct {
	arena *expr.Arena
	gs    [][]toyOp
}

// A toyOp is a visible operation and what comes after it.
type toyOp struct {
	op   schedule.Op
	cell int32
	// If branch is set, the condition input < bound follows; if it is false, the goroutine
	// skips the next operations.
	branch string
	bound  uint64
	skip   int
	// If address is set, the value of the input is concretized.
	address string
	// If choices is set, a value below it is chosen.
	choices int
}

func write(cell int32) toyOp { return toyOp{op: schedule.AtomicWrite, cell: cell} }
func read(cell int32) toyOp  { return toyOp{op: schedule.AtomicRead, cell: cell} }

// toyWidth is the width of toy inputs.
const toyWidth = 4

func (m *toy) run(plan *run.Plan, sched run.Scheduler) *run.Trace {
	if r, ok := sched.(run.Resumer); ok {
		r.Resume(nil)
	}
	trace := &run.Trace{}
	pc := make([]int, len(m.gs))
	drawn := map[string]expr.ID{}
	draw := func(name string) (expr.ID, uint64) {
		x, ok := drawn[name]
		if !ok {
			x = m.arena.Var(name, toyWidth)
			drawn[name] = x
			trace.Inputs = append(trace.Inputs, run.InputVar{Name: name, Width: toyWidth, Value: plan.Input[name], Sym: x})
		}
		return x, plan.Input[name]
	}
	condition := func(g int, kind run.ConditionKind, x, value expr.ID) {
		trace.Path = append(trace.Path, run.Condition{
			Decision: int32(len(trace.Decisions)), Goroutine: int32(g),
			Site: run.SiteID{Func: int32(g), Instr: int32(pc[g])}, Kind: kind, Cond: x, Value: value,
		})
	}
	last := int32(-1)
	// choose returns the index of one of the decisions, which are all of one kind, or -1.
	choose := func(p *run.SchedulingPoint, decisions []run.Decision) int {
		i := 0
		if n := len(trace.Decisions); n < len(plan.Prefix) {
			for i < len(decisions) && decisions[i] != plan.Prefix[n] {
				i++
			}
			if i == len(decisions) {
				trace.Outcome = run.Infeasible
				return -1
			}
		} else if i = sched.Choose(p); i < 0 {
			trace.Outcome = run.Stopped
			return -1
		}
		trace.Decisions = append(trace.Decisions, decisions[i])
		return i
	}
	for {
		var pending []run.Transition
		var decisions []run.Decision
		for g, ops := range m.gs {
			if pc[g] < len(ops) {
				d := run.Decision{Kind: run.Step, Goroutine: int32(g)}
				decisions = append(decisions, d)
				pending = append(pending, run.Transition{
					Decision: d, Op: ops[pc[g]].op, Object: run.ObjectID{Goroutine: 0, Count: ops[pc[g]].cell + 1},
					Cells: 1, Partner: -1, Enabled: true,
				})
			}
		}
		trace.Pending = pending
		i := 0
		switch len(pending) {
		case 0:
			return trace
		case 1:
		default:
			if i = choose(&run.SchedulingPoint{Kind: run.Step, Enabled: pending, Pending: pending, Last: last, Trace: trace}, decisions); i < 0 {
				return trace
			}
		}
		if w, ok := sched.(run.Watcher); ok && !w.Stepping(&pending[i], trace) {
			trace.Outcome = run.Stopped
			return trace
		}
		g := int(pending[i].Goroutine)
		last = int32(g)
		op := &m.gs[g][pc[g]]
		pc[g]++
		if op.address != "" {
			x, v := draw(op.address)
			condition(g, run.Concretized, m.arena.Eq(x, m.arena.Const(v, toyWidth)), x)
		}
		if op.choices > 0 {
			p := &run.SchedulingPoint{Kind: run.Value, N: op.choices, Goroutine: int32(g), Trace: trace}
			var ds []run.Decision
			for v := range op.choices {
				ds = append(ds, run.Decision{Kind: run.Value, Goroutine: int32(g), Alt: int32(v)})
			}
			if choose(p, ds) < 0 {
				return trace
			}
		}
		if op.branch != "" {
			x, v := draw(op.branch)
			c := m.arena.Ult(x, m.arena.Const(op.bound, toyWidth))
			if v < op.bound {
				condition(g, run.Jump, c, expr.None)
			} else {
				condition(g, run.Jump, m.arena.Not(c), expr.None)
				pc[g] += op.skip
			}
		}
	}
}
