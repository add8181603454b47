package transcript

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A survey is what the events of a trace say together.
type survey struct {
	objects  map[run.ObjectID]*object
	order    []run.ObjectID         // channels, in the order of their first events
	cells    []run.Range            // locks and wait groups, likewise
	before   map[run.Range]initial  // what was at cells before the first event
	children map[int]int32          // goroutines that timers start, by the event of the timer
	bubbles  map[int][]run.ObjectID // bubbles that begin before an event
	// collected are the starts of goroutines that a garbage collection has started: they call
	// finalizers and cleanups.
	collected map[int]bool
	// private are objects that a single goroutine uses, by plain accesses only; those before the
	// event early are left out.
	private map[run.ObjectID]bool
	early   int
}

// An object is what is known of an object.
type object struct {
	kind     schedule.ObjectKind
	capacity int64
	timer    bool // it is a channel that a timer sends on
	count    int64
	initial  int64 // values in a channel before the first event
	closed   bool  // before the first event
}

// An initial is the state of a cell before the first event.
type initial struct {
	held    bool  // of a lock
	readers int   // of a lock
	counter int64 // of a wait group
}

// newSurvey surveys the events of a trace.
func newSurvey(t *run.Trace) *survey {
	s := &survey{
		objects:   make(map[run.ObjectID]*object),
		before:    make(map[run.Range]initial),
		children:  make(map[int]int32),
		bubbles:   make(map[int][]run.ObjectID),
		collected: make(map[int]bool),
	}
	parents := map[int32]spawn{}
	locks := map[run.Range]*lock{}
	for i := range t.Events {
		e := &t.Events[i]
		s.object(e)
		if e.Cases != nil {
			s.cases(*e.Cases)
		}
		switch e.Op {
		case schedule.Spawn:
			parents[e.Other] = spawn{e.Goroutine, i}
		case schedule.Start:
			_, ok := parents[e.Goroutine]
			switch {
			case ok || i == 0:
			case t.Events[i-1].Op == schedule.TimerFire:
				s.children[i-1] = e.Goroutine
				parents[e.Goroutine] = spawn{-1, i - 1}
			default:
				s.collected[i] = true
			}
		case schedule.Lock, schedule.Unlock, schedule.RLock, schedule.RUnlock, schedule.WaitGroupAdd:
			s.synchronize(e, locks)
		}
	}
	for i := range t.Unfinished {
		s.cases(t.Unfinished[i].Cases)
	}
	s.findBubbles(t, parents)
	s.findPrivate(t)
	return s
}

// A spawn is the event that starts a goroutine.
type spawn struct {
	by    int32
	event int
}

// at returns what is known of an object.
func (s *survey) at(id run.ObjectID) *object {
	o := s.objects[id]
	if o == nil {
		o = new(object)
		s.objects[id] = o
		s.order = append(s.order, id)
		if id.Goroutine == run.GlobalObjects && id.Count < run.NoObject.Count {
			o.kind = schedule.Environment
		}
	}
	return o
}

// cases notes what cases say of their objects.
func (s *survey) cases(list []run.Case) {
	for _, c := range list {
		if c.Object != run.NoObject && (c.Op == schedule.Send || c.Op == schedule.Recv) {
			o := s.at(c.Object)
			o.kind, o.capacity = schedule.Channel, int64(c.Capacity)
		}
	}
}

// object notes what an event says of its object.
func (s *survey) object(e *run.Event) {
	if e.Object == run.NoObject {
		return
	}
	o := s.at(e.Object)
	switch e.Op {
	case schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.Close, schedule.LenChan:
		o.kind, o.capacity = schedule.Channel, int64(e.Extra)
		o.communicate(e)
	case schedule.SelectDefault:
		o.kind = schedule.Channel
	case schedule.TimerSet, schedule.TimerFire:
		if o.kind == schedule.Memory {
			o.kind = schedule.TimerObject
		}
		o.timer = o.timer || e.Op == schedule.TimerFire
	case schedule.BubbleWait, schedule.BubbleIdle, schedule.Sleep:
		if o.kind == schedule.Memory || o.kind == schedule.TimerObject {
			o.kind = schedule.Bubble
		}
	}
}

// communicate finds out what was in a channel before the first event.
func (o *object) communicate(e *run.Event) {
	if o.timer {
		return
	}
	switch e.Op {
	case schedule.Send:
		o.count++
	case schedule.Recv:
		if o.count == 0 {
			o.initial++
		} else {
			o.count--
		}
	case schedule.RecvClosed:
		o.closed = o.closed || e.Other < 0
	case schedule.LenChan:
		if n := int64(e.Read) - o.count; n > 0 {
			o.initial += n
			o.count += n
		}
	}
}

// A lock is the state of a lock, as far as the events so far say.
type lock struct {
	held    bool
	readers int
}

// synchronize finds out in which state a lock or a wait group was before the first event.
func (s *survey) synchronize(e *run.Event, locks map[run.Range]*lock) {
	c := run.Range{Object: e.Object, Offset: e.Offset}
	l := locks[c]
	first := l == nil
	if first {
		l = new(lock)
		locks[c] = l
	}
	was := s.before[c]
	switch e.Op {
	case schedule.Lock:
		l.held = true
	case schedule.Unlock:
		if !l.held {
			was.held = true
		}
		l.held = false
	case schedule.RLock:
		l.readers++
	case schedule.RUnlock:
		if l.readers == 0 {
			was.readers++
		} else {
			l.readers--
		}
	case schedule.WaitGroupAdd:
		if first {
			was.counter = int64(e.Read)
		}
	}
	if was != s.before[c] {
		if _, ok := s.before[c]; !ok {
			s.cells = append(s.cells, c)
		}
		s.before[c] = was
	}
}

// findBubbles finds out before which event each bubble begins at the latest: the goroutine that
// allocates it is in it, and those that it starts from then on.
func (s *survey) findBubbles(t *run.Trace, parents map[int32]spawn) {
	begins := map[run.ObjectID]int{}
	spawns := map[int32]int{} // the last event of each goroutine that has started another
	for i := range t.Events {
		e := &t.Events[i]
		if e.Op == schedule.Spawn {
			spawns[e.Goroutine] = i
		}
		if e.Op != schedule.BubbleWait && e.Op != schedule.BubbleIdle {
			continue
		}
		at := i
		if last, ok := spawns[e.Goroutine]; ok && e.Goroutine == e.Object.Goroutine {
			at = last // it starts the function of the bubble before it waits
		}
		for g := e.Goroutine; g >= 0 && g != e.Object.Goroutine; {
			p, ok := parents[g]
			if !ok {
				break
			}
			g, at = p.by, p.event
		}
		if was, ok := begins[e.Object]; !ok || at < was {
			begins[e.Object] = at
		}
	}
	for _, id := range s.order {
		if at, ok := begins[id]; ok {
			s.bubbles[at] = append(s.bubbles[at], id)
		}
	}
}

// keptPrivate is how many accesses to private objects are written, the last ones. No other
// goroutine can notice any of them, and a long run has millions.
const keptPrivate = 1 << 16

// findPrivate finds out which plain accesses are left out.
func (s *survey) findPrivate(t *run.Trace) {
	if len(t.Events) <= keptPrivate {
		return
	}
	s.private = map[run.ObjectID]bool{}
	users := map[run.ObjectID]int32{}
	for i := range t.Events {
		e := &t.Events[i]
		if e.Object == run.NoObject {
			continue
		}
		user, known := users[e.Object]
		if !known {
			user, users[e.Object], s.private[e.Object] = e.Goroutine, e.Goroutine, true
		}
		if user != e.Goroutine || !e.Op.IsPlain() {
			s.private[e.Object] = false
		}
	}
	left := keptPrivate
	for i := len(t.Events) - 1; i >= 0; i-- {
		if e := &t.Events[i]; e.Op.IsPlain() && s.private[e.Object] {
			if left--; left < 0 {
				s.early = i + 1
				return
			}
		}
	}
}

// leavesOut reports whether event i, which is e, is not written.
func (s *survey) leavesOut(i int, e *run.Event) bool {
	return i < s.early && e.Op.IsPlain() && s.private[e.Object]
}
