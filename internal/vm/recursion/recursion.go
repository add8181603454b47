package recursion

import (
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

const (
	maxFrames = 4096    // how many frames beyond the limit a stack may have, in each phase
	maxCalls  = 1 << 14 // how many calls may be made beyond the limit, in each phase
	repeated  = 3       // how many active calls are the same, in the same state
)

// A phase is a part of what a goroutine does beyond the limit.
type phase uint8

const (
	observing phase = iota // calls are compared, and the recursion may end
	seeking                // the next call that looks like a step of an endless recursion is to be proved to be one
	proving                // the arguments of that call stand for those of all that follow
)

// A Detector follows the calls that a goroutine makes beyond the limit on the depth of its
// stack. It is not part of a checkpoint: none are made meanwhile.
type Detector struct {
	g         *state.Goroutine // nil if there is none
	phase     phase
	since     heap.Mark
	depth     int // of the first call
	calls     int // in this phase
	inputs    int
	decisions int
	readings  uint64
	step      int // number of steps in the run when g had taken its last one
	active    []call
	induction induction
}

// A call is an active call that was made in a state that differs from the one at the first
// call at most by objects made since.
type call struct {
	depth   int
	fn      *state.Function
	closure *heap.Object
	args    []heap.Word
}

// Active reports whether a goroutine has made calls beyond the limit.
func (r *Detector) Active() bool { return r.g != nil }

// Reset forgets the calls. It is called when m is rewound.
func (r *Detector) Reset(m *state.State) {
	r.g = nil
	m.Unconditional = nil
}

// Call is called for a call of fn that exceeds the limit on the depth of the stack of g. The
// arguments are at Stack[base] if passed is set. The function undisturbed reports whether
// nothing but g can take a step, now or when time passes. Call returns symbolic values that
// the arguments get, nil if they stay as they are, and false if the run is over.
func (r *Detector) Call(m *state.State, g *state.Goroutine, fn *state.Function, closure *heap.Object, base int32, passed bool, undisturbed func() bool) ([]expr.ID, bool) {
	if m.Over {
		return nil, false
	}
	if r.g == nil && m.Heap.Recording() {
		*r = Detector{
			g: g, since: m.Heap.Mark(), depth: len(g.Frames), inputs: len(m.Trace.Inputs), decisions: len(m.Trace.Decisions),
			readings: m.ClockReadings, step: g.LastStep, active: r.active[:0],
		}
	}
	depth := len(g.Frames)
	for n := len(r.active); n > 0 && r.active[n-1].depth >= depth; n-- {
		r.active = r.active[:n-1] // it has returned
	}
	r.calls++
	if r.g != g || r.inputs != len(m.Trace.Inputs) || r.decisions != len(m.Trace.Decisions) || r.readings != m.ClockReadings {
		return nil, r.exceeded(m, g)
	}
	if r.calls > maxCalls || depth >= r.depth+(int(r.phase)+1)*maxFrames {
		if r.phase != observing {
			return nil, r.exceeded(m, g)
		}
		r.phase, r.calls = seeking, 0
	}
	if r.phase == proving && depth <= r.induction.depth {
		return nil, r.exceeded(m, g) // the call has returned
	}
	if !passed || len(g.Panics) > 0 || g.Merging.On || !m.Heap.Unchanged(&r.since, true) {
		return nil, true
	}
	args := g.Stack[base : int(base)+fn.Params]
	if closure != nil && !closure.Before(&r.since) ||
		slices.ContainsFunc(args, func(w heap.Word) bool { return w.P != nil && !w.P.Before(&r.since) }) {
		return nil, true
	}
	alone := func() bool { return g.LastStep == r.step || undisturbed() }
	c := call{depth, fn, closure, args}
	if r.phase == proving {
		if r.induction.completes(m, g, &c, int(base)) {
			if !alone() {
				return nil, r.exceeded(m, g)
			}
			return nil, overflow(m, g)
		}
		return nil, true
	}
	times := 1
	for i := range r.active {
		if same := &r.active[i]; same.calls(&c) && slices.Equal(same.args, args) {
			times++
		}
	}
	if times >= repeated && alone() {
		return nil, overflow(m, g)
	}
	if r.phase == seeking && r.induction.begin(m, r.active, &c) {
		r.phase, r.calls = proving, 0
		m.Unconditional = func() { r.exceeded(m, g) }
		return r.induction.args(m, 0), true
	}
	c.args = slices.Clone(args)
	r.active = append(r.active, c)
	return nil, true
}

// calls reports whether c and d are calls of the same function value.
func (c *call) calls(d *call) bool { return c.fn == d.fn && c.closure == d.closure }

// exceeded ends the run, because it exceeds the limit on the depth and nothing shows that the
// recursion does not end. It returns false.
func (r *Detector) exceeded(m *state.State, g *state.Goroutine) bool {
	if limit := m.Limits.Depth; limit > 0 && len(g.Frames) >= limit {
		return m.Bounded(g, fmt.Sprintf("more than %d frames on the stack of a goroutine", limit))
	}
	return m.Bounded(g, fmt.Sprintf("more than %d MiB of memory", m.Limits.Memory>>20))
}

// overflow ends the run, because the stack of g overflows. It returns false.
func overflow(m *state.State, g *state.Goroutine) bool {
	m.Trace.FatalError = &run.Failure{StackTrace: endsOfStack(m, g), Message: "fatal error: stack overflow"}
	return m.Stop(run.Failed, "")
}

// shownFrames is the number of frames at each end of a very long stack that Go prints.
const shownFrames = 50

// endsOfStack returns where g is, with the innermost and outermost frames of its stack.
func endsOfStack(m *state.State, g *state.Goroutine) run.StackTrace {
	t := m.StackTrace(g, len(g.Frames))
	if n := len(t.Frames); n > 2*shownFrames {
		t.Frames = slices.Concat(t.Frames[:shownFrames], t.Frames[n-shownFrames:])
	}
	return t
}
