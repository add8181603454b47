package ideal

import (
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis/cells"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// A Relation knows what the events of a schedule so far need. The zero Relation is not ready;
// use [New].
type Relation struct {
	// Learned, if it is set, is called for what the present or next event of a goroutine needs because of anything but
	// its own goroutine and the edges of Locks, whether it needs that already or not.
	Learned func(g schedule.GoroutineID, s Stamp)

	edges    Edges
	threads  []thread               // by slot: the steps of timers come first
	slots    []schedule.GoroutineID // by goroutine + 1; noSlot if it has none
	syncs    cells.Table[syncCell]
	writes   cells.Table[Stamp]
	channels map[schedule.ObjectID]*channel
	timers   map[schedule.ObjectID]vectorclock.Clock      // and what is outside of memory
	users    map[schedule.ObjectID][]schedule.GoroutineID // that have changed what is outside of memory
	recent   struct {                                     // in syncs
		cell schedule.Cell
		sync *syncCell
	}
	log    [][]int64 // by slot: the Order of each event since the last call of Cut
	logged int       // events
	prefix int64     // events before the last call of Cut
	copied int       // times, in clocks, since then
	// Times is how many times may be copied, in clocks, before the relation is full. New sets it so that it never is.
	Times int
	// Cuts is how often Cut has been called.
	Cuts int64
}

// noSlot is the slot of a goroutine that has ended before a Cut.
const noSlot schedule.GoroutineID = -1

// Edges are what a Relation orders besides what package ideal lists first.
type Edges uint8

// The edges.
const (
	Locks   Edges = 1 << iota // an acquisition of a lock needs the releases before it
	Reads                     // a read needs the write that it sees
	Atomics                   // an atomic read does
)

// maxLogged is how many events a witness can be made of.
const maxLogged = 1 << 16

// A thread is what is known of a goroutine.
type thread struct {
	goroutine schedule.GoroutineID
	time      uint32
	needs     vectorclock.Clock // of its next event; its own time in it is not up to date
	shared    bool              // needs is part of a Stamp, and must not be changed
}

// A Stamp is an event with what it needs. If its Time is 0, there is no event: the zero Stamp is that of nothing.
type Stamp struct {
	vectorclock.Epoch
	needs vectorclock.Clock
}

// A syncCell is what synchronisation has left at a cell.
type syncCell struct {
	release vectorclock.Clock // of a lock's writers, a semaphore, a Once, or a wait group
	readers vectorclock.Clock // releases of a lock by readers
	raised  vectorclock.Clock // the positive Adds of a wait group; the acquisitions of a lock by readers
	writer  Stamp             // the acquisition of a lock
	holders map[schedule.GoroutineID]int
	handed  vectorclock.Clock // releases of a lock by goroutines that had not acquired it
	hands   bool              // there were some
	all     vectorclock.Clock // everything at a condition
	waiters []schedule.GoroutineID
	wakes   map[schedule.GoroutineID]Stamp
}

// A channel is what communication has left at a channel.
type channel struct {
	capacity int64
	sent     int64
	sends    vectorclock.Clock   // all so far
	queue    []vectorclock.Clock // what has to be kept for the values that can be received
	received []Stamp             // those that later sends need
	dropped  int64               // receives that are in received no more
	last     Stamp               // receive
	sender   schedule.GoroutineID
	closed   Stamp
	all      vectorclock.Clock
}

// New returns the relation before the first event.
func New(edges Edges) *Relation {
	return &Relation{
		edges:    edges,
		threads:  []thread{{goroutine: schedule.Timers}, {}},
		slots:    []schedule.GoroutineID{0, 1},
		channels: make(map[schedule.ObjectID]*channel),
		timers:   make(map[schedule.ObjectID]vectorclock.Clock),
		users:    make(map[schedule.ObjectID][]schedule.GoroutineID),
		log:      make([][]int64, 2),
		Times:    math.MaxInt,
	}
}

// slot returns the place of a goroutine in clocks.
func (r *Relation) slot(g schedule.GoroutineID) schedule.GoroutineID { return r.slots[g+1] }

// Epoch returns the last event of a goroutine, as an ideal counts it.
func (r *Relation) Epoch(g schedule.GoroutineID) vectorclock.Epoch {
	slot := r.slot(g)
	return vectorclock.Epoch{Goroutine: slot, Time: r.threads[slot].time}
}

// Needs returns the ideal of all that has to be kept for the next event of g, except for what
// that itself waits for or sees. It must not be changed.
func (r *Relation) Needs(g schedule.GoroutineID) vectorclock.Clock {
	slot := r.slot(g)
	t := &r.threads[slot]
	r.own(t)
	t.needs.Set(slot, t.time)
	return t.needs
}

// Share is [Relation.Needs], but what it returns stays valid. Of a goroutine that had ended before
// the last call of Cut it is nothing.
func (r *Relation) Share(g schedule.GoroutineID) Stamp {
	if slot := r.slot(g); slot != noSlot {
		return r.share(slot)
	}
	return Stamp{}
}

// share is Share for a slot.
func (r *Relation) share(slot schedule.GoroutineID) Stamp {
	t := &r.threads[slot]
	t.shared = true
	return Stamp{vectorclock.Epoch{Goroutine: slot, Time: t.time}, t.needs}
}

// All adds all events so far to an ideal.
func (r *Relation) All(c *vectorclock.Clock) {
	for slot := range r.threads {
		r.share(schedule.GoroutineID(slot)).AddTo(c)
	}
}

// AddTo adds the event, and all that it needs, to an ideal.
func (s Stamp) AddTo(c *vectorclock.Clock) {
	c.Join(s.needs)
	if s.Time > c.At(s.Goroutine) {
		c.Set(s.Goroutine, s.Time)
	}
}

// Needs reports whether the event of an epoch is among what the event needs.
func (s Stamp) Needs(e vectorclock.Epoch) bool { return e.Before(s.needs) }

// Clock returns the ideal of what the event needs. Its time of the event's own goroutine is not up to
// date. It must not be changed.
func (s Stamp) Clock() vectorclock.Clock { return s.needs }

// Ordered reports whether the next event of g needs the event of an epoch.
func (r *Relation) Ordered(e vectorclock.Epoch, g schedule.GoroutineID) bool {
	slot := r.slot(g)
	return e.Goroutine == slot || e.Before(r.threads[slot].needs)
}

// own makes it possible to change what t needs.
func (r *Relation) own(t *thread) {
	if t.shared {
		t.needs, t.shared = slices.Clone(t.needs), false
		r.copied += len(t.needs)
	}
}

// needWrite has the next event of g come after the last write to a cell.
func (r *Relation) needWrite(g schedule.GoroutineID, c schedule.Cell) {
	if w := r.writes.Find(c); w != nil {
		r.need(g, *w)
	}
}

// need makes what g does next, or is doing, need an event.
func (r *Relation) need(g schedule.GoroutineID, s Stamp) {
	if s.Time == 0 || s.Goroutine == r.slot(g) {
		return
	}
	if r.Learned != nil {
		r.Learned(g, s)
	}
	if !r.Ordered(s.Epoch, g) {
		t := &r.threads[r.slot(g)]
		r.own(t)
		s.AddTo(&t.needs)
	}
}

// needAll makes what g does next, or is doing, need an ideal.
func (r *Relation) needAll(g schedule.GoroutineID, c vectorclock.Clock) {
	if r.Learned != nil && len(c) > 0 {
		r.Learned(g, Stamp{needs: c})
	}
	r.join(g, c)
}

// join is needAll for what a lock orders.
func (r *Relation) join(g schedule.GoroutineID, c vectorclock.Clock) {
	slot := r.slot(g)
	t := &r.threads[slot]
	for i, time := range c {
		if i != int(slot) && time > t.needs.At(schedule.GoroutineID(i)) {
			r.own(t)
			t.needs.Join(c)
			return
		}
	}
}

// Event takes the next event into account, which a State has checked.
func (r *Relation) Event(e *schedule.Event) {
	g := e.Goroutine
	r.before(e)
	slot := r.slot(g)
	r.threads[slot].time++
	if r.logged < maxLogged {
		r.log[slot] = append(r.log[slot], e.Order)
	}
	r.logged++
	r.after(e)
}

// before adds what e needs.
func (r *Relation) before(e *schedule.Event) {
	g := e.Goroutine
	switch e.Op {
	case schedule.Join:
		r.need(g, r.Share(e.Child))
	case schedule.Read:
		if r.edges&Reads != 0 {
			r.needWrite(g, e.Cell())
		}
	case schedule.AtomicRead, schedule.AtomicUpdate:
		if r.edges&(Reads|Atomics) != 0 {
			r.needWrite(g, e.Cell())
		}
	case schedule.Lock, schedule.RLock, schedule.Unlock, schedule.RUnlock:
		r.lock(e)
	case schedule.Send:
		c := r.channels[e.Object]
		i := c.sent - max(c.capacity, 1)
		if n := i - c.dropped; n >= 0 && n < int64(len(c.received)) {
			r.need(g, c.received[n])
			c.received, c.dropped = c.received[n+1:], i+1
		}
	case schedule.Recv:
		r.receive(e)
	case schedule.RecvClosed, schedule.LenChan:
		r.needAll(g, r.channels[e.Object].all)
	case schedule.SelectDefault:
		if c := r.channels[e.Object]; c != nil {
			r.needAll(g, c.all)
			break
		}
		for _, c := range r.channels {
			r.needAll(g, c.all)
		}
	case schedule.TimerSet, schedule.TimerFire:
		r.needAll(g, r.timers[e.Object])
		if c := r.channels[e.Object]; c != nil {
			r.needAll(g, c.all)
		}
		for _, p := range r.users[e.Object] { // a garbage collector, with finalizers
			r.need(g, r.Share(p))
		}
	case schedule.WaitGroupAdd:
		if e.Number < 0 {
			r.needAll(g, r.sync(e.Cell()).raised)
		}
	case schedule.WaitGroupWait, schedule.SemAcquire, schedule.OnceSeen:
		r.needAll(g, r.sync(e.Cell()).release)
	case schedule.CondWake:
		y := r.sync(e.Cell())
		if s, ok := y.wakes[g]; ok {
			r.need(g, s)
		} else {
			r.needAll(g, y.all)
		}
	case schedule.CondSignal:
		if e.Child != schedule.AllGoroutines {
			r.needAll(g, r.sync(e.Cell()).all)
		}
	case schedule.BubbleIdle:
		for slot := range r.threads {
			r.need(g, r.share(schedule.GoroutineID(slot)))
		}
	}
}

// lock adds what an operation of a lock needs.
func (r *Relation) lock(e *schedule.Event) {
	g, y := e.Goroutine, r.sync(e.Cell())
	switch {
	case e.Op == schedule.Unlock:
		r.need(g, y.writer)
		return
	case e.Op == schedule.RUnlock:
		if y.holders[g] == 0 { // another goroutine has taken it
			r.needAll(g, y.raised)
		}
		return
	case r.edges&Locks != 0:
		r.join(g, y.release)
		if e.Op == schedule.Lock {
			r.join(g, y.readers)
		}
	}
	// Its goroutine may have acquired the lock before, and not have released it itself.
	r.needAll(g, y.handed)
}

// receive adds what a receive needs.
func (r *Relation) receive(e *schedule.Event) {
	c := r.channels[e.Object]
	if _, ok := r.timers[e.Object]; ok || len(c.queue) == 0 {
		r.needAll(e.Goroutine, c.all)
		r.needAll(e.Goroutine, r.timers[e.Object])
		return
	}
	r.need(e.Goroutine, c.last)
	r.needAll(e.Goroutine, c.queue[0])
	c.queue = c.queue[1:]
}

// after notes what later events may need e for.
func (r *Relation) after(e *schedule.Event) {
	g := e.Goroutine
	switch e.Op {
	case schedule.New:
		switch e.Kind {
		case schedule.Channel:
			r.channels[e.Object] = &channel{capacity: e.Number, sender: schedule.NoGoroutine}
		case schedule.Environment:
			r.timers[e.Object] = nil
		}
	case schedule.Spawn:
		r.start(e)
	case schedule.TimerSet, schedule.TimerFire:
		c := r.timers[e.Object]
		r.Share(g).AddTo(&c)
		r.timers[e.Object] = c
		if e.Op == schedule.TimerFire && e.Child != schedule.NoGoroutine {
			r.start(e)
		}
	case schedule.Write, schedule.AtomicWrite, schedule.AtomicUpdate:
		if r.edges&Reads != 0 || r.edges&Atomics != 0 && e.Op != schedule.Write {
			*r.writes.Use(e.Cell()) = r.Share(g)
		}
		if c, ok := r.timers[e.Object]; ok {
			r.Share(g).AddTo(&c)
			r.timers[e.Object] = c
			if users := r.users[e.Object]; e.Op == schedule.AtomicUpdate && !slices.Contains(users, g) {
				r.users[e.Object] = append(users, g)
			}
		}
	case schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.Close:
		r.communicated(e)
	default:
		r.synchronized(e)
	}
}

// start begins a goroutine.
func (r *Relation) start(e *schedule.Event) {
	for len(r.slots) <= int(e.Child)+1 {
		r.slots = append(r.slots, noSlot)
	}
	r.slots[e.Child+1] = schedule.GoroutineID(len(r.threads))
	r.threads = append(r.threads, thread{goroutine: e.Child})
	r.log = append(r.log, nil)
	r.need(e.Child, r.Share(e.Goroutine))
}

// communicated notes what was done to a channel.
func (r *Relation) communicated(e *schedule.Event) {
	c, s := r.channels[e.Object], r.Share(e.Goroutine)
	s.AddTo(&c.all)
	switch e.Op {
	case schedule.Send:
		c.sent++
		c.sender = e.Goroutine
		s.AddTo(&c.sends)
		c.queue = append(c.queue, slices.Clone(c.sends))
	case schedule.Recv:
		c.last = s
		c.received = append(c.received, s)
		if c.capacity == 0 && c.sender != schedule.NoGoroutine {
			r.need(c.sender, s)
		}
	}
}

// synchronized notes what was done to a cell that goroutines synchronise with.
func (r *Relation) synchronized(e *schedule.Event) {
	g := e.Goroutine
	switch e.Op {
	case schedule.Lock:
		r.sync(e.Cell()).writer = r.Share(g)
	case schedule.RLock:
		y := r.sync(e.Cell())
		r.Share(g).AddTo(&y.raised)
		if y.holders == nil {
			y.holders = make(map[schedule.GoroutineID]int)
		}
		y.holders[g]++
	case schedule.RUnlock:
		y := r.sync(e.Cell())
		r.Share(g).AddTo(&y.readers)
		if y.holders[g] > 0 {
			y.holders[g]--
		} else {
			r.Share(g).AddTo(&y.handed)
			y.hands = true
		}
	case schedule.Unlock:
		y := r.sync(e.Cell())
		r.Share(g).AddTo(&y.release)
		if y.writer.Goroutine != r.slot(g) {
			r.Share(g).AddTo(&y.handed)
			y.hands = true
		}
	case schedule.SemRelease, schedule.Once:
		r.Share(g).AddTo(&r.sync(e.Cell()).release)
	case schedule.WaitGroupAdd:
		y := r.sync(e.Cell())
		r.Share(g).AddTo(&y.release)
		if e.Number > 0 {
			r.Share(g).AddTo(&y.raised)
		}
	case schedule.CondWait:
		y := r.sync(e.Cell())
		r.Share(g).AddTo(&y.all)
		y.waiters = append(y.waiters, g)
	case schedule.CondSignal:
		r.signal(e)
	case schedule.CondWake:
		y := r.sync(e.Cell())
		r.Share(g).AddTo(&y.all)
		delete(y.wakes, g)
		y.waiters = slices.DeleteFunc(y.waiters, func(w schedule.GoroutineID) bool { return w == g })
	}
}

// signal notes whom a signal wakes.
func (r *Relation) signal(e *schedule.Event) {
	y, s := r.sync(e.Cell()), r.Share(e.Goroutine)
	s.AddTo(&y.all)
	if y.wakes == nil {
		y.wakes = make(map[schedule.GoroutineID]Stamp)
	}
	switch e.Child {
	case schedule.NoGoroutine:
	case schedule.AllGoroutines:
		for _, w := range y.waiters {
			if _, ok := y.wakes[w]; !ok {
				y.wakes[w] = s
			}
		}
	default:
		y.wakes[e.Child] = s
	}
}

// Exclude reports whether goroutines that hold these locks cannot do so at the same time. Locks that a
// goroutine has released that had not taken them do not count: who has taken one may not hold it.
func (r *Relation) Exclude(a, b []schedule.Held) bool {
	for _, x := range a {
		for _, y := range b {
			if x.Cell == y.Cell && !(x.Shared && y.Shared) && !r.sync(x.Cell).hands {
				return true
			}
		}
	}
	return false
}

func (r *Relation) sync(c schedule.Cell) *syncCell {
	if r.recent.sync != nil && r.recent.cell == c {
		return r.recent.sync
	}
	y := r.syncs.Use(c)
	r.recent.cell, r.recent.sync = c, y
	return y
}

// Witness returns the events of an ideal in the order in which they were recorded, and after
// them others, by their Order. It returns nil if the schedule is too long for that.
func (r *Relation) Witness(c vectorclock.Clock, then ...int64) []int64 {
	if !r.Logged() {
		return nil
	}
	list := r.Before()
	for i, n := range c {
		if int(n) > len(r.log[i]) {
			return nil
		}
		list = append(list, r.log[i][:n]...)
	}
	slices.Sort(list)
	return append(list, then...)
}

// Logged reports whether witnesses are known: whether the schedule is not too long.
func (r *Relation) Logged() bool { return r.logged < maxLogged }

// Events returns the events of a goroutine after an epoch, up to the given time, by their Order. It
// returns none if they are not known.
func (r *Relation) Events(after vectorclock.Epoch, to uint32) []int64 {
	if list := r.log[after.Goroutine]; after.Time < to && int(to) <= len(list) {
		return list[after.Time:to]
	}
	return nil
}
