package join

import (
	"fmt"

	"github.com/everyway-go/everyway/schedule"
)

// needs says which events of other goroutines an event can only come after, whatever the order is. Those
// before it in its own goroutine are not listed.
type needs struct {
	after [][]int32 // by event: those that need it
	count []int32   // by event: how many it needs
}

// An InputError says that an event cannot be in any schedule.
type InputError struct {
	File  string
	Event string // such as g1.3
	What  string
}

func (e *InputError) Error() string { return fmt.Sprintf("%s: event %s: %s", e.File, e.Event, e.What) }

// wrong returns the error that event i cannot be in any schedule.
func (t *Traces) wrong(i int32, format string, args ...any) error {
	e := &t.events[i]
	return &InputError{File: t.files[e.Goroutine+1], Event: t.eventName(i), What: fmt.Sprintf(format, args...)}
}

// eventName returns how the files call an event.
func (t *Traces) eventName(i int32) string {
	e := &t.events[i]
	return fmt.Sprintf("%s.%d", t.threadName(e.Goroutine), e.Index)
}

// A definitions says which event defines what; -1 where none does.
type definitions struct {
	goroutine, end, object, local []int32
}

// newDefinitions finds what events define. What is defined twice is an error.
func newDefinitions(t *Traces) (*definitions, error) {
	d := &definitions{}
	for list, n := range map[*[]int32]int{
		&d.goroutine: len(t.goroutines.name), &d.end: len(t.goroutines.name), &d.object: len(t.objects.name),
		&d.local: len(t.locals.name),
	} {
		*list = make([]int32, n)
		for i := range *list {
			(*list)[i] = -1
		}
	}
	for i := range t.events {
		e, i := &t.events[i], int32(i)
		switch e.Op {
		case schedule.Spawn, schedule.TimerFire:
			if e.Child == schedule.NoGoroutine {
				break
			}
			if e.Child == 0 || d.goroutine[e.Child] >= 0 {
				return nil, t.wrong(i, "%s is started twice", t.threadName(e.Child))
			}
			d.goroutine[e.Child] = i
		case schedule.End:
			d.end[e.Goroutine] = i
		case schedule.New:
			if e.Object == 0 || d.object[e.Object] >= 0 {
				return nil, t.wrong(i, "o%d is introduced twice", t.objects.name[e.Object])
			}
			d.object[e.Object] = i
		}
		if e.Result != 0 {
			if d.local[e.Result] >= 0 {
				return nil, t.wrong(i, "v%d is defined twice", t.locals.name[e.Result])
			}
			d.local[e.Result] = i
		}
	}
	return d, nil
}

// newNeeds finds the needs of all events.
func newNeeds(t *Traces) (*needs, error) {
	n := &needs{after: make([][]int32, len(t.events)), count: make([]int32, len(t.events))}
	d, err := newDefinitions(t)
	if err != nil {
		return nil, err
	}
	for i := range t.events {
		if err := n.addEvent(t, d, int32(i)); err != nil {
			return nil, err
		}
	}
	n.addMatches(t)
	return n, n.addObjects(t)
}

// addEvent finds what event i needs to be defined.
func (n *needs) addEvent(t *Traces, d *definitions, i int32) error {
	e := &t.events[i]
	goroutine := func(g schedule.GoroutineID, what string) error {
		if g <= 0 {
			return nil
		}
		if d.goroutine[g] < 0 {
			return t.wrong(i, "%s %s, which no event starts", what, t.threadName(g))
		}
		n.add(t, d.goroutine[g], i)
		return nil
	}
	if e.Index == 0 {
		if err := goroutine(e.Goroutine, "an event of"); err != nil {
			return err
		}
	}
	switch e.Op {
	case schedule.New, schedule.CondSignal:
		if err := goroutine(e.Child, "it names"); err != nil {
			return err
		}
	case schedule.Join:
		if e.Child < 0 || d.end[e.Child] < 0 {
			return t.wrong(i, "join of %s, which has not ended", t.threadName(e.Child))
		}
		n.add(t, d.end[e.Child], i)
	}
	object := func(o schedule.ObjectID) error {
		if o == 0 {
			return nil
		}
		if d.object[o] < 0 {
			return t.wrong(i, "o%d is introduced by no event %q", t.objects.name[o], schedule.New.Word())
		}
		n.add(t, d.object[o], i)
		return nil
	}
	if e.Op != schedule.New {
		if err := object(e.Object); err != nil {
			return err
		}
	}
	for _, c := range e.Cases {
		if err := object(c.Object); err != nil {
			return err
		}
	}
	for l := range localsOf(e) {
		if *l == 0 || l == &e.Result {
			continue
		}
		if d.local[*l] < 0 {
			return t.wrong(i, "v%d is defined by no event", t.locals.name[*l])
		}
		n.add(t, d.local[*l], i)
	}
	return nil
}

// add notes that event j needs event i.
func (n *needs) add(t *Traces, i, j int32) {
	if a, b := &t.events[i], &t.events[j]; a.Goroutine == b.Goroutine && a.Index < b.Index {
		return
	}
	n.after[i] = append(n.after[i], j)
	n.count[j]++
}

// An object's use is what happens to it that has only one place among others.
type use struct {
	sends            map[schedule.GoroutineID]int32 // the last one of each goroutine
	closed           int32
	settings         map[schedule.GoroutineID]int32 // the first one of each goroutine
	firings, emptied []int32
}

// addObjects finds what is ordered by what objects are: sends come before the close of their
// channel, receives from closed channels after it, Do finds done what was done, and a timer fires
// when it has been set, if one goroutine sets it.
func (n *needs) addObjects(t *Traces) error {
	uses := map[schedule.ObjectID]*use{}
	onces := map[schedule.Cell]int32{}
	var seen, objects []int32
	for i := range t.events {
		e, i := &t.events[i], int32(i)
		switch e.Op {
		case schedule.Once:
			if _, ok := onces[e.Cell()]; ok {
				return t.wrong(i, "o%d.%d has been done twice", t.objects.name[e.Object], e.Offset)
			}
			onces[e.Cell()] = i
			continue
		case schedule.OnceSeen:
			seen = append(seen, i)
			continue
		case schedule.Send, schedule.Close, schedule.RecvClosed, schedule.TimerSet, schedule.TimerFire:
		default:
			continue
		}
		u := uses[e.Object]
		if u == nil {
			u = &use{closed: -1, sends: map[schedule.GoroutineID]int32{}, settings: map[schedule.GoroutineID]int32{}}
			uses[e.Object] = u
			objects = append(objects, int32(e.Object))
		}
		switch e.Op {
		case schedule.Send:
			u.sends[e.Goroutine] = i
		case schedule.Close:
			if u.closed >= 0 {
				return t.wrong(i, "o%d is closed twice", t.objects.name[e.Object])
			}
			u.closed = i
		case schedule.RecvClosed:
			u.emptied = append(u.emptied, i)
		case schedule.TimerSet:
			if _, ok := u.settings[e.Goroutine]; !ok {
				u.settings[e.Goroutine] = i
			}
		case schedule.TimerFire:
			u.firings = append(u.firings, i)
		}
	}
	for _, i := range seen {
		e := &t.events[i]
		done, ok := onces[e.Cell()]
		if !ok {
			return t.wrong(i, "it finds o%d.%d done, which no event does", t.objects.name[e.Object], e.Offset)
		}
		n.add(t, done, i)
	}
	for _, o := range objects {
		if err := n.addUse(t, uses[schedule.ObjectID(o)]); err != nil {
			return err
		}
	}
	return nil
}

// addUse finds what is ordered by what an object is.
func (n *needs) addUse(t *Traces, u *use) error {
	for _, i := range u.emptied {
		if u.closed < 0 {
			return t.wrong(i, "it finds o%d closed, which no event closes", t.objects.name[t.events[i].Object])
		}
		n.add(t, u.closed, i)
	}
	if u.closed >= 0 {
		for _, i := range u.sends {
			n.add(t, i, u.closed)
		}
	}
	if len(u.settings) == 1 {
		for _, set := range u.settings {
			for _, i := range u.firings {
				n.add(t, set, i)
			}
		}
	}
	return nil
}
