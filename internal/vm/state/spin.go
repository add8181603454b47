package state

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/schedule"
)

// Spinning. A goroutine that reads shared state in a loop until it changes returns, at the
// end of an iteration, to the state in which it began the iteration: it has changed
// neither anything that another goroutine could notice nor its own frames and registers.
// As long as everything that the loop reads stays the same, all it can do is repeat the
// iteration. The machine therefore does not let it continue: the goroutine awaits a
// change, and its operation is disabled until there is one.
//
// This loses no behaviour. Take any run in which a goroutine completes iterations of such
// a loop and then leaves it in the middle of another one. Since the complete iterations
// change nothing, the run without them is a run too, with at most fewer happens-before
// edges. In that run the goroutine leaves the loop in its first iteration, in which its
// operations are never disabled. A goroutine that would iterate forever awaits a change
// forever. (The iterations are stuttering steps: Lamport, What Good is Temporal Logic?,
// 1983.)
//
// A step only observes if its operation says so by calling [State.Observe] or one of its
// variants. Writes to memory are counted by the heap, and everything else that a goroutine
// does to other goroutines or to itself is counted by [State.Changed]. Plain accesses that
// are not visible operations can be ignored: the goroutine has released nothing since the
// start of the iteration, so no other goroutine can change what it has read without a
// data race.

// stepState is what the machine knows about the step that a goroutine is taking.
type stepState struct {
	Changes   uint64     // counts actions that do more than observe, except for writes to memory
	before    uint64     // Changes before the step
	writes    uint64     // Heap.Writes before the step
	used      int64      // State.Used before the step
	observed  bool       // the step's operation only observes
	Chunks    int        // chunks of instructions since the step began
	Endless   *Goroutine // that is known to be in an endless loop, nil if none is
	Pauses    int        // how often the goroutine has paused before the step, one time after the other, with nothing else that could have come first
	Unchecked int64      // instructions executed since limits were last checked
}

// A Spin follows a goroutine that has only observed shared state since it was at its
// head: a place before an operation where a loop may begin.
type Spin struct {
	Watching     bool // there is a head
	Awaits       bool // an iteration is complete: the goroutine is at its head again, in the same state
	Head         HeadState
	Places       []Place       // where the steps since the head began
	Observations []Observation // what these steps have observed
	// The loop may begin after the head. When the goroutine has returned to one of Places
	// Limit times, the head moves to the current place and Limit doubles (after Brent, An
	// improved Monte Carlo factorization algorithm, BIT 1980). In any case it moves after
	// maxPlaces steps. Revisits counts the returns.
	Revisits, Limit int
	// pause is the number of steps until there may be another head: on a deep stack it costs
	// much to have one.
	pause int
	// Ranges is Transition.Awaits while the goroutine awaits a change. It is allocated
	// anew each time.
	Ranges []run.Range
}

// A HeadState is the state of a goroutine, as far as it determines what the goroutine
// does next.
type HeadState struct {
	frames []Frame
	Stack  []heap.Word
	sym    []expr.ID
}

// A Place is the position of a goroutine in the code: that of its innermost call.
type Place struct {
	Func  *Function
	PC    int32
	depth int32
}

const (
	maxPlaces = 64 // bound on the number of steps of an iteration that is recognised
	maxLimit  = 4  // when Spin.Limit is larger, the head only moves after maxPlaces steps

	wordsPerPause = 2048 // of the stack
	wordsPerFrame = 8
)

// An Observation is what a step has observed of a cell or a channel, and what would
// change its result.
type Observation struct {
	until ObservationKind
	send  bool          // untilReady: the goroutine wants to send
	at    heap.Location // the cell or channel; not used with untilCount
	kind  code.Kind     // UntilEqual: the kind of the values compared
	Word  heap.Word     // the value that was found; UntilEqual and UntilClear: what the cell was compared with
	sym   expr.ID       // the symbolic value that was found
}

// An ObservationKind says which change would make the result of an observation different.
type ObservationKind uint8

const (
	untilOther   ObservationKind = iota // the cell has another value than Word
	UntilEqual                          // the cell has the value Word
	UntilClear                          // the cell has none of the bits of Word
	untilReady                          // the channel is ready to send to or to receive from
	untilCount                          // the number of goroutines differs from Word
	untilGarbage                        // a collection would change something
)

// BeginStep is called before g takes a step. It starts a new count of chunks of
// instructions, so that the place where a goroutine pauses does not depend on what others
// have done before. It returns false if the run is over because of a limit.
func (m *State) BeginStep(g *Goroutine) bool {
	r := &m.Step
	r.observed = false
	r.before, r.writes, r.used = r.Changes, m.Heap.Writes, m.Used
	r.Chunks = 0
	spent := m.Spent()
	m.Trace.Instructions += spent
	m.SetFuel(FuelChunk)
	if r.Unchecked += int64(spent); r.Unchecked >= FuelChunk {
		r.Unchecked = 0
		if !m.Refuel(g) {
			return false
		}
	}
	if g.At == AtPause || g.At == AtHold || g.At == AtGoal {
		g.Granted = false
		m.ObserveNothing()
	}
	if g.At == AtStop {
		m.ObserveNothing()
	}
	return true
}

// PauseAfter is called when g has carried out a visible operation. In the invisible code that
// follows, g may let go of objects, start goroutines, and end. Only a collection can tell when it
// does, or who asks for the number of goroutines: if the plan makes that visible, g pauses, so that
// these can come before.
func (m *State) PauseAfter(g *Goroutine) {
	if m.Pausing && !m.Over && g.Status == Running {
		m.parkAtHold(g)
	}
}

// PauseAfterStart is called when g has started another goroutine. If the plan makes the number of
// goroutines visible, g pauses, so that somebody can ask for the number before g goes on.
func (m *State) PauseAfterStart(g *Goroutine) {
	if m.Pausing && m.Plan.Visible.Objects[run.GoroutinesObject] {
		m.PauseAfter(g)
	}
}

// PauseBefore is called before g lets go of something. If plain accesses are visible, g
// pauses, since it may have made one, after which it does not pause. PauseBefore reports
// whether g has been parked, to execute its instruction again.
func (m *State) PauseBefore(g *Goroutine) bool {
	if !m.Pausing || len(m.Plan.Visible.Sites) == 0 {
		return false
	}
	g.Pending = m.yieldOf(g)
	m.Park(g, AtHold)
	return true
}

// PauseAtStart is called before g executes invisible code, if m.Pausing is set. It does what
// PauseAfter does if g has just been started, and reports whether it did.
func (m *State) PauseAtStart(g *Goroutine) bool {
	if g.Granted || g.Slot == 0 || g.At != AtAccess {
		return false
	}
	m.parkAtHold(g)
	return true
}

// parkAtHold makes g, which has carried out its instruction, wait for the scheduler.
func (m *State) parkAtHold(g *Goroutine) {
	g.Pending = m.yieldOf(g)
	m.Park(g, AtHold)
	m.Fault = NoFault
}

// ParkAtPause makes g, which has executed invisible code in a loop for long, wait for the
// scheduler, as if it yielded: it may be waiting for another one to change a variable, in a loop
// without any visible operation. Other goroutines then get to make their changes, which race with
// its reads; and if its loop has changed nothing since the last pause, it spins. It returns false.
func (m *State) ParkAtPause(g *Goroutine) bool {
	g.Pending = m.yieldOf(g)
	return m.Park(g, AtPause)
}

// yieldOf returns the transition in which g goes on after a pause.
func (m *State) yieldOf(g *Goroutine) run.Transition {
	return run.Transition{Op: schedule.Yield, Object: run.NoObject, Cells: 1, Partner: -1, Site: m.SiteOfTop(g), Enabled: true}
}

// Changed notes that the goroutine does something in its step that is more than
// observing.
func (m *State) Changed() { m.Step.Changes++ }

// Observe notes that g's operation only reads n cells of o.
func (m *State) Observe(g *Goroutine, o *heap.Object, off, n int) {
	m.Step.observed = true
	if s := g.Spin; s != nil && s.Watching {
		for i := off; i < off+n; i++ {
			at := heap.Location{Object: o, Offset: i}
			word, sym := at.Content()
			s.Observations = append(s.Observations, Observation{at: at, Word: word, sym: sym})
		}
	}
}

// ObserveHidden notes that g has read a cell by an atomic operation that is not visible, so that
// the step may do more than that. If the operation is as it is to be, nobody changes the cell while
// g goes round; in a run that shows that it is not, g may await that.
func (m *State) ObserveHidden(g *Goroutine, l heap.Location) {
	s := g.Spin
	if s == nil || !s.Watching {
		return
	}
	word, sym := l.Content()
	o := Observation{at: l, Word: word, sym: sym}
	switch {
	case slices.Contains(s.Observations, o):
	case len(s.Observations) == maxPlaces:
		s.Watching = false
	default:
		s.Observations = append(s.Observations, o)
	}
}

// ObserveUntil notes that g's operation has compared the cell l with word, in the way
// given by until, and failed, and that it does nothing but report that. If symbolic
// values are involved, any change of the cell may change the result.
func (m *State) ObserveUntil(g *Goroutine, until ObservationKind, l heap.Location, k code.Kind, word heap.Word, symbolic bool) {
	if _, sym := l.Content(); symbolic || sym != expr.None {
		m.Observe(g, l.Object, l.Offset, 1)
		return
	}
	m.Step.observed = true
	if s := g.Spin; s != nil && s.Watching {
		s.Observations = append(s.Observations, Observation{until: until, at: l, kind: k, Word: word})
	}
}

// ObserveComms notes that g takes the default case of its select.
func (m *State) ObserveComms(g *Goroutine) {
	m.Step.observed = true
	if s := g.Spin; s != nil && s.Watching {
		for i := range g.Comms {
			if c := &g.Comms[i]; c.Chan != nil {
				s.Observations = append(s.Observations, Observation{until: untilReady, send: c.Send, at: heap.Location{Object: c.Chan}})
			}
		}
	}
}

// ObserveCount notes that g reads the number of goroutines.
func (m *State) ObserveCount(g *Goroutine) {
	m.Step.observed = true
	if s := g.Spin; s != nil && s.Watching {
		s.Observations = append(s.Observations, Observation{until: untilCount, Word: heap.Word{N: uint64(len(m.Live))}})
	}
}

// ObserveNoGarbage notes that g has found that a collection would change nothing.
func (m *State) ObserveNoGarbage(g *Goroutine) {
	m.Step.observed = true
	if s := g.Spin; s != nil && s.Watching {
		s.Observations = append(s.Observations, Observation{until: untilGarbage})
	}
}

// ObserveNothing notes that g's operation neither reads nor changes anything.
func (m *State) ObserveNothing() { m.Step.observed = true }

// OnlyObserved reports whether the step that is being taken has only observed so far.
func (m *State) OnlyObserved() bool {
	return m.Step.observed && m.Step.Changes == m.Step.before && m.Heap.Writes == m.Step.writes && m.Used == m.Step.used
}

// mayObserveNext reports whether the operation at which g is parked may turn out to only
// observe.
func (g *Goroutine) mayObserveNext() bool {
	switch g.At {
	case AtPause:
		return true
	case AtAccess:
		return g.Pending.Op == schedule.Read || g.Pending.Op == schedule.LenChan
	case AtCommunication:
		return g.HasDefault
	case AtPrimitive:
		return g.Prim.Prim.MayOnlyRead
	}
	return false
}

// endStep is called when g has been parked. It finds out whether g is back at its head,
// in the same state.
func (m *State) endStep(g *Goroutine) {
	s := g.Spin
	onlyObserved := m.OnlyObserved()
	if s != nil {
		s.Awaits = false
		s.Watching = s.Watching && onlyObserved
	}
	if g.At == AtHold || g.At == AtStop || g.At == AtGoal {
		return // not a place of its own: a loop is recognised at the operations in it
	}
	if !m.Multi || !g.mayObserveNext() || len(g.Panics) > 0 {
		if s != nil {
			s.Watching = false
		}
		return
	}
	if s == nil {
		s = new(Spin)
		g.Spin = s
	}
	here := g.place()
	s.pause = max(s.pause-1, 0)
	switch {
	case !s.Watching:
		s.Limit = 1
		s.begin(g)
		return
	case s.Head.Matches(m, g):
		if s.mayAwait(g) {
			s.Awaits = true
			s.Ranges = s.awaitedRanges()
			return
		}
	case s.Limit <= maxLimit && slices.Contains(s.Places, here):
		s.Revisits++
	}
	if s.Revisits >= s.Limit || len(s.Places) == maxPlaces || s.seeksFirstPartner(g) {
		s.Limit = min(2*s.Limit, 2*maxLimit)
		s.begin(g)
		return
	}
	s.Places = append(s.Places, here)
}

// begin makes the place at which g is parked the head, unless there was another one a short
// time ago.
func (s *Spin) begin(g *Goroutine) {
	if s.Watching = s.pause == 0; !s.Watching {
		return
	}
	s.Revisits = 0
	s.Places = append(s.Places[:0], g.place())
	s.Observations = s.Observations[:0]
	s.Head.Set(g)
	s.pause = (len(s.Head.Stack) + wordsPerFrame*len(s.Head.frames)) / wordsPerPause
}

// Resume is called when a goroutine that awaits a change takes its step.
func (s *Spin) Resume() {
	s.Awaits = false
	s.Revisits = 0
	s.Places = s.Places[:1]
	s.Observations = s.Observations[:0]
}

// Forget drops the head and what was observed since.
func (s *Spin) Forget() { s.Watching, s.Awaits, s.pause = false, false, 0 }

// seeksFirstPartner reports whether g is about to look for partners on unbuffered
// channels for the first time since the head. A partner that is waiting shows only in the
// transitions of the select itself, so the head should be at the select.
func (s *Spin) seeksFirstPartner(g *Goroutine) bool {
	return g.seeksPartner() && !s.soughtPartner()
}

// mayAwait reports whether the observations include everything that g depends on. They do
// if g looked for partners on unbuffered channels only in the operation at which it is
// parked.
func (s *Spin) mayAwait(g *Goroutine) bool {
	n := 0
	for i := range s.Observations {
		if s.Observations[i].seeksPartner() {
			n++
		}
	}
	if n == 0 {
		return true
	}
	return g.seeksPartner() && n <= len(g.Comms)
}

// soughtPartner reports whether a step since the head has looked for a partner.
func (s *Spin) soughtPartner() bool {
	for i := range s.Observations {
		if s.Observations[i].seeksPartner() {
			return true
		}
	}
	return false
}

// seeksPartner reports whether o was made on an unbuffered channel.
func (o *Observation) seeksPartner() bool { return o.until == untilReady && CapChan(o.at.Object) == 0 }

// seeksPartner reports whether g is parked at a communication on an unbuffered channel.
func (g *Goroutine) seeksPartner() bool {
	if g.At != AtCommunication {
		return false
	}
	for i := range g.Comms {
		if ch := g.Comms[i].Chan; ch != nil && CapChan(ch) == 0 {
			return true
		}
	}
	return false
}

// Await disables the operation of g, which awaits a change, until one of its observations
// would give another result. The communications of a select are not affected: they are
// enabled when they are ready.
func (m *State) Await(g *Goroutine, transitions []run.Transition) {
	s := g.Spin
	changed := slices.ContainsFunc(s.Observations, m.differs)
	for i := range transitions {
		t := &transitions[i]
		if t.Select && t.Op != schedule.SelectDefault {
			continue
		}
		t.Spins = true
		t.Awaits = s.Ranges
		t.Enabled = t.Enabled && changed
		if t.Op == schedule.AtomicRead && !t.Compares && len(s.Places) == 1 {
			t.Delta = WordState(s.Observations[0].Word)
		}
	}
}

// differs reports whether o would give another result now.
func (m *State) differs(o Observation) bool {
	switch o.until {
	case untilReady:
		return m.Finds(&Comm{Send: o.send, Chan: o.at.Object})
	case untilCount:
		return uint64(len(m.Live)) != o.Word.N
	case untilGarbage:
		return m.Collects()
	}
	word, sym := o.at.Content()
	switch o.until {
	case UntilEqual:
		return sym != expr.None || word.Canonical(o.kind) == o.Word
	case UntilClear:
		return word.N&o.Word.N == 0
	}
	return word != o.Word || sym != o.sym
}

// awaitedRanges returns the cells of the observations, nil if all of them were made by
// one operation.
func (s *Spin) awaitedRanges() []run.Range {
	if len(s.Places) == 1 {
		return nil
	}
	var list []run.Range
	for i := range s.Observations {
		r := s.Observations[i].cells()
		if !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	return list
}

// cells returns the cells that o depends on.
func (o *Observation) cells() run.Range {
	switch o.until {
	case untilReady:
		return run.Range{Object: o.at.Object.ID, Cells: ChanBuffer}
	case untilCount, untilGarbage:
		return run.Range{Object: run.GoroutinesObject, Cells: 1}
	}
	return run.Range{Object: o.at.Object.ID, Offset: int32(o.at.Offset), Cells: 1}
}

// place returns where g is.
func (g *Goroutine) place() Place {
	f := g.Top()
	return Place{f.Func, f.PC, int32(len(g.Frames))}
}

// Set makes h the state of g.
func (h *HeadState) Set(g *Goroutine) {
	top := int(g.Top().Base) + g.Top().Func.Regs
	h.frames = append(h.frames[:0], g.Frames...)
	h.Stack = append(h.Stack[:0], g.Stack[:top]...)
	h.sym = append(h.sym[:0], g.Sym[:min(top, len(g.Sym))]...)
}

// copy makes h a copy of from that shares nothing with it that changes.
func (h *HeadState) copy(from *HeadState) {
	h.frames = append(h.frames[:0], from.frames...)
	h.Stack = append(h.Stack[:0], from.Stack...)
	h.sym = append(h.sym[:0], from.sym...)
}

// Matches reports whether g is in state h. Registers that are not needed any more do not
// matter. If reads yield fresh symbols, symbolic values never repeat, so only the
// concrete values are compared.
//
// Deferred calls need not be compared, since adding one counts as a change: if a frame
// has as many as before, they are the same.
func (h *HeadState) Matches(m *State, g *Goroutine) bool {
	if len(g.Frames) != len(h.frames) {
		return false
	}
	for i := len(g.Frames) - 1; i >= 0; i-- {
		x, y := &g.Frames[i], &h.frames[i]
		if x.Func != y.Func || x.PC != y.PC || x.Closure != y.Closure || x.Base != y.Base || x.Mode != y.Mode ||
			len(x.Defers) != len(y.Defers) {
			return false
		}
	}
	for i := len(g.Frames) - 1; i >= 0; i-- { // the innermost is most likely another
		f := &g.Frames[i]
		pc, end := f.PC, f.Func.Regs
		if i+1 < len(g.Frames) {
			if g.Frames[i+1].Mode == Called {
				end = int(f.Func.Code[pc].A) // the call window and the registers above it belong to the callee
			}
			pc++
		}
		for w, set := range f.Func.NeededBefore(pc) {
			for ; set != 0; set &= set - 1 {
				r := w*64 + bits.TrailingZeros64(set)
				if r >= end {
					break
				}
				at := int(f.Base) + r
				if g.Stack[at] != h.Stack[at] {
					return false
				}
				if !m.Plan.ReadSymbols && shadowIn(f, g.Sym, at) != shadowIn(&h.frames[i], h.sym, at) {
					return false
				}
			}
		}
	}
	return true
}

// shadowIn returns the symbolic value of the register of f at index at.
func shadowIn(f *Frame, sym []expr.ID, at int) expr.ID {
	if !f.Symbolic {
		return expr.None
	}
	return sym[at]
}

// copySpin returns a copy of from that reuses the memory of to. Both may be nil.
func copySpin(to, from *Spin) *Spin {
	if from == nil || !from.Watching {
		if to == nil && from != nil && from.pause > 0 {
			to = new(Spin)
		}
		if to != nil {
			to.Watching, to.Awaits, to.pause = false, false, 0
			if from != nil {
				to.pause = from.pause
			}
		}
		return to
	}
	if to == nil {
		to = new(Spin)
	}
	head, places, observations := to.Head, to.Places, to.Observations
	*to = *from
	to.Head = head
	to.Head.copy(&from.Head)
	to.Places = append(places[:0], from.Places...)
	to.Observations = append(observations[:0], from.Observations...)
	return to
}

// Frames returns the frames of h.
func (h *HeadState) Frames() []Frame { return h.frames }

// Shadows returns the symbolic values of the registers of h.
func (h *HeadState) Shadows() []expr.ID { return h.sym }

// Depth returns the number of frames of a goroutine at p.
func (p Place) Depth() int32 { return p.depth }

// Pause returns for how many steps there is no other head.
func (s *Spin) Pause() int { return s.pause }

// Parts returns what o consists of besides Word.
func (o *Observation) Parts() (until ObservationKind, send bool, at heap.Location, kind code.Kind, sym expr.ID) {
	return o.until, o.send, o.at, o.kind, o.sym
}

// Spins reports whether g awaits a change.
func (g *Goroutine) Spins() bool { return g.Spin != nil && g.Spin.Awaits }

// Awaited returns what g, which awaits a change, is waiting for, as text.
func (g *Goroutine) Awaited() string {
	var list []string
	for i := range g.Spin.Observations {
		if what := g.Spin.Observations[i].String(); !slices.Contains(list, what) {
			list = append(list, what)
		}
	}
	return strings.Join(list, " or ")
}

// String returns what kind of thing was observed.
func (o *Observation) String() string {
	switch o.until {
	case UntilClear:
		return "a lock"
	case untilReady:
		return "a channel"
	case untilCount:
		return "the number of goroutines"
	case untilGarbage:
		return "something to be collected"
	}
	if o.at.Object.Kind == heap.ChanObject {
		return "a channel"
	}
	return "a variable"
}

// WordState returns a number for Transition.State that distinguishes a word of memory
// from others.
func WordState(w heap.Word) int64 { return int64(w.PointerCode()) }
