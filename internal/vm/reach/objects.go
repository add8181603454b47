package reach

import (
	"math/bits"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Objects is a set of objects: with each object, it contains those to which the object
// points. The objects themselves are marked as members, so that a set is valid until the
// next one is made for the same heap.
type Objects struct {
	mark    uint32
	initial initial
	queue   []*heap.Object // members whose contents have not been added yet
	code    *executable    // if not nil, the set also contains what code refers to
	added   func(*heap.Object)
}

// An initial says what a set does with Object.Initial.
type initial uint8

const (
	ignoresInitial  initial = iota
	containsInitial         // the objects that have it are members, with what they pointed to at the first checkpoint
	setsInitial             // members get it
)

// NewObjects returns an empty set of objects of h.
func NewObjects(h *heap.Heap) *Objects { return &Objects{mark: h.NewMarking()} }

// Has reports whether o is in s.
func (s *Objects) Has(o *heap.Object) bool {
	return o.Marking == s.mark || o.Initial && s.initial == containsInitial
}

// OnAdd makes s call fn for each object that becomes a member from now on.
func (s *Objects) OnAdd(fn func(*heap.Object)) { s.added = fn }

// Add adds o, which may be nil, and everything that can be reached from it.
func (s *Objects) Add(o *heap.Object) {
	s.add(o)
	s.addQueued()
}

// addQueued adds what the members in the queue point to.
func (s *Objects) addQueued() {
	for {
		for n := len(s.queue); n > 0; n = len(s.queue) {
			o := s.queue[n-1]
			s.queue = s.queue[:n-1]
			s.addContents(o)
		}
		if s.code == nil || len(s.code.queue) == 0 {
			return
		}
		s.code.follow(s)
	}
}

// Omit adds o alone: what can be reached from o only is not added. It is to be called before
// o is added otherwise.
func (s *Objects) Omit(o *heap.Object) { o.Marking = s.mark }

// AddContents adds everything that can be reached from o, which is not itself added unless
// it can be reached from there.
func (s *Objects) AddContents(o *heap.Object) {
	s.addContents(o)
	s.addQueued()
}

// add adds o without what can be reached from it.
func (s *Objects) add(o *heap.Object) {
	if o != nil && !s.Has(o) {
		o.Marking = s.mark
		o.Initial = o.Initial || s.initial == setsInitial
		if len(o.Cells) > 0 {
			s.queue = append(s.queue, o)
		}
		if s.added != nil {
			s.added(o)
		}
	}
}

// addContents adds the objects to which o points.
func (s *Objects) addContents(o *heap.Object) {
	switch o.Kind {
	case heap.ChanObject:
		s.addElements(o)
		return
	case heap.WeakObject:
		return
	}
	for i := range o.Cells {
		s.add(o.Cells[i].P)
	}
}

// addElements adds the objects to which the elements in the buffer of a channel point.
// Who waits for a channel does not keep the synctest bubble alive that it was made in.
func (s *Objects) addElements(ch *heap.Object) {
	capacity := int(ch.Cells[state.ChanCap].N)
	if capacity == 0 {
		return
	}
	words := (len(ch.Cells) - state.ChanBuffer) / capacity
	for i := range int(ch.Cells[state.ChanCount].N) {
		at := state.ChanBuffer + (int(ch.Cells[state.ChanHead].N)+i)%capacity*words
		for _, w := range ch.Cells[at : at+words] {
			s.add(w.P)
		}
	}
}

// AddWords adds what can be reached from words.
func (s *Objects) AddWords(words []heap.Word) {
	for i := range words {
		s.Add(words[i].P)
	}
}

// AddVariables adds what can be reached from package variables.
func (s *Objects) AddVariables(m *state.State) {
	for _, o := range m.Variables {
		s.Add(o)
	}
}

// MarkInitial marks the objects that package variables can reach as Initial. It is to be
// called in the state of the first checkpoint.
func MarkInitial(m *state.State) {
	s := NewObjects(&m.Heap)
	s.initial = setsInitial
	s.AddVariables(m)
}

// addVariablesSince is AddVariables for an empty set in a run that began at a checkpoint at
// which MarkInitial was called. Programs have many variables, of which a run changes few:
// what the others reach need not be looked at again.
func (s *Objects) addVariablesSince(m *state.State, begin *heap.Mark) {
	s.initial = containsInitial
	cut := false // an initial object may not be reachable any more
	m.Heap.Changes(begin, func(o, was, now *heap.Object) {
		if o.Initial {
			cut = cut || was != nil && was.Initial && len(was.Cells) > 0
			s.Add(now)
		}
	})
	if cut {
		*s = *NewObjects(&m.Heap)
	}
	s.AddVariables(m) // among them those that have been linked since
}

// AddTimer adds what a timer can reach when it fires: its channel or its function.
func (s *Objects) AddTimer(t *state.Timer) {
	if ch := t.Channel(); ch != nil {
		s.Add(ch)
		return
	}
	s.Add(t.Cell.Object)
}

// AddGoroutine adds what can be reached from g.
func (s *Objects) AddGoroutine(g *state.Goroutine) {
	for i := range g.Frames {
		s.addFrame(g, i)
	}
	s.addQueued()
	for i := range g.Panics {
		s.Add(g.Panics[i].Type.P)
		s.Add(g.Panics[i].Data.P)
	}
	if g.Delivered {
		s.AddWords(g.Got.Words)
	}
}

// addFrame adds what can be reached from frame i of g: from the registers that are still
// needed, from its deferred calls and, before it has loaded the captured variables, from
// its closure.
func (s *Objects) addFrame(g *state.Goroutine, i int) {
	f := &g.Frames[i]
	if s.code != nil {
		s.code.addFunc(f.Func)
	}
	for k := range f.Defers {
		if s.code != nil {
			s.code.addFunc(f.Defers[k].Func)
		}
		closure, args := f.Defers[k].Values()
		s.Add(closure)
		s.AddWords(args)
	}
	pc, end := f.PC, f.Func.Regs
	if len(f.Func.Code) > int(pc) && f.Func.Code[pc].Op == code.FreeVar {
		s.Add(f.Closure)
	}
	if i+1 < len(g.Frames) && g.Frames[i+1].Mode == state.Called {
		end = int(f.Func.Code[pc].A) // the call window and the registers above it belong to the callee
		pc++
	}
	for w, set := range f.Func.NeededBefore(pc) {
		for ; set != 0; set &= set - 1 {
			r := w*64 + bits.TrailingZeros64(set)
			if r >= end {
				return
			}
			s.Add(g.Stack[int(f.Base)+r].P)
		}
	}
}
