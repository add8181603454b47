package join

import (
	"errors"
	"fmt"

	"github.com/everyway-go/everyway/schedule"
)

// A path is an order of some of the events of traces, of each thread a prefix. The [schedule.State] after
// it says what can come next.
type path struct {
	*Traces
	*uses
	needs *needs
	state *schedule.State
	done  []int32 // events
	at    []int32 // by thread: how many of its events are done
	least int     // events that cannot be taken back

	missing []int32 // by event: how many of what it needs is not done
	before  []int32 // by event that is done: what was in its cell before, a tally

	numbers
}

// numbers are the numbers that the joined schedule gives to what the files name, 0 or, of goroutines, none if there
// is none yet.
type numbers struct {
	traces        *Traces
	goroutine     []schedule.GoroutineID
	object        []schedule.ObjectID
	local         []schedule.Local
	nextGoroutine schedule.GoroutineID
	nextObject    schedule.ObjectID
	nextLocal     schedule.Local
	event         schedule.Event // as the joined schedule has it
	lists         [2][]schedule.Local
	cases         []schedule.Case
}

// newNumbers returns the numbers before the first event.
func newNumbers(t *Traces) *numbers {
	p := &numbers{
		traces: t, nextGoroutine: 1, nextObject: 1, nextLocal: 1,
		goroutine: make([]schedule.GoroutineID, len(t.goroutines.name)), object: make([]schedule.ObjectID, len(t.objects.name)), local: make([]schedule.Local, len(t.locals.name)),
	}
	for i := range p.goroutine {
		p.goroutine[i] = none
	}
	p.goroutine[0] = 0
	return p
}

// newPath returns the path of no events.
func newPath(t *Traces, u *uses, n *needs) *path {
	p := &path{
		Traces: t, uses: u, needs: n, state: schedule.NewState(t.table), at: make([]int32, len(t.threads)),
		missing: append([]int32(nil), n.count...), before: make([]int32, len(t.events)),
		numbers: *newNumbers(t),
	}
	p.state.Record()
	return p
}

// next returns the next event of a thread, or none.
func (p *path) next(thread int) int32 {
	list := p.threads[thread].events
	if int(p.at[thread]) == len(list) {
		return none
	}
	return list[p.at[thread]]
}

// threadOf returns the thread of an event.
func (p *path) threadOf(i int32) int { return int(p.events[i].Goroutine) + 1 }

// Reasons why an event is not possible that State does not know.
var (
	errNeeds    = errors.New("something that comes before it in any order has not been done")
	errNegative = errors.New("the counter of the wait group would be negative")
)

// horizon is how many events can be taken back.
const horizon = 4 * maxWindow

// try does an event, the next one of its thread, if that is possible.
func (p *path) try(i int32) error {
	if p.missing[i] > 0 {
		return errNeeds
	}
	e := p.translate(i)
	if e.Op == schedule.WaitGroupAdd && e.Number < 0 && p.state.Counter(e.Cell())+e.Number < 0 && !p.mayPanic(i) {
		return errNegative
	}
	if err := p.state.Next(e); err != nil {
		p.state.Undo(1)
		return err
	}
	p.count(i, 1)
	p.done = append(p.done, i)
	p.at[p.threadOf(i)]++
	for _, j := range p.needs.after[i] {
		p.missing[j]--
	}
	p.define(i, 1)
	if p.state.Recorded() >= 2*horizon {
		p.state.Forget(horizon)
		p.least = len(p.done) - horizon
	}
	return nil
}

// obstacle returns the key on which it depends that an event is not possible, and whether the
// reason is that what its goroutine has sent has not been received.
func (p *path) obstacle(i int32) (k int32, sent bool) {
	thread := p.threadOf(i)
	if p.at[thread] > 0 {
		last := p.threads[thread].events[p.at[thread]-1]
		if g := p.events[last].Goroutine; p.events[last].Op == schedule.Send && g >= 0 && p.state.Goroutine(p.goroutine[g]).Sending != 0 {
			return p.of[last], true
		}
	}
	return p.of[i], false
}

// mayPanic reports whether it is not known that event i, an Add, leaves a counter that is not negative: its goroutine
// fails right after it, or there are more Dones than there is room for.
func (p *path) mayPanic(i int32) bool {
	list := p.threads[p.threadOf(i)].events
	next := int(p.events[i].Index) + 1
	return p.keys[p.of[i]].added < 0 || next < len(list) && p.events[list[next]].Op == schedule.Fail
}

// undo takes back the last n events.
func (p *path) undo(n int) {
	p.state.Undo(n)
	for range n {
		i := p.done[len(p.done)-1]
		p.done = p.done[:len(p.done)-1]
		p.at[p.threadOf(i)]--
		for _, j := range p.needs.after[i] {
			p.missing[j]++
		}
		p.define(i, -1)
		p.count(i, -1)
	}
}

// define numbers what event i defines, or takes that back.
func (p *numbers) define(i int32, by int32) {
	e := &p.traces.events[i]
	if e.Op == schedule.New {
		number(&p.object[e.Object], &p.nextObject, 0, by)
	}
	if (e.Op == schedule.Spawn || e.Op == schedule.TimerFire) && e.Child >= 0 {
		number(&p.goroutine[e.Child], &p.nextGoroutine, none, by)
	}
	if e.Result != 0 {
		number(&p.local[e.Result], &p.nextLocal, 0, by)
	}
}

// number gives something the next number or, if by is -1, takes that back.
func number[N schedule.GoroutineID | schedule.ObjectID | schedule.Local](of, next *N, unnumbered N, by int32) {
	if by > 0 {
		*of = *next
		*next++
	} else {
		*of = unnumbered
		*next--
	}
}

// translate returns event i with the numbers of the joined schedule. It is valid until the next call.
func (p *numbers) translate(i int32) *schedule.Event {
	e := &p.event
	*e = p.traces.events[i]
	if e.Goroutine >= 0 {
		e.Goroutine = p.goroutine[e.Goroutine]
	}
	switch {
	case e.Op == schedule.New:
		e.Object = p.nextObject
	default:
		e.Object = p.object[e.Object]
	}
	switch {
	case !hasChild[e.Op] || e.Child < 0:
	case e.Op == schedule.Spawn || e.Op == schedule.TimerFire:
		e.Child = p.nextGoroutine
	default:
		e.Child = p.goroutine[e.Child]
	}
	defines := e.Result != 0
	p.lists[0] = append(p.lists[0][:0], e.List...)
	p.lists[1] = append(p.lists[1][:0], e.Depends...)
	p.cases = append(p.cases[:0], e.Cases...)
	e.List, e.Depends, e.Cases = p.lists[0], p.lists[1], p.cases
	for c := range e.Cases {
		e.Cases[c].Object = p.object[e.Cases[c].Object]
	}
	for l := range localsOf(e) {
		*l = p.local[*l]
	}
	if defines {
		e.Result = p.nextLocal
	}
	return e
}

// count counts event i as done or, if by is -1, not done.
func (p *path) count(i, by int32) {
	k := p.of[i]
	if k == none {
		return
	}
	at, e := &p.keys[k], &p.events[i]
	switch e.Op {
	case schedule.SemRelease, schedule.Send:
		at.level += by
	case schedule.SemAcquire, schedule.Recv:
		at.level -= by
	case schedule.WaitGroupAdd:
		if e.Number > 0 {
			at.raised += by
		}
	case schedule.WaitGroupWait:
		at.asked -= by
	case schedule.CondWait:
		had := at.waits[e.Goroutine] > 0
		at.waits[e.Goroutine] -= by
		if has := at.waits[e.Goroutine] > 0; has && !had {
			at.sleeps++
		} else if had && !has {
			at.sleeps--
		}
	}
	if !at.exact || !at.shared {
		return
	}
	if r := p.read[i]; r != none {
		p.tallies[r].demand -= by
	}
	if next := p.uses.next[i]; next != none && p.read[next] != none {
		p.tallies[p.read[next]].demand += by
	}
	if by < 0 {
		at.now = p.before[i]
	} else {
		p.before[i] = at.now
		if p.read[i] != none {
			at.now = p.read[i]
		}
	}
	if w := p.wrote[i]; w != none {
		p.tallies[w].supply -= by
		if by > 0 {
			at.now = w
		}
	}
}

// cellName returns how the files call a cell.
func (t *Traces) cellName(c schedule.Cell) string {
	return fmt.Sprintf("o%d.%d", t.objects.name[c.Object], c.Offset)
}
