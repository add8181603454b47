package hyperconcolic

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// An object is what events are on.
type object struct {
	id      run.ObjectID
	created int32 // number of events when it appeared
	events  []int32
	// Of a channel: the events that send to and receive from its buffer and that close it, and
	// the number of elements that it held at the start.
	sends, receives, closes []int32
	base                    int64
	based, closed           bool // base is known; it was closed from the start
	timed                   bool // a timer sends to it or is set, so that what it holds is not known

	// The first events that show base, closed and timed; basedBy is -1 if there is none.
	basedBy, closedBy, timedBy int32
	shown                      int64 // base as event basedBy shows it
}

// A cell names a cell of an object.
type cell struct {
	object run.ObjectID
	offset int32
}

// object returns the object of an ID, nil if there is none.
func (x *execution) object(id run.ObjectID) *object {
	if id == run.NoObject {
		return nil
	}
	i, ok := x.objectOf[id]
	if !ok {
		i = int32(len(x.objects))
		x.objectOf[id] = i
		if cap(x.objects) > len(x.objects) {
			x.objects = x.objects[:i+1]
		} else {
			x.objects = append(x.objects, object{})
		}
		o := &x.objects[i]
		*o = object{
			id: id, created: int32(len(x.events)), basedBy: -1,
			events: o.events[:0], sends: o.sends[:0], receives: o.receives[:0], closes: o.closes[:0],
		}
	}
	return &x.objects[i]
}

// buffer returns the channel whose buffer t is on, nil if there is none.
func (x *execution) buffer(t *run.Transition) *object {
	if t.Delta == 0 || t.Partner >= 0 || t.Op != schedule.Send && t.Op != schedule.Recv && t.Op != schedule.RecvClosed {
		return nil
	}
	return x.object(t.Object)
}

// enabler returns the event without which t, after the given numbers of sends and receives,
// finds the buffer full or empty, -1 if there is none.
func (ob *object) enabler(t *run.Transition, sends, receives int64) int32 {
	if ob.timed {
		return -1 // the timer's steps are dependent with t
	}
	list, i := ob.sends, receives-ob.base
	if t.Op == schedule.Send {
		list, i = ob.receives, sends+ob.base-t.Delta
	}
	if i < 0 || i >= int64(len(list)) {
		return -1
	}
	return list[i]
}

// note adds event i, the operation t, if that is on a channel.
func (ob *object) note(t *run.Transition, i int32) {
	switch t.Op {
	case schedule.Close:
		ob.closes = append(ob.closes, i)
		return
	case schedule.TimerFire, schedule.TimerSet:
		if !ob.timed {
			ob.timed, ob.timedBy = true, i
		}
		return
	case schedule.Send, schedule.Recv, schedule.RecvClosed:
	default:
		return
	}
	if held := holds(t); held >= 0 && ob.basedBy < 0 {
		ob.basedBy, ob.shown = i, ob.atStart(held)
	}
	ob.inferBase(t)
	if t.State < 0 && len(ob.closes) == 0 && !ob.closed {
		ob.closed, ob.closedBy = true, i
	}
	switch {
	case t.Delta == 0 || t.Op == schedule.RecvClosed || t.Waits == run.ReceiverWaits:
	case t.Waits == run.SenderWaits: // the partner takes an element, and the value takes its place
		ob.sends = append(ob.sends, i)
		ob.receives = append(ob.receives, i)
	case t.Op == schedule.Send && t.State >= 0:
		ob.sends = append(ob.sends, i)
	case t.Op == schedule.Recv:
		ob.receives = append(ob.receives, i)
	}
}

// inferBase finds the number of elements that the channel held at the start, if t, which is
// pending, shows how many it holds now.
func (ob *object) inferBase(t *run.Transition) {
	if held := holds(t); held >= 0 && !ob.based {
		ob.base, ob.based = ob.atStart(held), true
	}
}

// holds returns the number of elements that the channel of t holds, -1 if t does not show it.
func holds(t *run.Transition) int64 {
	switch {
	case t.Delta == 0:
		return -1
	case t.Op == schedule.RecvClosed:
		return 0
	}
	return t.State
}

// atStart returns the number of elements that the channel held at the start if it holds held now.
func (ob *object) atStart(held int64) int64 {
	return held + int64(len(ob.receives)-len(ob.sends))
}
