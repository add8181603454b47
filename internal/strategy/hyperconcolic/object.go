package hyperconcolic

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// An object is what events work on.
type object struct {
	id     run.ObjectID
	made   int32 // number of events when it was first asked for
	events []int32
	// Of a channel: the events that send to and receive from its buffer and that
	// close it, and how many elements it held at the start.
	sends, receives, closes []int32
	base                    int64
	based, closed           bool // base is known; it was closed from the start
	timed                   bool // a timer sends to it or is set: nobody counts what it holds

	// The first events that show base, closed and timed; basedBy is -1 when none does.
	basedBy, closedBy, timedBy int32
	shown                      int64 // base as event basedBy shows it
}

// A cell names a cell of an object.
type cell struct {
	object run.ObjectID
	offset int32
}

// object returns the object of an ID, nil when there is none.
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
			id: id, made: int32(len(x.events)), basedBy: -1,
			events: o.events[:0], sends: o.sends[:0], receives: o.receives[:0], closes: o.closes[:0],
		}
	}
	return &x.objects[i]
}

// buffer returns the channel whose buffer o works on, nil when it does not.
func (x *execution) buffer(o *run.Transition) *object {
	if o.Delta == 0 || o.Op != schedule.Send && o.Op != schedule.Recv && o.Op != schedule.RecvClosed {
		return nil
	}
	return x.object(o.Object)
}

// enabler returns the event without which o, after so many sends and receives,
// finds the buffer full or empty.
func (ob *object) enabler(o *run.Transition, sends, receives int64) int32 {
	if ob.timed {
		return -1 // the timer's steps are dependent with o
	}
	list, i := ob.sends, receives-ob.base
	if o.Op == schedule.Send {
		list, i = ob.receives, sends+ob.base-o.Delta
	}
	if i < 0 || i >= int64(len(list)) {
		return -1
	}
	return list[i]
}

// note takes in that event i, an operation o on a channel, happened to ob.
func (ob *object) note(o *run.Transition, i int32) {
	switch o.Op {
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
	if held := holds(o); held >= 0 && ob.basedBy < 0 {
		ob.basedBy, ob.shown = i, ob.atStart(held)
	}
	ob.measure(o)
	if o.State < 0 && len(ob.closes) == 0 && !ob.closed {
		ob.closed, ob.closedBy = true, i
	}
	switch {
	case o.Delta == 0 || o.Op == schedule.RecvClosed:
	case o.Op == schedule.Send && o.State >= 0:
		ob.sends = append(ob.sends, i)
	case o.Op == schedule.Recv:
		ob.receives = append(ob.receives, i)
	}
}

// measure finds how many elements the channel held at the start, if o, an operation
// that is possible now or happens next, tells how many it holds.
func (ob *object) measure(o *run.Transition) {
	if held := holds(o); held >= 0 && !ob.based {
		ob.base, ob.based = ob.atStart(held), true
	}
}

// holds returns how many elements the channel of o holds, -1 if o does not tell.
func holds(o *run.Transition) int64 {
	switch {
	case o.Delta == 0:
		return -1
	case o.Op == schedule.RecvClosed:
		return 0
	}
	return o.State
}

// atStart returns how many elements a channel held at the start that holds so many now.
func (ob *object) atStart(held int64) int64 {
	return held + int64(len(ob.receives)-len(ob.sends))
}
