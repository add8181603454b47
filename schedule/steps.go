package schedule

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
)

// A RunEvent is a step of a run as reports show it: something that a goroutine did that another
// could notice, or a mark of the run's structure. It follows from the events of a schedule.
type RunEvent struct {
	Goroutine string  `json:"g"`
	Index     int32   `json:"i"` // among the steps of the goroutine, from 0
	Op        Op      `json:"op"`
	Object    *Object `json:"object,omitempty"`
	Offset    int32   `json:"offset,omitempty"` // cell in the object
	Pos       string  `json:"pos,omitempty"`    // file:line:column
	Func      string  `json:"func,omitempty"`
	Alt       int32   `json:"alt,omitempty"`   // case of a select
	From      *int    `json:"from,omitempty"`  // event (by place in the run) that wrote the value read
	Child     string  `json:"child,omitempty"` // the goroutine that a Spawn or a TimerFire starts
	Read      string  `json:"read,omitempty"`  // value read, as Go prints it
	Wrote     string  `json:"wrote,omitempty"`
	Waits     string  `json:"waits,omitempty"` // a goroutine that could run while time passes (TimePass), "" if there is none
	Cond      string  `json:"cond,omitempty"`  // condition of a Branch, in files of versions 1 and 2; a schedule has the operations that compute it

	// Of a communication on a channel with a buffer: how many elements that has then, of how many.
	Buffered int64 `json:"-"`
	Capacity int64 `json:"-"`

	// What follows is known of a run that was not read from a file. The values read and written are
	// in words then, too: of a pointer, what it points to.
	Var  string `json:"var,omitempty"`  // what the object, or the part of it, is called: v, Pool.mu or the like
	Call string `json:"call,omitempty"` // function of the standard library that was called at Pos and did it, "" if the code did it itself
	Own  string `json:"own,omitempty"`  // where the main module has called another one that did it, "" if it did it itself
}

// A stepper makes the steps of a run of the events of its schedule.
type stepper struct {
	state     *State
	table     *Table
	steps     []RunEvent
	of        []int32 // the step that each event belongs to, -1 if it is none
	names     *Names
	counts    []int32  // steps of each goroutine; those of Timers come first
	accesses  []access // the last step of each goroutine, if it is an access
	positions []string // of locations, empty if they have not been asked for
}

// An access is a step that may have several cells.
type access struct {
	step  int32 // -1 if the last step is another one
	fixed bool  // it says itself where its value is from
}

// maxSteps is how many events a schedule can have of which the steps are made.
const maxSteps = 1 << 23

func newStepper(t *Table) *stepper {
	return &stepper{
		state: NewState(t), table: t, names: NewNames(t),
	}
}

// add takes the next event into account. The error says why it is not possible.
func (s *stepper) add(e *Event) error {
	if len(s.of) == maxSteps {
		return fmt.Errorf("more than %d events", maxSteps)
	}
	if err := s.state.Next(e); err != nil {
		return err
	}
	s.of = append(s.of, -1)
	s.names.Add(e)
	if !e.Op.IsStep() {
		return nil
	}
	g := int(e.Goroutine) + 1
	for len(s.counts) <= g {
		s.counts, s.accesses = append(s.counts, 0), append(s.accesses, access{step: -1})
	}
	if e.Implied {
		s.extend(e, &s.accesses[g])
		return nil
	}
	step := int32(len(s.steps))
	s.of[e.Order] = step
	s.steps = append(s.steps, s.step(e))
	s.counts[g]++
	s.accesses[g] = access{step: -1}
	if e.Op == Read || e.Op == Write {
		s.accesses[g] = access{step, e.Source != 0}
	}
	return nil
}

// extend adds a cell to the last access of a goroutine, if e is one of it. A value of several cells
// is from what has written one of them last.
func (s *stepper) extend(e *Event, last *access) {
	if last.step < 0 || s.steps[last.step].Op != e.Op {
		return
	}
	s.of[e.Order] = last.step
	if step := &s.steps[last.step]; e.Op == Read && !last.fixed && step.Read != "" {
		step.From = later(step.From, s.source(e))
	}
}

// later returns the greater of two places, each of which may be missing.
func later(a, b *int) *int {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// step returns the step that e is.
func (s *stepper) step(e *Event) RunEvent {
	r := RunEvent{
		Goroutine: s.goroutine(e.Goroutine), Index: s.counts[e.Goroutine+1], Op: e.Op, Pos: s.position(e.Location), Func: s.table.Name(s.table.Location(e.Location).Func),
	}
	if e.Object != 0 && (e.Op.has(objectOperand) || e.Op.has(cellOperand) || concerns[e.Op]) {
		r.Object, r.Offset = &s.names.objects[e.Object], int32(e.Offset) // it does not change
	}
	if r.Object == nil && e.Op.IsLock() {
		r.Object = &Object{Goroutine: Nobody}
	}
	if e.Op.has(caseOperand) && e.Case != NoCase {
		r.Alt = e.Case
	}
	switch e.Op {
	case Read, AtomicRead, Recv, LenChan:
		r.Read = e.Value.literal()
	case Write, AtomicWrite, Send:
		r.Wrote = e.Value.literal()
	case AtomicUpdate:
		r.Read, r.Wrote = e.Value.literal(), Value{e.Value.Kind, e.Wrote}.literal()
	case SelectDefault:
		r.Alt = -1
	case CondSignal:
		if e.Child == AllGoroutines {
			r.Alt = -1
		}
	case Choice:
		r.Alt, r.Read = int32(e.Number), strconv.FormatInt(e.Number, 10)
	case Spawn:
		r.Child = s.goroutine(e.Child)
	case TimerFire:
		r.Wrote = strconv.FormatInt(e.Number, 10)
		if e.Child != NoGoroutine {
			r.Child = s.goroutine(e.Child)
		}
	case TimePass:
		r.Wrote, r.Waits = strconv.FormatInt(e.Number, 10), s.table.Name(e.Name)
	}
	if e.Object != 0 && (e.Op == Send || e.Op == Recv || e.Op == SelectDefault) {
		r.Buffered, r.Capacity = s.state.Buffered(e.Object)
	}
	if e.ReadAs.Kind != NoValue {
		r.Read = e.ReadAs.literal()
	}
	if e.WroteAs.Kind != NoValue {
		r.Wrote = e.WroteAs.literal()
	}
	if r.Read != "" && (e.Op == Read || e.Op == AtomicRead || e.Op == AtomicUpdate || e.Op == Recv) {
		r.From = s.source(e)
	}
	return r
}

// goroutine returns the name of a goroutine, or else its number.
func (s *stepper) goroutine(g GoroutineID) string {
	return cmp.Or(s.names.Goroutine(g), goroutineName(g))
}

// source returns the step that the value which e reads is from, nil if there is none.
func (s *stepper) source(e *Event) *int {
	from := e.From
	if e.Source != 0 {
		from = max(e.Source, 0) - 1
	}
	if from < 0 || from >= e.Order || s.of[from] < 0 {
		return nil
	}
	step := int(s.of[from])
	return &step
}

// position returns the position of a location.
func (s *stepper) position(id LocationID) string {
	for int(id) >= len(s.positions) {
		s.positions = append(s.positions, "")
	}
	if s.positions[id] == "" {
		s.positions[id] = s.table.Position(id)
	}
	return s.positions[id]
}

// literal returns the value as Go prints it. References are numbers in hexadecimal.
func (v Value) literal() string {
	switch v.Kind {
	case NoValue:
		return ""
	case Bool:
		return strconv.FormatBool(v.Bits != 0)
	case Int8, Int16, Int32, Int64:
		shift := 64 - v.Kind.Width()
		return strconv.FormatInt(int64(v.Bits<<shift)>>shift, 10)
	case Float32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v.Bits))), 'g', -1, 32)
	case Float64:
		return strconv.FormatFloat(math.Float64frombits(v.Bits), 'g', -1, 64)
	case Reference:
		if v.Bits == 0 {
			return "nil"
		}
		return fmt.Sprintf("%#x", v.Bits)
	}
	return strconv.FormatUint(v.Bits, 10)
}
