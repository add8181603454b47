package osr

import (
	"slices"
	"sort"

	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/section"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

const (
	maxSteps = 1 << 20 // that can be put into another order
	maxTimes = 1 << 26 // of the clocks of these
	maxLate  = 64      // sections that begin late
)

// A log is the last events on whose order something depends.
type log struct {
	steps []step
	last  []vectorclock.Clock // by goroutine, as clocks call it: what its last event needs
	times int                 // in clocks of steps
	limit int                 // of steps
}

// A step is an event.
type step struct {
	ideal.Stamp
	role  role
	cell  schedule.Cell
	order int64
}

// A role says what the order of a step and others depends on, besides what it needs.
type role uint8

const (
	alone role = iota
	reads
	writes
	acquires
	acquiresShared
	releases
	releasesShared
	talks // with others by something that stays in order
)

// add adds an event with what it needs.
func (l *log) add(e *schedule.Event, s ideal.Stamp) {
	for len(l.last) <= int(s.Goroutine) {
		l.last = append(l.last, nil)
	}
	r, fresh := roleOf(e), !same(s.Clock(), l.last[s.Goroutine])
	if r == alone && !fresh {
		return
	}
	if fresh {
		l.last[s.Goroutine] = s.Clock()
		l.times += len(s.Clock())
	}
	if len(l.steps) == l.limit || l.times > maxTimes {
		n := len(l.steps) / 2
		l.steps = slices.Delete(l.steps, 0, n)
		l.times /= 2 // about
	}
	l.steps = append(l.steps, step{s, r, e.Cell(), e.Order})
}

// forget drops all events.
func (l *log) forget() { l.steps, l.last, l.times = nil, nil, 0 }

// same reports whether two clocks are one.
func same(a, b vectorclock.Clock) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

func roleOf(e *schedule.Event) role {
	switch e.Op {
	case schedule.Lock:
		return acquires
	case schedule.RLock:
		return acquiresShared
	case schedule.Unlock:
		return releases
	case schedule.RUnlock:
		return releasesShared
	case schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.Close, schedule.SelectDefault, schedule.LenChan,
		schedule.WaitGroupAdd, schedule.WaitGroupWait, schedule.CondWait, schedule.CondWake, schedule.CondSignal,
		schedule.SemAcquire, schedule.SemRelease, schedule.Once, schedule.OnceSeen, schedule.TimerSet, schedule.TimerFire:
		return talks
	}
	switch kind := access.KindOf(e.Op); {
	case kind == access.None:
		return alone
	case kind.IsWrite():
		return writes
	}
	return reads
}

// A set is a set of sections that begin late: those that something comes after.
type set uint64

// layers is an order of the events of an ideal: those of a higher layer come after those of a lower
// one, and within a layer they are in the order of the schedule. The zero value has one layer.
type layers struct {
	rank    []int // by section: its layer
	changes map[schedule.GoroutineID][]change
}

// A change says after what the events of a goroutine come from a time on.
type change struct {
	from  uint32
	after set
}

// A follower finds what comes after sections that begin late.
type follower struct {
	number  map[vectorclock.Epoch]int // the sections, by their acquisitions
	late    []*section.Section
	changes map[schedule.GoroutineID][]change
	touched []schedule.GoroutineID // that have changes
	needs   map[schedule.GoroutineID]vectorclock.Clock
	cells   map[schedule.Cell]*trail
	every   set // all that talks
	any     set // what is of no object, or of any
	before  []set
}

// A trail is what the operations on a cell come after.
type trail struct {
	reads, writes set // or releases of a lock, shared and not
	talks         set
	late          int // 1 + the section of the lock that begins late
	lateShared    []int
}

// order returns an order of an ideal in which some sections begin after all others of their locks.
// It reports whether there is one that keeps all else in its order.
func (l *log) order(c vectorclock.Clock, late []*section.Section) (*layers, bool) {
	f := &follower{
		number: make(map[vectorclock.Epoch]int), late: late, changes: make(map[schedule.GoroutineID][]change),
		needs: make(map[schedule.GoroutineID]vectorclock.Clock), cells: make(map[schedule.Cell]*trail), before: make([]set, len(late)),
	}
	first := late[0].Order
	for i, s := range late {
		f.number[s.Acquired] = i
		first = min(first, s.Order)
	}
	at := sort.Search(len(l.steps), func(i int) bool { return l.steps[i].order >= first })
	if at == len(l.steps) || l.steps[at].order != first {
		return nil, false // too long ago
	}
	for i := at; i < len(l.steps); i++ {
		if s := &l.steps[i]; s.Before(c) {
			f.follow(s)
		}
	}
	rank, ok := f.rank()
	return &layers{rank: rank, changes: f.changes}, ok
}

// follow takes the next step of the ideal into account.
func (f *follower) follow(s *step) {
	after := f.own(s.Goroutine)
	if needs := s.Clock(); !same(needs, f.needs[s.Goroutine]) {
		f.needs[s.Goroutine] = needs
		for _, g := range f.touched {
			after |= at(f.changes[g], needs.At(g))
		}
	}
	t := f.cells[s.cell]
	if t == nil && s.role != alone {
		t = new(trail)
		f.cells[s.cell] = t
	}
	switch s.role {
	case reads:
		after |= t.writes
		t.reads |= after
	case writes:
		after |= t.reads | t.writes
		t.writes |= after
	case acquires, acquiresShared:
		after |= t.writes
		if s.role == acquires {
			after |= t.reads
		}
		if n, ok := f.number[s.Epoch]; ok {
			after |= 1 << n
			if s.role == acquires {
				t.late = n + 1
			} else {
				t.lateShared = append(t.lateShared, n)
			}
		}
	case releases:
		t.writes |= after
		for _, n := range t.lateShared {
			f.before[n] |= after
		}
		if t.late > 0 {
			f.before[t.late-1] |= after
		}
	case releasesShared:
		t.reads |= after
		if t.late > 0 {
			f.before[t.late-1] |= after
		}
	case talks:
		if s.cell.Object == 0 {
			after |= f.every
			f.any |= after
		} else {
			after |= t.talks | f.any
			t.talks |= after
		}
		f.every |= after
	}
	f.set(s.Epoch, after)
}

// own returns what the last step of a goroutine comes after.
func (f *follower) own(g schedule.GoroutineID) set {
	if list := f.changes[g]; len(list) > 0 {
		return list[len(list)-1].after
	}
	return 0
}

// set notes what a goroutine comes after from a time on.
func (f *follower) set(e vectorclock.Epoch, after set) {
	if after == f.own(e.Goroutine) {
		return
	}
	if len(f.changes[e.Goroutine]) == 0 {
		f.touched = append(f.touched, e.Goroutine)
	}
	f.changes[e.Goroutine] = append(f.changes[e.Goroutine], change{e.Time, after})
}

// at returns what the event of a time comes after.
func at(list []change, time uint32) set {
	n := sort.Search(len(list), func(i int) bool { return list[i].from > time })
	if n == 0 {
		return 0
	}
	return list[n-1].after
}

// rank returns the place of each section in an order in which each comes after what it has to. It reports whether
// there is one.
func (f *follower) rank() (rank []int, ok bool) {
	rank = make([]int, len(f.late))
	done := set(0)
	for n := 1; n <= len(f.late); n++ {
		next := -1
		for i, s := range f.late {
			if rank[i] == 0 && f.before[i]&^done == 0 && (next < 0 || s.Order < f.late[next].Order) {
				next = i
			}
		}
		if next < 0 {
			return nil, false
		}
		rank[next] = n
		done |= 1 << next
	}
	return rank, true
}

// layer returns the layer of events that come after some sections.
func (l *layers) layer(s set) (n int) {
	for i, rank := range l.rank {
		if s>>i&1 != 0 {
			n = max(n, rank)
		}
	}
	return n
}

// witness returns the events of an ideal in the order, and others after them. It returns nil if the schedule is too
// long for that.
func (l *layers) witness(r *ideal.Relation, c vectorclock.Clock, then ...int64) []int64 {
	if len(l.rank) == 0 {
		return r.Witness(c, then...)
	}
	if !r.Logged() {
		return nil
	}
	lists := make([][]int64, len(l.rank)+1)
	lists[0] = r.Before()
	for g, end := range c {
		g := schedule.GoroutineID(g)
		from, layer := vectorclock.Epoch{Goroutine: g}, 0
		for _, change := range l.changes[g] {
			if change.from > end {
				break
			}
			lists[layer] = append(lists[layer], r.Events(from, change.from-1)...)
			from.Time, layer = change.from-1, l.layer(change.after)
		}
		lists[layer] = append(lists[layer], r.Events(from, end)...)
	}
	var list []int64
	for _, events := range lists {
		slices.Sort(events)
		list = append(list, events...)
	}
	return append(list, then...)
}
