package transcript

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// event writes event i of the trace.
func (x *writer) event(i int) error {
	e := &x.trace.Events[i]
	g := x.goroutine(e.Goroutine)
	x.current = x.location(e.Caller)
	for _, b := range x.bubbles[i] {
		x.object(g, b)
	}
	out := schedule.Event{Op: e.Op, Case: schedule.NoCase, Child: schedule.NoGoroutine, Offset: int64(e.Offset), Try: e.Try}
	if e.Select {
		out.Case = e.Alt
	}
	out.Object = x.object(g, e.Object)
	if e.Cases != nil {
		out.Cases = x.cases(g, *e.Cases)
	}
	switch e.Op {
	case schedule.Start:
		if x.collected[i] {
			x.emit(schedule.Timers, schedule.Event{
				Op: schedule.TimerFire, Object: x.object(schedule.Timers, run.CollectorObject), Child: g, Name: x.goroutineName(e.Goroutine), Implied: true,
			})
		}
		x.emit(g, out)
		if g == 0 {
			x.prologue()
		}
		return x.err
	case schedule.Spawn:
		out.Child = x.goroutine(e.Other)
		out.Name = x.goroutineName(e.Other)
	case schedule.Read, schedule.AtomicRead:
		x.reads(g, e, out)
		return x.err
	case schedule.Write, schedule.AtomicWrite:
		x.writes(g, e, out)
		return x.err
	case schedule.AtomicUpdate:
		// What is written may be computed from what is read.
		if e.ReadSym != expr.None {
			x.inputs[e.ReadSym] = e.Read & (^uint64(0) >> (64 - x.program.Arena.Width(e.ReadSym)))
		}
		out.Right, out.Left = x.local(g, e.ReadSym), x.local(g, e.WroteSym)
		out.Value = value(e.Read, e.ReadKind)
		wrote := value(e.Wrote, e.WroteKind)
		x.explain(e, 0, &out)
		x.contents[cellOf(e, 0)], out.Wrote = wrote, wrote.Bits
		if out.Value.Kind == schedule.NoValue {
			delete(x.contents, cellOf(e, 0))
			out.Wrote, out.WroteAs = 0, wrote
		}
	case schedule.Lock:
		out.Lock = lockKind(run.LockKind(e.Extra))
	case schedule.Send:
		out.Value = value(e.Wrote, e.WroteKind)
		out.Left = x.words(g, e)
	case schedule.Recv:
		out.Value = value(e.Read, e.ReadKind)
		x.receives(g, e, out)
		return x.err
	case schedule.LenChan:
		out.Value = value(e.Read, e.ReadKind)
	case schedule.WaitGroupWait:
		out.Number = int64(e.Extra)
	case schedule.WaitGroupAdd:
		out.Number = int64(int32(e.Wrote - e.Read))
	case schedule.CondSignal:
		switch {
		case e.Alt < 0:
			out.Child = schedule.AllGoroutines
		case e.Extra > 0:
			out.Child = x.goroutine(e.Extra - 1)
		}
	case schedule.TimerFire:
		out.Number = int64(e.Wrote)
		if child, ok := x.children[i]; ok {
			out.Child, out.Name = x.goroutine(child), x.goroutineName(child)
		}
	case schedule.TimePass:
		out.Number = int64(e.Wrote)
		if e.Other >= 0 {
			out.Name = x.goroutineName(e.Other)
		}
	case schedule.Branch, schedule.Assume:
		out.Left, out.Number = x.local(g, e.Cond), 1
	case schedule.Choice:
		out.Number = int64(e.Alt)
	case schedule.Fail:
		out.Name = x.name(x.failure(e.Goroutine))
	}
	x.emit(g, out)
	return x.err
}

// cases returns cases, whose objects g introduces if they are new.
func (x *writer) cases(g schedule.GoroutineID, list []run.Case) []schedule.Case {
	x.chosen = x.chosen[:0]
	for _, c := range list {
		out := schedule.Case{Op: c.Op, Offset: int64(c.Offset)}
		if c.Op != schedule.Sleep {
			out.Object = x.object(g, c.Object)
		}
		x.chosen = append(x.chosen, out)
	}
	return x.chosen
}

// unfinished writes what a goroutine that has not ended is about to do, if that is known before it is done.
func (x *writer) unfinished(u *run.Unfinished) {
	id, ok := x.goroutines[u.Goroutine]
	if !ok || x.next[id+1] == 0 || slices.ContainsFunc(u.Cases, func(c run.Case) bool { return !schedule.IsCase(c.Op) }) {
		return
	}
	x.current = x.location(u.Caller)
	x.emit(id, schedule.Event{Op: schedule.Pending, Cases: x.cases(id, u.Cases)})
}

// prologue writes what was there before the first event, as if goroutine 0 had done it.
func (x *writer) prologue() {
	x.current = 0
	for _, id := range x.order {
		o := x.survey.objects[id]
		for range o.initial {
			x.emit(0, schedule.Event{Op: schedule.Send, Object: x.object(0, id), Case: schedule.NoCase, Implied: true})
		}
		if o.closed {
			x.emit(0, schedule.Event{Op: schedule.Close, Object: x.object(0, id), Implied: true})
		}
	}
	for _, c := range x.cells {
		was := x.before[c]
		e := schedule.Event{Object: x.object(0, c.Object), Offset: int64(c.Offset), Implied: true}
		if was.held {
			e.Op = schedule.Lock
			x.emit(0, e)
		}
		for range was.readers {
			e.Op = schedule.RLock
			x.emit(0, e)
		}
		if was.counter != 0 {
			e.Op, e.Number = schedule.WaitGroupAdd, was.counter
			x.emit(0, e)
		}
	}
}

// cellOf returns word i of the cells of an event.
func cellOf(e *run.Event, i int) run.Range {
	return run.Range{Object: e.Object, Offset: e.Offset + int32(i)}
}

// wordsOf returns how many cells of a read or a write there are to be written.
func wordsOf(e *run.Event) int { return max(1, int(e.Cells)) }

// reads writes a read, cell by cell.
func (x *writer) reads(g schedule.GoroutineID, e *run.Event, out schedule.Event) {
	events := make([]schedule.Event, 0, wordsOf(e))
	for i := range wordsOf(e) {
		out.Offset = int64(e.Offset) + int64(i)
		bits, kind, sym := e.Read, e.ReadKind, e.ReadSym
		if i > 0 {
			bits, kind, sym = 0, 0, expr.None
			if i <= len(e.Rest) {
				bits, kind, sym = e.Rest[i-1].Value, e.Rest[i-1].Kind, e.Rest[i-1].Sym
			}
		}
		out.Value, out.ReadAs = value(bits, kind), schedule.Value{}
		x.explain(e, i, &out)
		out.Result = x.define(sym)
		events = append(events, out)
	}
	x.emitAll(g, events)
}

// explain leaves out a value that the schedule does not explain: something else than an event
// has written it, such as a function that the machine carries out.
func (x *writer) explain(e *run.Event, i int, out *schedule.Event) {
	c := cellOf(e, i)
	was, ok := x.contents[c]
	if ok && was.Kind == out.Value.Kind && was.Bits != out.Value.Bits {
		delete(x.contents, c)
		out.Value, out.ReadAs = schedule.Value{}, out.Value
		return
	}
	if !ok {
		x.contents[c] = out.Value
	}
}

// writes writes a write, cell by cell.
func (x *writer) writes(g schedule.GoroutineID, e *run.Event, out schedule.Event) {
	for i := range wordsOf(e) {
		bits, kind, sym := e.Wrote, e.WroteKind, e.WroteSym
		if i > 0 {
			bits, kind, sym = 0, 0, expr.None
			if i <= len(e.Rest) {
				bits, kind, sym = e.Rest[i-1].Value, e.Rest[i-1].Kind, e.Rest[i-1].Sym
			}
		}
		out.Offset, out.Implied = int64(e.Offset)+int64(i), i > 0
		out.Value, out.Left = value(bits, kind), x.local(g, sym)
		x.contents[cellOf(e, i)] = out.Value
		x.emit(g, out)
	}
}

// receives writes a receive. The words of its value after the first are parts of it.
func (x *writer) receives(g schedule.GoroutineID, e *run.Event, out schedule.Event) {
	out.Result = x.define(e.ReadSym)
	x.emit(g, out)
	if out.Result == 0 {
		return
	}
	for i := range e.Rest {
		if sym := e.Rest[i].Sym; sym != expr.None {
			x.emit(g, schedule.Event{
				Op: schedule.Call, Name: x.name("word"),
				List: []schedule.Local{out.Result, x.constant(g, uint64(i+1), 64)}, Result: x.define(sym),
			})
		}
	}
}

// words returns the symbolic value that is sent. If it has several words it consists of them.
func (x *writer) words(g schedule.GoroutineID, e *run.Event) schedule.Local {
	list := []schedule.Local{x.local(g, e.WroteSym)}
	known := list[0] != 0
	for i := range e.Rest {
		list = append(list, x.local(g, e.Rest[i].Sym))
		known = known || list[i+1] != 0
	}
	if !known || len(list) == 1 {
		return list[0]
	}
	result := x.newLocal()
	x.emit(g, schedule.Event{Op: schedule.Call, Name: x.name("words"), List: list, Result: result})
	return result
}

// lockKind returns the kind of a lock.
func lockKind(k run.LockKind) schedule.LockKind {
	switch k {
	case run.LockRW:
		return schedule.RWMutex
	case run.LockMonitor:
		return schedule.Monitor
	}
	return schedule.Mutex
}

// failure returns what is said to have gone wrong in a goroutine.
func (x *writer) failure(g int32) string {
	for _, f := range []*run.Failure{x.trace.Panic, x.trace.FatalError} {
		if f != nil && f.Goroutine == g {
			return f.Message
		}
	}
	for i := range x.trace.TestFailures {
		if f := &x.trace.TestFailures[i]; f.Goroutine == g {
			return f.Message
		}
	}
	return ""
}

// kinds holds the kinds of values, by a code.Kind.
var kinds = [...]schedule.ValueKind{
	code.Bool: schedule.Bool,
	code.Int8: schedule.Int8, code.Int16: schedule.Int16, code.Int32: schedule.Int32, code.Int64: schedule.Int64,
	code.Uint8: schedule.Uint8, code.Uint16: schedule.Uint16, code.Uint32: schedule.Uint32, code.Uint64: schedule.Uint64,
	code.Float32: schedule.Float32, code.Float64: schedule.Float64,
	code.Pointer: schedule.Reference, code.IfaceType: schedule.Reference, code.IfaceData: schedule.Reference,
}

// value returns a value. A pointer is the number that the machine has for it.
func value(bits uint64, kind uint8) schedule.Value {
	if int(kind) >= len(kinds) || kinds[kind] == schedule.NoValue {
		return schedule.Value{}
	}
	v := schedule.Value{Kind: kinds[kind], Bits: bits}
	v.Bits &= ^uint64(0) >> (64 - v.Kind.Width())
	return v
}
