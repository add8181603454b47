package schedule

import (
	"errors"
	"fmt"
)

// A State follows a schedule, event by event. It checks that each event is possible after
// those before it, and knows what they have left: which goroutines there are and what they
// hold, what is in channels, and the values of memory. This is the one place that says what a
// valid schedule is.
//
// A State does not keep events. What it holds is bounded: a schedule with more goroutines,
// objects or locks than it has room for is refused, and of more memory cells it knows no
// values.
type State struct {
	numbering
	order      int64
	goroutines []goroutine
	objects    []object // by number; the first is not used
	syncs      map[Cell]*syncCell
	far        map[Cell]content // of large offsets
	cells      int              // contents that are known
	queued     int              // values in channels
	holds      int              // locks that are held
	names      *Table
	recording  bool     // events can be taken back
	undo       []func() // takes back what events have changed, the last ones last
}

// Bounds of what a State holds.
const (
	stateObjects = 1 << 24
	stateSyncs   = 1 << 22
	stateCells   = 1 << 22
	stateQueued  = 1 << 24
	stateHolds   = 1 << 22
)

// NewState returns the state before the first event of a schedule whose events refer to t.
func NewState(t *Table) *State {
	return &State{
		numbering:  newNumbering(),
		goroutines: []goroutine{{Goroutine: Goroutine{Parent: NoGoroutine, Forked: -1, Ended: -1}}},
		objects:    make([]object, 1),
		syncs:      make(map[Cell]*syncCell),
		far:        make(map[Cell]content),
		names:      t,
	}
}

// A Goroutine is what is known of a goroutine of a schedule.
type Goroutine struct {
	Parent  GoroutineID // that started it; Timers if a timer did, and of goroutine 0
	Name    NameID
	Forked  int64 // Order of the event that started it; -1 of goroutine 0
	Ended   int64 // Order of its last event; -1 if it has not ended
	Started bool  // it has begun
	Pending bool  // it has said what it is about to do, and does nothing any more
	Held    []Held
	// Sending is the channel without a buffer on which it has sent a value that has not been
	// received yet. It does nothing until then.
	Sending ObjectID
}

// A Held is a lock that a goroutine holds.
type Held struct {
	Cell   Cell
	Kind   LockKind
	Shared bool  // for reading
	Since  int64 // Order of the event that took it
}

type goroutine struct {
	Goroutine
	depth    int64 // of functions that have been entered
	time     int64
	waits    Cell // for a condition
	waiting  bool
	notified bool
	signal   int64 // Order of what has notified it
	ignored  int   // signals before it began to wait that may have woken somebody
}

// Goroutines returns the number of goroutines so far.
func (s *State) Goroutines() int { return len(s.goroutines) }

// Goroutine returns what is known of a goroutine that has been started. It must not be
// changed, and is valid until the next event.
func (s *State) Goroutine(g GoroutineID) *Goroutine { return &s.goroutines[g].Goroutine }

// Events returns the number of events so far.
func (s *State) Events() int64 { return s.order }

// Next checks that e is possible as the next event, and takes it into account. It sets
// e.Order and e.From. After an error the state is not of any use, unless the event is taken back
// with [State.Undo].
func (s *State) Next(e *Event) error {
	if e.Op == NoOp || e.Op >= NumOps {
		return fmt.Errorf("there is no operation %d", e.Op)
	}
	if s.recording {
		s.save(e)
	}
	e.Order, e.From = s.order, -1
	if err := s.acts(e); err != nil {
		return err
	}
	if err := s.follow(e); err != nil {
		return err
	}
	if e.Op != New && (e.Object < 0 || int(e.Object) >= len(s.objects)) {
		return fmt.Errorf("object o%d has not been introduced by an event %q", e.Object, New.Word())
	}
	if err := s.operate(e); err != nil {
		return err
	}
	if e.Op == Pending || len(e.Cases) > 0 {
		if err := s.choose(e); err != nil {
			return err
		}
	}
	s.order++
	return nil
}

// acts checks that the goroutine of e can take a step.
func (s *State) acts(e *Event) error {
	if e.Goroutine == Timers {
		if !ofTimers[e.Op] {
			return fmt.Errorf("%q is done by a goroutine, not by a timer", e.Op.Word())
		}
		return nil
	}
	if int(e.Goroutine) >= len(s.goroutines) || e.Goroutine < 0 {
		return fmt.Errorf("an event of g%d, which has not been started", e.Goroutine)
	}
	g := &s.goroutines[e.Goroutine]
	switch {
	case g.Ended >= 0:
		return fmt.Errorf("an event of g%d, which has ended", e.Goroutine)
	case g.Pending:
		return fmt.Errorf("g%d goes on, although what it is about to do was the last event", e.Goroutine)
	case g.Started == (e.Op == Start):
		return fmt.Errorf("the first event of g%d, and only that, is %q", e.Goroutine, Start.Word())
	case g.Sending != 0:
		return fmt.Errorf("g%d goes on, although what it has sent on o%d, which has no buffer, has not been received",
			e.Goroutine, g.Sending)
	case g.waiting && e.Op >= Lock && e.Op < Spawn && e.Op != CondWake && e.Op != Unlock && e.Op != RUnlock:
		return fmt.Errorf("g%d goes on, although it waits for the condition %s", e.Goroutine, g.waits)
	case e.Time != 0 && e.Time < g.time:
		return fmt.Errorf("the time of g%d runs backwards, from %d to %d", e.Goroutine, g.time, e.Time)
	case e.Time != 0:
		g.time = e.Time
	}
	return nil
}

// ofTimers holds the operations that no goroutine does.
var ofTimers = [NumOps]bool{
	TimerFire: true, TimePass: true, Collect: true, Assume: true,
	New: true, Let: true, Symbol: true, Binary: true, Unary: true, Call: true,
}

// String returns the cell as it is in the text, such as o3.0.
func (c Cell) String() string { return fmt.Sprintf("o%d.%d", c.Object, c.Offset) }

// operate carries out the operation of e.
func (s *State) operate(e *Event) error {
	switch e.Op {
	case Start, End, Spawn, Join, TimerFire, TimePass, Enter, Exit, VoidExit:
		return s.lifecycle(e)
	case New:
		return s.introduce(e)
	case Read, Write, AtomicRead, AtomicWrite, AtomicUpdate:
		return s.access(e)
	case Lock, Unlock, RLock, RUnlock:
		return s.lock(e)
	case Send, Recv, RecvClosed, Close, LenChan, TimerSet:
		return s.communicate(e)
	case WaitGroupAdd, WaitGroupWait, CondWait, CondWake, CondSignal, SemAcquire, SemRelease, Once, OnceSeen:
		return s.synchronize(e)
	}
	return nil
}

// choose checks the cases of e.
func (s *State) choose(e *Event) error {
	several := len(e.Cases) > 1
	for i, c := range e.Cases {
		o, ok := c.Op.ofCase()
		switch {
		case !ok:
			return fmt.Errorf("%q is no operation of a case", c.Op.Word())
		case c.Object < 0 || int(c.Object) >= len(s.objects):
			return fmt.Errorf("object o%d has not been introduced by an event %q", c.Object, New.Word())
		case o == objectOperand && c.Object != 0 && (c.Op == Send || c.Op == Recv) && s.objects[c.Object].channel == nil:
			return fmt.Errorf("%q on o%d, which is no channel", c.Op.Word(), c.Object)
		case c.Op == SelectDefault && i != len(e.Cases)-1:
			return fmt.Errorf("a default case that is not the last case")
		case (several || e.Op != Pending) && c.Op != Send && c.Op != Recv && c.Op != SelectDefault:
			return fmt.Errorf("%q is no case of a select", c.Op.Word())
		}
	}
	if e.Op == Pending {
		s.goroutines[e.Goroutine].Pending = true
		return nil
	}
	chosen := Case{Op: e.Op, Object: e.Object}
	at := int(e.Case)
	switch e.Op {
	case RecvClosed:
		chosen.Op = Recv
	case SelectDefault:
		at, chosen.Object = len(e.Cases)-1, 0
	}
	if at < 0 || at >= len(e.Cases) || e.Cases[at] != chosen {
		return fmt.Errorf("case %d of the select of g%d is not what it does", at, e.Goroutine)
	}
	return nil
}

// lifecycle carries out the operations that begin and end things.
func (s *State) lifecycle(e *Event) error {
	switch e.Op {
	case Start:
		g := &s.goroutines[e.Goroutine]
		g.Started, e.From = true, g.Forked
	case End:
		s.goroutines[e.Goroutine].Ended = e.Order
	case Spawn:
		s.addGoroutine(e)
	case TimerFire:
		if e.Child != NoGoroutine {
			s.addGoroutine(e)
			return nil
		}
		return s.fire(e)
	case TimePass:
		if e.Number < 0 {
			return fmt.Errorf("time runs backwards, by %d", e.Number)
		}
	case Join:
		if e.Child < 0 || int(e.Child) >= len(s.goroutines) || s.goroutines[e.Child].Ended < 0 {
			return fmt.Errorf("join of %s, which has not ended", goroutineName(e.Child))
		}
		e.From = s.goroutines[e.Child].Ended
	case Enter:
		s.goroutines[e.Goroutine].depth++
	case Exit, VoidExit:
		g := &s.goroutines[e.Goroutine]
		if g.depth == 0 {
			return fmt.Errorf("g%d leaves a function that it has not entered", e.Goroutine)
		}
		g.depth--
	}
	return nil
}

// addGoroutine adds the goroutine that e starts.
func (s *State) addGoroutine(e *Event) {
	s.goroutines = append(s.goroutines, goroutine{Goroutine: Goroutine{Parent: e.Goroutine, Name: e.Name, Forked: e.Order, Ended: -1}})
}

// An object is what is known of an object.
type object struct {
	kind     ObjectKind
	contents []content // of the cells of small offsets
	channel  *channel
}

// introduce carries out New.
func (s *State) introduce(e *Event) error {
	switch {
	case len(s.objects) == stateObjects:
		return fmt.Errorf("more than %d objects", stateObjects)
	case e.Kind == Channel && e.Number < 0:
		return fmt.Errorf("a channel of capacity %d", e.Number)
	case e.Child < NoGoroutine || int(e.Child) >= len(s.goroutines):
		return fmt.Errorf("an object of %s, which has not been started", goroutineName(e.Child))
	}
	o := object{kind: e.Kind}
	if e.Kind == Channel {
		o.channel = &channel{capacity: e.Number, closed: -1, fired: -1}
	}
	s.objects = append(s.objects, o)
	return nil
}

// KindOf returns what an object is.
func (s *State) KindOf(o ObjectID) ObjectKind { return s.objects[o].kind }

// Capacity returns the capacity of a channel, 0 of other objects.
func (s *State) Capacity(o ObjectID) int64 {
	if c := s.objects[o].channel; c != nil {
		return c.capacity
	}
	return 0
}

// Buffered returns how many elements there are in the buffer of a channel, and its capacity. Of
// other objects, both are 0.
func (s *State) Buffered(o ObjectID) (n, capacity int64) {
	c := s.objects[o].channel
	if c == nil || c.capacity == 0 {
		return 0, 0
	}
	return min(int64(len(c.queue)), c.capacity), c.capacity
}

// errFull says that a schedule needs more memory than there is for it.
var errFull = errors.New("too much is held at the same time")
