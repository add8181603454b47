package recursion

import (
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

const (
	maxFrames = 4096    // how many frames beyond the limit a stack may have
	maxCalls  = 1 << 14 // how many calls may be made beyond the limit
	repeated  = 3       // how many active calls are the same, in the same state
)

// A Detector follows the calls that a goroutine makes beyond the limit on the depth of its
// stack. It is not part of a checkpoint: none are made meanwhile.
type Detector struct {
	g        *state.Goroutine // nil if there is none
	since    heap.Mark
	calls    int
	inputs   int
	path     int
	readings uint64
	step     int // number of steps in the run when g had taken its last one
	active   []call
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

// Reset forgets the calls.
func (r *Detector) Reset() { r.g = nil }

// Call is called for a call of fn that exceeds the limit on the depth of the stack of g. The
// arguments are at Stack[base] if passed is set. The function undisturbed reports whether
// nothing but g can take a step, now or when time passes. Call returns false if the run is
// over.
func (r *Detector) Call(m *state.State, g *state.Goroutine, fn *state.Function, closure *heap.Object, base int32, passed bool, undisturbed func() bool) bool {
	limit := m.Limits.Depth
	if r.g == nil && m.Heap.Recording() {
		*r = Detector{g: g, since: m.Heap.Mark(), inputs: len(m.Trace.Inputs), path: len(m.Trace.Path), readings: m.ClockReadings, step: g.LastStep, active: r.active[:0]}
	}
	depth := len(g.Frames)
	for n := len(r.active); n > 0 && r.active[n-1].depth >= depth; n-- {
		r.active = r.active[:n-1] // it has returned
	}
	r.calls++
	if r.g != g || r.calls > maxCalls || depth >= limit+maxFrames ||
		r.inputs != len(m.Trace.Inputs) || r.path != len(m.Trace.Path) || r.readings != m.ClockReadings {
		return m.Bounded(g, fmt.Sprintf("more than %d frames on the stack of a goroutine", limit))
	}
	if !passed || len(g.Panics) > 0 || g.Merging.On || !m.Heap.Unchanged(&r.since, true) {
		return true
	}
	args := g.Stack[base : int(base)+fn.Params]
	if closure != nil && !closure.Before(&r.since) || slices.ContainsFunc(args, func(w heap.Word) bool { return w.P != nil && !w.P.Before(&r.since) }) {
		return true
	}
	times := 1
	for i := range r.active {
		if c := &r.active[i]; c.fn == fn && c.closure == closure && slices.Equal(c.args, args) {
			times++
		}
	}
	if times >= repeated && (g.LastStep == r.step || undisturbed()) {
		m.Trace.FatalError = &run.Failure{StackTrace: endsOfStack(m, g), Message: "fatal error: stack overflow"}
		return m.Stop(run.Failed, "")
	}
	r.active = append(r.active, call{depth, fn, closure, slices.Clone(args)})
	return true
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
