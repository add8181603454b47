package order

import (
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis/cells"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// A Relation is the happens-before relation of a schedule so far. The zero Relation is not
// ready; use [New].
type Relation struct {
	clocks   []vectorclock.Clock // by goroutine; their times are those of slots
	slots    slots
	syncs    cells.Table[syncCell]
	channels map[schedule.ObjectID]*channel
	timers   map[schedule.ObjectID]*timer
	wakes    map[schedule.GoroutineID]vectorclock.Clock // signals that a waiting goroutine has got
	bubbles  map[schedule.ObjectID][]schedule.GoroutineID
	bubble   []schedule.ObjectID // by goroutine; 0 if it is in none
	// environment has, for each object outside of memory, the goroutines that have changed it.
	environment map[schedule.ObjectID][]schedule.GoroutineID
	floor       vectorclock.Clock // that all goroutines cover which have not ended: see Settle
}

// A syncCell is what synchronisation has left at a cell.
type syncCell struct {
	release vectorclock.Clock      // of the last release, or of all of them where they add up
	from    vectorclock.Epoch      // of the last release; zero where they add up
	readers vectorclock.Clock      // of readers
	waiters []schedule.GoroutineID // for a condition
}

// A channel is what communication has left at a channel.
type channel struct {
	capacity       int64
	slots          []vectorclock.Clock // of the elements of the buffer; of what has been sent and not received, if there are more than maxSlots
	sent, received int64
	sender         schedule.GoroutineID // of a channel without a buffer
	closed         vectorclock.Clock
}

// A timer is what the goroutine that has set a timer has left at it.
type timer struct {
	set     vectorclock.Clock
	last    int64 // when it was set
	pending bool  // it has not fired since then
	bubble  schedule.ObjectID
	fired   bool
}

// maxSlots is the greatest capacity of a channel for which the rule of capacity is followed.
const maxSlots = 1 << 16

// New returns the relation before the first event.
func New() *Relation {
	r := &Relation{
		slots:       slots{limits: defaults},
		channels:    make(map[schedule.ObjectID]*channel),
		timers:      make(map[schedule.ObjectID]*timer),
		wakes:       make(map[schedule.GoroutineID]vectorclock.Clock),
		bubbles:     make(map[schedule.ObjectID][]schedule.GoroutineID),
		environment: make(map[schedule.ObjectID][]schedule.GoroutineID),
	}
	r.add(0, nil, 0)
	return r
}

// Clock returns the clock of a goroutine. It is valid until the next event, and if Settle is not used.
func (r *Relation) Clock(g schedule.GoroutineID) vectorclock.Clock { return r.clocks[g] }

// Epoch returns the present of a goroutine.
func (r *Relation) Epoch(g schedule.GoroutineID) vectorclock.Epoch {
	return vectorclock.Epoch{Goroutine: g, Time: r.now(g)}
}

// now returns the time of a goroutine.
func (r *Relation) now(g schedule.GoroutineID) uint32 { return r.clocks[g].At(r.slots.of[g]) }

// tick advances the time of a goroutine.
func (r *Relation) tick(g schedule.GoroutineID) { r.clocks[g].Tick(r.slots.of[g]) }

// Ordered reports whether what was done in an epoch happened before what a goroutine does next.
func (r *Relation) Ordered(e vectorclock.Epoch, g schedule.GoroutineID) bool {
	if e.Time == 0 {
		return true
	}
	return r.slots.covers(r.clocks[g], e)
}

// add adds a goroutine, which begins after what c covers.
func (r *Relation) add(g schedule.GoroutineID, c vectorclock.Clock, bubble schedule.ObjectID) {
	for len(r.clocks) <= int(g) {
		r.clocks = append(r.clocks, nil)
		r.bubble = append(r.bubble, 0)
	}
	slot, begin := r.slots.take(g)
	r.clocks[g].Assign(c)
	r.clocks[g].Join(r.floor) // more than what a timer was set after if that was long ago
	r.clocks[g].Set(slot, begin)
	r.enter(g, bubble)
}

// enter puts a goroutine into a bubble.
func (r *Relation) enter(g schedule.GoroutineID, bubble schedule.ObjectID) {
	r.bubble[g] = bubble
	if bubble != 0 {
		r.bubbles[bubble] = append(r.bubbles[bubble], g)
	}
}

func (r *Relation) sync(c schedule.Cell) *syncCell { return r.syncs.Use(c) }

// acquire orders what c covers before what g does next.
func (r *Relation) acquire(g schedule.GoroutineID, c vectorclock.Clock) {
	if len(c) > 0 {
		r.clocks[g].Join(c)
		r.slots.last[g] = r.slots.seen
	}
}

// acquireCell orders what has been released at a cell before what g does next. Who knows of a
// release knows what its goroutine knew then, which saves most joins.
func (r *Relation) acquireCell(g schedule.GoroutineID, y *syncCell) {
	if y.from.Time > 0 && r.slots.owns(y.from.Goroutine) && y.from.Time <= r.clocks[g].At(r.slots.of[y.from.Goroutine]) {
		r.slots.last[g] = r.slots.seen
		return
	}
	r.acquire(g, y.release)
}

// replaceCell makes a cell cover what g has done, and nothing else.
func (r *Relation) replaceCell(g schedule.GoroutineID, y *syncCell) {
	y.from = r.Epoch(g)
	r.replace(g, &y.release)
}

// addTo adds what g has done to what a cell covers.
func (r *Relation) addTo(g schedule.GoroutineID, y *syncCell) {
	y.from = vectorclock.Epoch{}
	r.release(g, &y.release)
}

// acquireOf orders what p has done before what g does next, and after it what p does next if it has not ended.
func (r *Relation) acquireOf(g, p schedule.GoroutineID) {
	if r.slots.of[p] == noSlot {
		if r.slots.released[p] == math.MaxUint32 {
			if r.slots.joined[p] == 0 { // what it knew was forgotten with it
				r.acquireAll(g)
			}
			return
		}
		r.restore(p)
	}
	r.acquire(g, r.clocks[p])
	r.tick(p)
}

// release adds what g has done to c.
func (r *Relation) release(g schedule.GoroutineID, c *vectorclock.Clock) {
	c.Join(r.clocks[g])
	r.tick(g)
}

// replace makes c cover what g has done, and nothing else.
func (r *Relation) replace(g schedule.GoroutineID, c *vectorclock.Clock) {
	c.Assign(r.clocks[g])
	r.tick(g)
}

// Event takes the next event into account, which a State has checked. The Epoch of its
// goroutine before that is the epoch of the event, and the Clock after it covers what happened
// before the event.
func (r *Relation) Event(e *schedule.Event) {
	g := e.Goroutine
	r.slots.event(e)
	switch e.Op {
	case schedule.New:
		r.introduce(e)
	case schedule.Spawn:
		r.add(e.Child, r.clocks[g], r.bubble[g])
		r.tick(g)
	case schedule.Join:
		r.acquireOf(g, e.Child)
	case schedule.Lock:
		y := r.sync(e.Cell())
		r.acquireCell(g, y)
		r.acquire(g, y.readers)
	case schedule.Unlock:
		r.replaceCell(g, r.sync(e.Cell()))
	case schedule.RLock, schedule.WaitGroupWait, schedule.SemAcquire, schedule.OnceSeen, schedule.AtomicRead:
		r.acquireCell(g, r.sync(e.Cell()))
	case schedule.RUnlock:
		r.release(g, &r.sync(e.Cell()).readers)
	case schedule.SemRelease:
		r.addTo(g, r.sync(e.Cell()))
	case schedule.WaitGroupAdd:
		if e.Number < 0 {
			r.addTo(g, r.sync(e.Cell()))
		}
	case schedule.Once, schedule.AtomicWrite:
		r.replaceCell(g, r.sync(e.Cell()))
	case schedule.AtomicUpdate:
		y := r.sync(e.Cell())
		if users, ok := r.environment[e.Object]; ok && !slices.Contains(users, g) {
			r.environment[e.Object] = append(users, g)
		}
		r.acquireCell(g, y)
		r.replaceCell(g, y)
	case schedule.CondWait:
		y := r.sync(e.Cell())
		y.waiters = append(y.waiters, g)
	case schedule.CondSignal:
		r.signal(e)
	case schedule.CondWake:
		r.wake(e)
	case schedule.Send:
		r.send(e)
	case schedule.Recv:
		r.receive(e)
	case schedule.Close:
		r.replace(g, &r.channels[e.Object].closed)
	case schedule.RecvClosed:
		r.acquire(g, r.channels[e.Object].closed)
	case schedule.TimerSet:
		t := r.timer(e.Object)
		t.bubble, t.last, t.pending = r.bubble[g], r.slots.seen, true
		r.replace(g, &t.set)
	case schedule.TimerFire:
		t := r.timer(e.Object)
		t.fired, t.pending = true, false
		if e.Child != schedule.NoGoroutine {
			r.add(e.Child, t.set, t.bubble)
			for _, p := range r.environment[e.Object] { // a garbage collector, with finalizers
				r.acquireOf(e.Child, p)
			}
		}
	case schedule.BubbleIdle:
		for _, p := range r.bubbles[e.Object] {
			if p != g {
				r.acquireOf(g, p)
			}
		}
	}
}

// introduce takes a new object into account. The goroutine that allocates a bubble is in it.
func (r *Relation) introduce(e *schedule.Event) {
	switch e.Kind {
	case schedule.Channel:
		r.channels[e.Object] = &channel{capacity: e.Number}
	case schedule.Environment:
		r.environment[e.Object] = nil
	case schedule.Bubble:
		g := e.Child
		if g == schedule.NoGoroutine {
			g = e.Goroutine
		}
		if g >= 0 {
			r.enter(g, e.Object)
		}
	}
}

func (r *Relation) timer(o schedule.ObjectID) *timer {
	t := r.timers[o]
	if t == nil {
		t = new(timer)
		r.timers[o] = t
	}
	return t
}

// signal takes a signal into account.
func (r *Relation) signal(e *schedule.Event) {
	y, g := r.sync(e.Cell()), e.Goroutine
	switch e.Child {
	case schedule.NoGoroutine:
		r.addTo(g, y) // it may have woken somebody
	case schedule.AllGoroutines:
		for _, w := range y.waiters {
			if _, ok := r.wakes[w]; !ok {
				r.wakes[w] = slices.Clone(r.clocks[g])
			}
		}
		r.tick(g)
	default:
		c := r.wakes[e.Child]
		r.replace(g, &c)
		r.wakes[e.Child] = c
	}
}

// wake takes it into account that a goroutine wakes.
func (r *Relation) wake(e *schedule.Event) {
	y, g := r.sync(e.Cell()), e.Goroutine
	if c, ok := r.wakes[g]; ok {
		r.acquire(g, c)
		delete(r.wakes, g)
	} else {
		r.acquireCell(g, y)
	}
	y.waiters = slices.DeleteFunc(y.waiters, func(w schedule.GoroutineID) bool { return w == g })
}

// send takes a send into account. That on a channel without a buffer is complete when its
// value is received.
func (r *Relation) send(e *schedule.Event) {
	c, g := r.channels[e.Object], e.Goroutine
	if c.capacity == 0 {
		c.sender = g
		return
	}
	if c.capacity > maxSlots {
		c.slots = append(c.slots, slices.Clone(r.clocks[g]))
		r.tick(g)
		return
	}
	s := c.slot(&c.sent)
	r.acquire(g, *s)
	r.replace(g, s)
}

// receive takes a receive into account.
func (r *Relation) receive(e *schedule.Event) {
	if t := r.timers[e.Object]; t != nil && t.fired {
		r.acquire(e.Goroutine, t.set)
		return
	}
	c, g := r.channels[e.Object], e.Goroutine
	if c.capacity == 0 {
		p := c.sender
		r.acquire(g, r.clocks[p])
		r.acquire(p, r.clocks[g])
		r.tick(g)
		r.tick(p)
		return
	}
	if c.capacity > maxSlots {
		r.acquire(g, c.slots[0])
		c.slots = c.slots[1:]
		return
	}
	s := c.slot(&c.received)
	r.acquire(g, *s)
	r.replace(g, s)
}

// slot returns the element of the buffer that is sent or received next, and counts it.
func (c *channel) slot(n *int64) *vectorclock.Clock {
	i := int(*n % c.capacity)
	*n++
	if i == len(c.slots) {
		c.slots = append(c.slots, nil)
	}
	return &c.slots[i]
}
