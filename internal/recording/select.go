package recording

import (
	"cmp"
	"errors"
	"slices"

	"github.com/everyway-go/everyway/schedule"
)

// A selectCase is a case of a select that has begun.
type selectCase struct {
	on       identity // not of a nil channel, and of the default case
	is       bool
	op       schedule.Op
	capacity int64
	pc       uint64
}

// An intention is what a goroutine has said of its next operation that synchronises: the cases of a select, and that it
// has to wait.
type intention struct {
	cases []selectCase
	waits *record // nil if it has not had to wait
}

// intend notes what a record says of what its goroutine is about to do. It reports whether it does.
func (w *converter) intend(g uint64, r *record) bool {
	switch r.kind {
	case everywayCase:
		if r.size&everywayFirst != 0 || w.intentions[g] == nil {
			w.intentions[g] = new(intention)
		}
		c := selectCase{op: schedule.Recv, capacity: int64(r.size >> everywayShift), pc: r.pc}
		switch r.size & 3 {
		case everywaySends:
			c.op = schedule.Send
		case everywayDefaults:
			c.op = schedule.SelectDefault
		}
		if r.addr != 0 {
			c.on, c.is = w.place(r.addr, channelIdentity), true
		}
		i := w.intentions[g]
		i.cases = append(i.cases, c)
		return true
	case everywayPending:
		if r.arg != everywayCase || w.intentions[g] == nil {
			w.intentions[g] = new(intention)
		}
		own := *r
		w.intentions[g].waits = &own
		return true
	}
	return false
}

// isKnownChannel reports whether everything that is done to a channel while the test runs is in the schedule.
func (w *converter) isKnownChannel(on identity) bool { return !w.outside[on] && on.object != 0 }

// cases returns the cases of the select that a goroutine is at, in the order of the source as far
// as places in the code tell, and which of them operation op on a channel is. There are no cases if
// one of them is on a channel of which the schedule does not have everything, and the number is
// NoCase if the goroutine is at no select.
func (w *converter) cases(g uint64, id schedule.GoroutineID, op schedule.Op, on identity) (cases []schedule.Case, chosen int32, err error) {
	i := w.intentions[g]
	if i == nil || len(i.cases) == 0 {
		return nil, schedule.NoCase, nil
	}
	list := slices.Clone(i.cases)
	slices.SortStableFunc(list, func(a, b selectCase) int { return cmp.Compare(a.pc, b.pc) })
	if op == schedule.RecvClosed {
		op = schedule.Recv
	}
	at := slices.IndexFunc(list, func(c selectCase) bool { return c.op == op && (c.on == on && c.is || op == schedule.SelectDefault) })
	if at < 0 && op != schedule.NoOp {
		return nil, schedule.NoCase, nil // of a select that has panicked
	}
	if slices.ContainsFunc(list, func(c selectCase) bool { return c.is && !w.isKnownChannel(c.on) }) {
		return nil, int32(at), nil
	}
	for _, c := range list {
		out := schedule.Case{Op: c.op}
		if c.is {
			if out.Object, err = w.object(id, c.on, c.capacity); err != nil {
				return nil, schedule.NoCase, err
			}
		}
		cases = append(cases, out)
	}
	return cases, int32(at), nil
}

// takeDefault writes that a goroutine takes the default case of its select.
func (w *converter) takeDefault(g uint64, id schedule.GoroutineID, r *record) error {
	if own, err := w.isOwn(r); own || err != nil {
		return err
	}
	e := &schedule.Event{Op: schedule.SelectDefault}
	var err error
	if e.Cases, _, err = w.cases(g, id, schedule.SelectDefault, identity{}); err != nil || len(e.Cases) == 0 {
		return err // it has to do with what is not in the schedule, too
	}
	for _, c := range e.Cases {
		switch {
		case c.Object == 0 || c.Object == e.Object:
		case e.Object != 0:
			e.Object = 0
			return w.at(id, e, r)
		default:
			e.Object = c.Object
		}
	}
	return w.at(id, e, r)
}

// at writes an event at the place of a record.
func (w *converter) at(g schedule.GoroutineID, e *schedule.Event, r *record) error {
	f, err := w.frame(r)
	if err != nil {
		return err
	}
	return w.emit(g, e, f)
}

// writeIntentions writes what goroutines wait for in the end.
func (w *converter) writeIntentions() error {
	ids := make([]uint64, len(w.goroutines))
	for g, id := range w.goroutines {
		ids[id] = g
	}
	for id, g := range ids {
		i := w.intentions[g]
		if i == nil || i.waits == nil {
			continue
		}
		err := w.writeIntention(schedule.GoroutineID(id), g, i.waits)
		if errors.Is(err, errCut) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeIntention writes that a goroutine waits for what a record says.
func (w *converter) writeIntention(id schedule.GoroutineID, g uint64, r *record) error {
	if own, err := w.isOwn(r); own || err != nil {
		return err
	}
	e := &schedule.Event{Op: schedule.Pending}
	c := schedule.Case{Op: waits[r.arg]}
	switch {
	case r.arg == everywayCase:
		var err error
		if e.Cases, _, err = w.cases(g, id, schedule.NoOp, identity{}); err != nil {
			return err
		}
		if len(e.Cases) == 0 && len(w.intentions[g].cases) > 0 {
			return nil
		}
		return w.at(id, e, r)
	case c.Op == schedule.Send || c.Op == schedule.Recv:
		on := w.place(r.addr, channelIdentity)
		if r.addr != 0 && !w.isKnownChannel(on) {
			return nil
		}
		if r.addr != 0 {
			known, ok := w.objects[on]
			if !ok {
				return nil
			}
			c.Object = known
		}
	default:
		object, at := w.memory.at(r.addr)
		known, ok := w.objects[identity{object: object}]
		if !ok {
			return nil
		}
		c.Object, c.Offset = known, int64(at)
	}
	e.Cases = []schedule.Case{c}
	return w.at(id, e, r)
}

// waits are the operations that goroutines wait for, by the kinds of records.
var waits = map[uint64]schedule.Op{
	everywaySend: schedule.Send, everywayReceive: schedule.Recv, everywayLock: schedule.Lock, everywayReadLock: schedule.RLock,
	everywayWait: schedule.WaitGroupWait, everywayCondWake: schedule.CondWake,
}
