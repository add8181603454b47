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

// Spinning. A goroutine that reads shared state in a loop until it changes comes
// back, at the end of a round, to the state in which it began it: it has changed
// nothing that another goroutine could notice, nor its own frames and registers.
// To go on is to make that round again, as long as everything that it looks at
// looks the same. So the machine does not let it: the goroutine awaits a change, and
// its operation is disabled until there is one.
//
// Nothing is given up by that. Take any run in which a goroutine makes complete
// rounds of a loop and then leaves it in the middle of another one. Rounds change
// nothing, so without those that are complete it is a run as well, with fewer
// happens-before edges at most; in it the goroutine leaves the loop in its first
// round, in which nothing is ever disabled. And a goroutine that goes round for ever
// is one that awaits for ever. (The rounds are stuttering steps: Lamport, What Good
// is Temporal Logic?, 1983.)
//
// A step counts as looking when it is an operation that says so by [Machine.look]
// and its friends. Whatever else a goroutine does, to memory, to other goroutines or
// to itself, counts in Machine.changes. Plain accesses that are no visible operations
// need not be followed: nobody changes what the goroutine has read without a
// race, since it has released nothing since.

// roundState is what the machine knows about the step that a goroutine is taking.
type roundState struct {
	changes uint64 // counts what is not just looking, beside writes to memory
	before  uint64 // changes before the step
	writes  uint64 // heap.Writes before the step
	used    int64  // Machine.used before the step
	looked  bool   // the step's operation just looks
	chunks  int    // of instructions since the step began
	Small   int64  // instructions of steps since limits were looked at
}

// A Spin follows a goroutine that has only looked since it was at its head, a point
// before an operation.
type Spin struct {
	Watching     bool // there is a head
	Awaits       bool // a round is complete: the goroutine is at its head again
	Head         HeadState
	Places       []Place       // of the steps since the head
	Observations []Observation // what those have seen
	// The head moves on when the goroutine has come to a place for another time as
	// often as limit says, which then doubles: the loop may begin after the head
	// (after Brent, An improved Monte Carlo factorization algorithm, BIT 1980). In the
	// end it moves on after maxPlaces steps.
	Again, Limit int
	// Ranges is Option.Awaits, when the goroutine awaits. It is made anew each time.
	Ranges []run.Range
}

// A HeadState is the state of a goroutine as far as it matters to what it does.
type HeadState struct {
	frames []Frame
	Stack  []heap.Word
	sym    []expr.ID
}

// A Place is where a goroutine stands, seen from the innermost call.
type Place struct {
	Func  *Function
	PC    int32
	depth int32
}

const (
	maxPlaces = 64 // bounds the steps of a round that is recognised
	maxLimit  = 4  // bounds the limit that is made use of
)

// A look is what a step has seen of a cell or a channel.
type Observation struct {
	until ObservationKind
	send  bool          // untilReady: it would send
	at    heap.Location // none for untilCount
	kind  code.Kind     // UntilEqual: of the values compared
	Word  heap.Word     // what was seen; UntilEqual: what was not
	sym   expr.ID       // of the cell
}

// A lookKind says what would make a look turn out otherwise.
type ObservationKind uint8

const (
	untilOther ObservationKind = iota // the cell has another value than word
	UntilEqual                        // the cell has the value word
	UntilClear                        // the cell has none of the bits of word
	untilReady                        // something can be sent to or received from the channel
	untilCount                        // the number of goroutines is another one than word
)

// BeginRound is called before g takes a step. Chunks of instructions are counted from
// there, so that where a goroutine pauses does not depend on what others did before.
// It is false when the run is over because of a limit.
func (m *State) BeginRound(g *Goroutine) bool {
	r := &m.Round
	r.looked = false
	r.before, r.writes, r.used = r.changes, m.Heap.Writes, m.Used
	r.chunks = 0
	spent := FuelChunk - m.Fuel
	m.Trace.Instructions += uint64(spent)
	m.Fuel = FuelChunk
	if r.Small += spent; r.Small >= FuelChunk {
		r.Small = 0
		if !m.Refuel(g) {
			return false
		}
	}
	if g.At == AtPause {
		g.Granted = false
		m.ObserveNothing()
	}
	return true
}

// pauseAfter is the number of chunks of instructions after which a goroutine
// pauses.
const pauseAfter = 4

// Pause is called now and then while g, in a loop, carries out invisible code. A
// goroutine that does so for long may be waiting for another one to change a variable,
// in a loop without any visible operation. It pauses, as if it yielded: then the
// others come to their changes, which race with its reads, and if its loop has
// changed nothing since the last pause it spins.
func (m *State) Pause(g *Goroutine) bool {
	if m.Round.chunks < pauseAfter || !m.Multi || g.Merging.On {
		return true
	}
	g.Pending = run.Transition{Op: schedule.Yield, Object: run.NoObject, Cells: 1, Partner: -1, Site: m.SiteOfTop(g), Enabled: true}
	return m.Park(g, AtPause)
}

// Changed notes that a goroutine does something that makes its step more than a look.
func (m *State) Changed() { m.Round.changes++ }

// look notes that g's operation only reads n cells of o.
func (m *State) Observe(g *Goroutine, o *heap.Object, off, n int) {
	m.Round.looked = true
	if s := g.Spin; s != nil && s.Watching {
		for i := off; i < off+n; i++ {
			at := heap.Location{Object: o, Offset: i}
			word, sym := at.Content()
			s.Observations = append(s.Observations, Observation{at: at, Word: word, sym: sym})
		}
	}
}

// lookUntil notes that g's operation has found the cell l to be unlike word, in the
// way that until says, and does nothing but tell so. What is symbolic may turn out
// otherwise whenever it changes.
func (m *State) ObserveUntil(g *Goroutine, until ObservationKind, l heap.Location, k code.Kind, word heap.Word, symbolic bool) {
	if _, sym := l.Content(); symbolic || sym != expr.None {
		m.Observe(g, l.Object, l.Offset, 1)
		return
	}
	m.Round.looked = true
	if s := g.Spin; s != nil && s.Watching {
		s.Observations = append(s.Observations, Observation{until: until, at: l, kind: k, Word: word})
	}
}

// lookAtComms notes that g takes the default case of its select.
func (m *State) ObserveComms(g *Goroutine) {
	m.Round.looked = true
	if s := g.Spin; s != nil && s.Watching {
		for i := range g.Comms {
			if c := &g.Comms[i]; c.Chan != nil {
				s.Observations = append(s.Observations, Observation{until: untilReady, send: c.Send, at: heap.Location{Object: c.Chan}})
			}
		}
	}
}

// lookAtCount notes that g reads the number of goroutines.
func (m *State) ObserveCount(g *Goroutine) {
	m.Round.looked = true
	if s := g.Spin; s != nil && s.Watching {
		s.Observations = append(s.Observations, Observation{until: untilCount, Word: heap.Word{N: uint64(len(m.Live))}})
	}
}

// lookAtNothing notes that g's operation neither reads nor changes anything.
func (m *State) ObserveNothing() { m.Round.looked = true }

// looksNext reports whether the operation at which g is parked may turn out to be
// just a look.
func (g *Goroutine) looksNext() bool {
	switch g.At {
	case AtPause:
		return true
	case AtAccess:
		return g.Pending.Op == schedule.Read || g.Pending.Op == schedule.LenChan
	case AtCommunication:
		return g.OrElse
	case AtPrimitive:
		return g.Prim.Prim.MayOnlyRead
	}
	return false
}

// endRound is called when g has been parked: it finds out whether g is back where
// it was.
func (m *State) endRound(g *Goroutine) {
	s := g.Spin
	onlyLooked := m.Round.looked && m.Round.changes == m.Round.before && m.Heap.Writes == m.Round.writes && m.Used == m.Round.used
	if s != nil {
		s.Awaits = false
		s.Watching = s.Watching && onlyLooked
	}
	if !m.Multi || !g.looksNext() || len(g.Panics) > 0 {
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
	switch {
	case !s.Watching:
		s.Limit = 1
		s.begin(g)
		return
	case s.Head.Is(m, g):
		if s.mayAwait(g) {
			s.Awaits = true
			s.Ranges = s.awaitedRanges()
			return
		}
	case s.Limit <= maxLimit && slices.Contains(s.Places, here):
		s.Again++
	}
	if s.Again >= s.Limit || len(s.Places) == maxPlaces || s.turnsOnRendezvous(g) {
		s.Limit = min(2*s.Limit, 2*maxLimit)
		s.begin(g)
		return
	}
	s.Places = append(s.Places, here)
}

// begin makes the place at which g is parked the head.
func (s *Spin) begin(g *Goroutine) {
	s.Watching = true
	s.Again = 0
	s.Places = append(s.Places[:0], g.place())
	s.Observations = s.Observations[:0]
	s.Head.Set(g)
}

// goOn is called when a goroutine that awaits takes its step.
func (s *Spin) Leave() {
	s.Awaits = false
	s.Again = 0
	s.Places = s.Places[:1]
	s.Observations = s.Observations[:0]
}

// turnsOnRendezvous reports whether g is about to look for partners on channels
// without a buffer for the first time since the head. A partner that waits there
// shows in the options of the select alone, so a round had better begin with it.
func (s *Spin) turnsOnRendezvous(g *Goroutine) bool {
	return g.seeksPartner() && !s.soughtPartner()
}

// mayAwait reports whether the looks are all that can make a difference to g: it looks
// for partners with the operation at which it is parked only.
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

func (s *Spin) soughtPartner() bool {
	for i := range s.Observations {
		if s.Observations[i].seeksPartner() {
			return true
		}
	}
	return false
}

func (l *Observation) seeksPartner() bool { return l.until == untilReady && CapChan(l.at.Object) == 0 }

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

// Await makes the operation of g, which awaits, impossible until something that it
// has looked at looks otherwise. The cases of a select are possible when they are.
func (m *State) Await(g *Goroutine, options []run.Transition) {
	s := g.Spin
	stirred := slices.ContainsFunc(s.Observations, m.differs)
	for i := range options {
		o := &options[i]
		if o.Select && o.Op != schedule.SelectDefault {
			continue
		}
		o.Spins = true
		o.Awaits = s.Ranges
		o.Enabled = o.Enabled && stirred
		if o.Op == schedule.AtomicRead && !o.Compares && len(s.Places) == 1 {
			o.Delta = WordState(s.Observations[0].Word)
		}
	}
}

// stirred reports whether l would turn out otherwise now.
func (m *State) differs(l Observation) bool {
	switch l.until {
	case untilReady:
		c := Comm{Send: l.send, Chan: l.at.Object}
		return c.Ready()
	case untilCount:
		return uint64(len(m.Live)) != l.Word.N
	}
	word, sym := l.at.Content()
	switch l.until {
	case UntilEqual:
		return sym != expr.None || word.Canonical(l.kind) == l.Word
	case UntilClear:
		return word.N&l.Word.N == 0
	}
	return word != l.Word || sym != l.sym
}

// awaitedRanges returns the cells of the looks, unless they are all those of one
// operation.
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

// cells returns the cells that l depends on.
func (l *Observation) cells() run.Range {
	switch l.until {
	case untilReady:
		return run.Range{Object: l.at.Object.ID, Cells: ChanBuffer}
	case untilCount:
		return run.Range{Object: run.GoroutinesObject, Cells: 1}
	}
	return run.Range{Object: l.at.Object.ID, Offset: int32(l.at.Offset), Cells: 1}
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

// copy makes h equal to from, and shares nothing with it that changes.
func (h *HeadState) copy(from *HeadState) {
	h.frames = append(h.frames[:0], from.frames...)
	h.Stack = append(h.Stack[:0], from.Stack...)
	h.sym = append(h.sym[:0], from.sym...)
}

// Is reports whether g is in state h again. Registers that are not needed any more
// do not matter. Where reads give fresh symbols, symbolic values are never the same
// again; the values that they stand for decide.
//
// No deferred call has been added since, as that is a change: those of a frame are
// the same when there are as many.
func (h *HeadState) Is(m *State, g *Goroutine) bool {
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
	for i := range g.Frames {
		f := &g.Frames[i]
		pc, end := f.PC, f.Func.Regs
		if i+1 < len(g.Frames) {
			if g.Frames[i+1].Mode == Called {
				end = int(f.Func.Code[pc].A) // the window and what is above it are the callee's
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

// shadowIn returns the symbolic value of register at of f.
func shadowIn(f *Frame, sym []expr.ID, at int) expr.ID {
	if !f.Symbolic {
		return expr.None
	}
	return sym[at]
}

// copySpin returns a copy of from in the memory of to; both may be nil.
func copySpin(to, from *Spin) *Spin {
	if from == nil || !from.Watching {
		if to != nil {
			to.Watching, to.Awaits = false, false
		}
		return to
	}
	if to == nil {
		to = new(Spin)
	}
	head, places, looks := to.Head, to.Places, to.Observations
	*to = *from
	to.Head = head
	to.Head.copy(&from.Head)
	to.Places = append(places[:0], from.Places...)
	to.Observations = append(looks[:0], from.Observations...)
	return to
}

// Spins reports whether g awaits a change.
func (g *Goroutine) Spins() bool { return g.Spin != nil && g.Spin.Awaits }

// Awaited says what g, which awaits, is waiting for a change of.
func (g *Goroutine) Awaited() string {
	var list []string
	for i := range g.Spin.Observations {
		if what := g.Spin.Observations[i].String(); !slices.Contains(list, what) {
			list = append(list, what)
		}
	}
	return strings.Join(list, " or ")
}

// String says what kind of thing l looks at.
func (l *Observation) String() string {
	switch l.until {
	case UntilClear:
		return "a lock"
	case untilReady:
		return "a channel"
	case untilCount:
		return "the number of goroutines"
	}
	if l.at.Object.Kind == heap.ChanObject {
		return "a channel"
	}
	return "a variable"
}

// WordState returns a number for Option.State that tells a word of memory from
// others.
func WordState(w heap.Word) int64 { return int64(w.PointerCode()) }
