package deadlock

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/section"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// Bounds of what is kept of a whole schedule, and looked at.
const (
	maxFar       = 1 << 14 // requests
	maxTimes     = 8       // that one was made: the first ones, and the last ones
	maxFarLength = 4       // requests in a circle
	maxChoices   = 256     // of the times of the requests of a circle
)

// A distant is the requests for a lock at one place, by one goroutine that holds the same locks, in the whole schedule.
type distant struct {
	goroutine schedule.GoroutineID
	want      schedule.Held
	held      []schedule.Held // the first time
	location  schedule.LocationID
	times     []moment
}

// A moment is one of the requests.
type moment struct {
	order int64
	held  []int64 // when the locks had been taken
	needs vectorclock.Clock
	epoch vectorclock.Epoch // of the event before it in its goroutine
}

// far looks for circles of requests for locks that are not in one window.
type far struct {
	log
	requests []*distant
	byKey    map[string]*distant
	key      []byte // of the last request
}

// appendHeld appends a lock to the key of a request.
func appendHeld(key []byte, h schedule.Held) []byte {
	key = binary.AppendVarint(binary.AppendVarint(key, int64(h.Cell.Object)), h.Cell.Offset)
	if h.Shared {
		return append(key, 1)
	}
	return append(key, 0)
}

// note takes an event into account, which the state has, too.
func (f *far) note(e *schedule.Event, state *schedule.State) {
	f.add(e)
	if e.Op != schedule.Lock && e.Op != schedule.RLock || e.Try || f.full {
		return
	}
	held := state.Goroutine(e.Goroutine).Held
	n := len(held) - 1
	if n < 1 || held[n].Since != e.Order {
		return // it holds nothing else, or has the lock already
	}
	want := schedule.Held{Cell: e.Cell(), Shared: e.Op == schedule.RLock}
	f.key = appendHeld(binary.AppendVarint(binary.AppendVarint(f.key[:0], int64(e.Goroutine)), int64(e.Location)), want)
	m := moment{order: e.Order, held: make([]int64, n)}
	for i, h := range held[:n] {
		if h.Cell == e.Cell() {
			return
		}
		f.key = appendHeld(f.key, h)
		m.held[i] = h.Since
	}
	d := f.byKey[string(f.key)]
	if d == nil {
		if len(f.requests) == maxFar {
			return
		}
		d = &distant{goroutine: e.Goroutine, want: want, held: slices.Clone(held[:n]), location: e.Location}
		if f.byKey == nil {
			f.byKey = make(map[string]*distant)
		}
		f.byKey[string(f.key)] = d
		f.requests = append(f.requests, d)
	}
	if len(d.times) == maxTimes {
		d.times = slices.Delete(d.times, maxTimes/2, maxTimes/2+1)
	}
	d.times = append(d.times, m)
}

// wants returns which of the locks that s holds is wanted by r, -1 if none is.
func (d *detector) wants(r, s *distant) int {
	for i := range s.held {
		if d.Exclude([]schedule.Held{r.want}, s.held[i:i+1]) {
			return i
		}
	}
	return -1
}

// distant reports the deadlocks of locks whose requests are not in one window.
func (d *detector) distant(ctx context.Context) error {
	f := &d.far
	if f.full || len(f.requests) < 2 || d.windows < 2 {
		return nil
	}
	var circles [][]*distant
	left := maxExtensions
	at := map[schedule.Cell][]int{}
	for i, r := range f.requests {
		for _, h := range r.held {
			at[h.Cell] = append(at[h.Cell], i)
		}
	}
	var path []int
	var extend func()
	extend = func() {
		last := f.requests[path[len(path)-1]]
		for _, next := range at[last.want.Cell] {
			if left == 0 || len(circles) == maxCandidates {
				return
			}
			left--
			s := f.requests[next]
			if d.wants(last, s) < 0 {
				continue
			}
			if next == path[0] && len(path) > 1 {
				circle := make([]*distant, len(path))
				for i, p := range path {
					circle[i] = f.requests[p]
				}
				circles = append(circles, circle)
				continue
			}
			if next <= path[0] || len(path) == maxFarLength || slices.ContainsFunc(path, func(p int) bool {
				o := f.requests[p]
				return o.goroutine == s.goroutine || d.Exclude(o.held, s.held)
			}) {
				continue
			}
			path = append(path, next)
			extend()
			path = path[:len(path)-1]
		}
	}
	for i := range f.requests {
		path = append(path[:0], i)
		extend()
	}
	circles = slices.DeleteFunc(circles, func(c []*distant) bool { return d.known[farKey(c)] })
	if len(circles) == 0 || ctx.Err() != nil {
		return ctx.Err()
	}
	c := d.follow()
	for _, circle := range circles {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if d.known[farKey(circle)] {
			continue
		}
		if finding := c.decide(d, circle); finding != nil {
			d.known[farKey(circle)] = !slices.ContainsFunc(circle, func(r *distant) bool { return r.location == 0 })
			d.report(finding)
		}
	}
	return nil
}

// farKey returns a text that circles at the same places have in common.
func farKey(circle []*distant) string {
	var list []schedule.LocationID
	for _, r := range circle {
		list = append(list, r.location)
	}
	slices.Sort(list)
	return fmt.Sprint(list)
}

// A closure computes the least ideals after which requests are next.
type closure struct {
	locks *section.Locks
	ideal vectorclock.Clock
	kept  section.Kept
}

// follow goes through the schedule again, and notes what the requests need.
func (d *detector) follow() *closure {
	relation := ideal.New(ideal.Reads)
	c := &closure{locks: section.New(relation)}
	moments := map[int64]*moment{}
	for _, r := range d.far.requests {
		for i := range r.times {
			moments[r.times[i].order] = &r.times[i]
		}
	}
	for o := range d.far.events() {
		e := d.far.event(o)
		if m := moments[o]; m != nil {
			m.epoch = relation.Epoch(e.Goroutine)
			m.needs = slices.Clone(relation.Needs(e.Goroutine))
		}
		relation.Event(&e)
		c.locks.Event(&e)
	}
	return c
}

// decide returns the finding of a circle, nil if there is no ideal after which its requests are next.
func (c *closure) decide(d *detector, circle []*distant) *analysis.Finding {
	choice := make([]int, len(circle))
	for range maxChoices {
		if c.possible(circle, choice) {
			return c.finding(d, circle, choice)
		}
		i := 0
		for ; i < len(choice); i++ {
			if choice[i]++; choice[i] < len(circle[i].times) {
				break
			}
			choice[i] = 0
		}
		if i == len(choice) {
			return nil
		}
	}
	return nil
}

// possible reports whether the requests of a circle, each at one of its times, are next after an
// ideal, which it leaves in c.ideal.
func (c *closure) possible(circle []*distant, choice []int) bool {
	c.ideal = c.ideal[:0]
	for i, r := range circle {
		c.ideal.Join(r.times[choice[i]].needs)
	}
	within := func() bool { // no request has been granted
		for i, r := range circle {
			if m := &r.times[choice[i]]; c.ideal.At(m.epoch.Goroutine) > m.epoch.Time {
				return false
			}
		}
		return true
	}
	for added := true; added; {
		added = false
		if !within() {
			return false
		}
		for _, l := range c.locks.Shared {
			c.kept.Open = c.kept.Open[:0]
			l.Kept(c.ideal, &c.kept)
			for _, s := range c.kept.Open {
				if !c.kept.Overtaken(s) {
					continue
				}
				if s.Release.Time == 0 {
					return false
				}
				s.Release.AddTo(&c.ideal)
				added = true
			}
		}
	}
	return true
}

// finding returns the finding of a circle that is possible.
func (c *closure) finding(d *detector, circle []*distant, choice []int) *analysis.Finding {
	f := &analysis.Finding{Kind: analysis.Deadlock, Certainty: analysis.Predicted}
	var last []int64
	for i, r := range circle {
		m := &r.times[choice[i]]
		before := circle[(i+len(circle)-1)%len(circle)]
		f.Sites = append(f.Sites, d.far.site(m.held[d.wants(before, r)]), d.far.site(m.order))
		last = append(last, m.order)
	}
	if d.witness.Add(f.Sites...) {
		f.Witness = append(d.far.within(c.ideal), last...)
	}
	return f
}
