package vm

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
	small   int64  // instructions of steps since limits were looked at
}

// A spin follows a goroutine that has only looked since it was at its head, a point
// before an operation.
type spin struct {
	watching bool // there is a head
	awaits   bool // a round is complete: the goroutine is at its head again
	head     headState
	places   []place // of the steps since the head
	looks    []look  // what those have seen
	// The head moves on when the goroutine has come to a place for another time as
	// often as limit says, which then doubles: the loop may begin after the head
	// (after Brent, An improved Monte Carlo factorization algorithm, BIT 1980). In the
	// end it moves on after maxPlaces steps.
	again, limit int
	// ranges is Option.Awaits, when the goroutine awaits. It is made anew each time.
	ranges []run.Range
}

// A headState is the state of a goroutine as far as it matters to what it does.
type headState struct {
	frames []frame
	stack  []heap.Word
	sym    []expr.ID
}

// A place is where a goroutine stands, seen from the innermost call.
type place struct {
	fn    *function
	pc    int32
	depth int32
}

const (
	maxPlaces = 64 // bounds the steps of a round that is recognised
	maxLimit  = 4  // bounds the limit that is made use of
)

// A look is what a step has seen of a cell or a channel.
type look struct {
	until lookKind
	send  bool          // untilReady: it would send
	at    heap.Location // none for untilCount
	kind  code.Kind     // untilEqual: of the values compared
	word  heap.Word     // what was seen; untilEqual: what was not
	sym   expr.ID       // of the cell
}

// A lookKind says what would make a look turn out otherwise.
type lookKind uint8

const (
	untilOther lookKind = iota // the cell has another value than word
	untilEqual                 // the cell has the value word
	untilClear                 // the cell has none of the bits of word
	untilReady                 // something can be sent to or received from the channel
	untilCount                 // the number of goroutines is another one than word
)

// beginRound is called before g takes a step. Chunks of instructions are counted from
// there, so that where a goroutine pauses does not depend on what others did before.
// It is false when the run is over because of a limit.
func (m *State) beginRound(g *goroutine) bool {
	r := &m.round
	r.looked = false
	r.before, r.writes, r.used = r.changes, m.heap.Writes, m.used
	r.chunks = 0
	spent := fuelChunk - m.fuel
	m.trace.Instructions += uint64(spent)
	m.fuel = fuelChunk
	if r.small += spent; r.small >= fuelChunk {
		r.small = 0
		if !m.refuel(g) {
			return false
		}
	}
	if g.at == atPause {
		g.granted = false
		m.lookAtNothing()
	}
	return true
}

// pauseAfter is the number of chunks of instructions after which a goroutine
// pauses.
const pauseAfter = 4

// pause is called now and then while g, in a loop, carries out invisible code. A
// goroutine that does so for long may be waiting for another one to change a variable,
// in a loop without any visible operation. It pauses, as if it yielded: then the
// others come to their changes, which race with its reads, and if its loop has
// changed nothing since the last pause it spins.
func (m *State) pause(g *goroutine) bool {
	if m.round.chunks < pauseAfter || !m.multi || g.merging.on {
		return true
	}
	g.pending = run.Transition{Op: schedule.Yield, Object: run.NoObject, Cells: 1, Partner: -1, Site: m.siteOfTop(g), Enabled: true}
	return m.park(g, atPause)
}

// changed notes that a goroutine does something that makes its step more than a look.
func (m *State) changed() { m.round.changes++ }

// look notes that g's operation only reads n cells of o.
func (m *State) look(g *goroutine, o *heap.Object, off, n int) {
	m.round.looked = true
	if s := g.spin; s != nil && s.watching {
		for i := off; i < off+n; i++ {
			at := heap.Location{Object: o, Offset: i}
			word, sym := at.Content()
			s.looks = append(s.looks, look{at: at, word: word, sym: sym})
		}
	}
}

// lookUntil notes that g's operation has found the cell l to be unlike word, in the
// way that until says, and does nothing but tell so. What is symbolic may turn out
// otherwise whenever it changes.
func (m *State) lookUntil(g *goroutine, until lookKind, l heap.Location, k code.Kind, word heap.Word, symbolic bool) {
	if _, sym := l.Content(); symbolic || sym != expr.None {
		m.look(g, l.Object, l.Offset, 1)
		return
	}
	m.round.looked = true
	if s := g.spin; s != nil && s.watching {
		s.looks = append(s.looks, look{until: until, at: l, kind: k, word: word})
	}
}

// lookAtComms notes that g takes the default case of its select.
func (m *State) lookAtComms(g *goroutine) {
	m.round.looked = true
	if s := g.spin; s != nil && s.watching {
		for i := range g.comms {
			if c := &g.comms[i]; c.ch != nil {
				s.looks = append(s.looks, look{until: untilReady, send: c.send, at: heap.Location{Object: c.ch}})
			}
		}
	}
}

// lookAtCount notes that g reads the number of goroutines.
func (m *State) lookAtCount(g *goroutine) {
	m.round.looked = true
	if s := g.spin; s != nil && s.watching {
		s.looks = append(s.looks, look{until: untilCount, word: heap.Word{N: uint64(len(m.live))}})
	}
}

// lookAtNothing notes that g's operation neither reads nor changes anything.
func (m *State) lookAtNothing() { m.round.looked = true }

// looksNext reports whether the operation at which g is parked may turn out to be
// just a look.
func (g *goroutine) looksNext() bool {
	switch g.at {
	case atPause:
		return true
	case atAccess:
		return g.pending.Op == schedule.Read || g.pending.Op == schedule.LenChan
	case atCommunication:
		return g.orElse
	case atPrimitive:
		return g.prim.prim.MayOnlyRead
	}
	return false
}

// endRound is called when g has been parked: it finds out whether g is back where
// it was.
func (m *State) endRound(g *goroutine) {
	s := g.spin
	onlyLooked := m.round.looked && m.round.changes == m.round.before && m.heap.Writes == m.round.writes && m.used == m.round.used
	if s != nil {
		s.awaits = false
		s.watching = s.watching && onlyLooked
	}
	if !m.multi || !g.looksNext() || len(g.panics) > 0 {
		if s != nil {
			s.watching = false
		}
		return
	}
	if s == nil {
		s = new(spin)
		g.spin = s
	}
	here := g.place()
	switch {
	case !s.watching:
		s.limit = 1
		s.begin(g)
		return
	case s.head.is(m, g):
		if s.mayAwait(g) {
			s.awaits = true
			s.ranges = s.awaitedRanges()
			return
		}
	case s.limit <= maxLimit && slices.Contains(s.places, here):
		s.again++
	}
	if s.again >= s.limit || len(s.places) == maxPlaces || s.turnsOnRendezvous(g) {
		s.limit = min(2*s.limit, 2*maxLimit)
		s.begin(g)
		return
	}
	s.places = append(s.places, here)
}

// begin makes the place at which g is parked the head.
func (s *spin) begin(g *goroutine) {
	s.watching = true
	s.again = 0
	s.places = append(s.places[:0], g.place())
	s.looks = s.looks[:0]
	s.head.set(g)
}

// goOn is called when a goroutine that awaits takes its step.
func (s *spin) goOn() {
	s.awaits = false
	s.again = 0
	s.places = s.places[:1]
	s.looks = s.looks[:0]
}

// turnsOnRendezvous reports whether g is about to look for partners on channels
// without a buffer for the first time since the head. A partner that waits there
// shows in the options of the select alone, so a round had better begin with it.
func (s *spin) turnsOnRendezvous(g *goroutine) bool {
	return g.seeksPartner() && !s.soughtPartner()
}

// mayAwait reports whether the looks are all that can make a difference to g: it looks
// for partners with the operation at which it is parked only.
func (s *spin) mayAwait(g *goroutine) bool {
	n := 0
	for i := range s.looks {
		if s.looks[i].seeksPartner() {
			n++
		}
	}
	if n == 0 {
		return true
	}
	return g.seeksPartner() && n <= len(g.comms)
}

func (s *spin) soughtPartner() bool {
	for i := range s.looks {
		if s.looks[i].seeksPartner() {
			return true
		}
	}
	return false
}

func (l *look) seeksPartner() bool { return l.until == untilReady && capChan(l.at.Object) == 0 }

func (g *goroutine) seeksPartner() bool {
	if g.at != atCommunication {
		return false
	}
	for i := range g.comms {
		if ch := g.comms[i].ch; ch != nil && capChan(ch) == 0 {
			return true
		}
	}
	return false
}

// await makes the operation of g, which awaits, impossible until something that it
// has looked at looks otherwise. The cases of a select are possible when they are.
func (m *State) await(g *goroutine, options []run.Transition) {
	s := g.spin
	stirred := slices.ContainsFunc(s.looks, m.stirred)
	for i := range options {
		o := &options[i]
		if o.Select && o.Op != schedule.SelectDefault {
			continue
		}
		o.Spins = true
		o.Awaits = s.ranges
		o.Enabled = o.Enabled && stirred
		if o.Op == schedule.AtomicRead && !o.Compares && len(s.places) == 1 {
			o.Delta = wordState(s.looks[0].word)
		}
	}
}

// stirred reports whether l would turn out otherwise now.
func (m *State) stirred(l look) bool {
	switch l.until {
	case untilReady:
		c := comm{send: l.send, ch: l.at.Object}
		return c.ready()
	case untilCount:
		return uint64(len(m.live)) != l.word.N
	}
	word, sym := l.at.Content()
	switch l.until {
	case untilEqual:
		return sym != expr.None || word.Canonical(l.kind) == l.word
	case untilClear:
		return word.N&l.word.N == 0
	}
	return word != l.word || sym != l.sym
}

// awaitedRanges returns the cells of the looks, unless they are all those of one
// operation.
func (s *spin) awaitedRanges() []run.Range {
	if len(s.places) == 1 {
		return nil
	}
	var list []run.Range
	for i := range s.looks {
		r := s.looks[i].cells()
		if !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	return list
}

// cells returns the cells that l depends on.
func (l *look) cells() run.Range {
	switch l.until {
	case untilReady:
		return run.Range{Object: l.at.Object.ID, Cells: chanBuffer}
	case untilCount:
		return run.Range{Object: run.GoroutinesObject, Cells: 1}
	}
	return run.Range{Object: l.at.Object.ID, Offset: int32(l.at.Offset), Cells: 1}
}

// place returns where g is.
func (g *goroutine) place() place {
	f := g.top()
	return place{f.fn, f.pc, int32(len(g.frames))}
}

// set makes h the state of g.
func (h *headState) set(g *goroutine) {
	top := int(g.top().base) + g.top().fn.Regs
	h.frames = append(h.frames[:0], g.frames...)
	h.stack = append(h.stack[:0], g.stack[:top]...)
	h.sym = append(h.sym[:0], g.sym[:min(top, len(g.sym))]...)
}

// copy makes h equal to from, and shares nothing with it that changes.
func (h *headState) copy(from *headState) {
	h.frames = append(h.frames[:0], from.frames...)
	h.stack = append(h.stack[:0], from.stack...)
	h.sym = append(h.sym[:0], from.sym...)
}

// is reports whether g is in state h again. Registers that are not needed any more
// do not matter. Where reads give fresh symbols, symbolic values are never the same
// again; the values that they stand for decide.
//
// No deferred call has been added since, as that is a change: those of a frame are
// the same when there are as many.
func (h *headState) is(m *State, g *goroutine) bool {
	if len(g.frames) != len(h.frames) {
		return false
	}
	for i := len(g.frames) - 1; i >= 0; i-- {
		x, y := &g.frames[i], &h.frames[i]
		if x.fn != y.fn || x.pc != y.pc || x.closure != y.closure || x.base != y.base || x.mode != y.mode ||
			len(x.defers) != len(y.defers) {
			return false
		}
	}
	for i := range g.frames {
		f := &g.frames[i]
		pc, end := f.pc, f.fn.Regs
		if i+1 < len(g.frames) {
			if g.frames[i+1].mode == called {
				end = int(f.fn.Code[pc].A) // the window and what is above it are the callee's
			}
			pc++
		}
		for w, set := range f.fn.neededBefore(pc) {
			for ; set != 0; set &= set - 1 {
				r := w*64 + bits.TrailingZeros64(set)
				if r >= end {
					break
				}
				at := int(f.base) + r
				if g.stack[at] != h.stack[at] {
					return false
				}
				if !m.plan.ReadSymbols && shadowIn(f, g.sym, at) != shadowIn(&h.frames[i], h.sym, at) {
					return false
				}
			}
		}
	}
	return true
}

// shadowIn returns the symbolic value of register at of f.
func shadowIn(f *frame, sym []expr.ID, at int) expr.ID {
	if !f.symbolic {
		return expr.None
	}
	return sym[at]
}

// copySpin returns a copy of from in the memory of to; both may be nil.
func copySpin(to, from *spin) *spin {
	if from == nil || !from.watching {
		if to != nil {
			to.watching, to.awaits = false, false
		}
		return to
	}
	if to == nil {
		to = new(spin)
	}
	head, places, looks := to.head, to.places, to.looks
	*to = *from
	to.head = head
	to.head.copy(&from.head)
	to.places = append(places[:0], from.places...)
	to.looks = append(looks[:0], from.looks...)
	return to
}

// spins reports whether g awaits a change.
func (g *goroutine) spins() bool { return g.spin != nil && g.spin.awaits }

// awaited says what g, which awaits, is waiting for a change of.
func (g *goroutine) awaited() string {
	var list []string
	for i := range g.spin.looks {
		if what := g.spin.looks[i].String(); !slices.Contains(list, what) {
			list = append(list, what)
		}
	}
	return strings.Join(list, " or ")
}

// String says what kind of thing l looks at.
func (l *look) String() string {
	switch l.until {
	case untilClear:
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

// wordState returns a number for Option.State that tells a word of memory from
// others.
func wordState(w heap.Word) int64 { return int64(w.PointerCode()) }
