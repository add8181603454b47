package join

import (
	"context"
	"errors"
	"slices"

	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/schedule"
)

// A window is some of the events after a path, of each thread the next ones, for which the solver looks for an order.
//
// What program order, needs, memory of which all values are known, locks, and signals to goroutines
// demand is stated at first. What else a [schedule.State] demands is stated when an order is found
// that it refuses: a clause excludes the order of the events on which the refusal depends.
type window struct {
	*path
	events []int32         // in the order that is preferred
	number map[int32]int   // of events
	order  *order.Part     // over numbers
	by     map[int32][]int // by key: the events with it, in the order of events
	noted  map[[2]int]bool // pairs of which note has been stated
	done   int             // events of the window that are done
}

// Bounds of a window.
const (
	maxWindow      = 2000      // events
	maxRefinements = 5000      // orders that are tried
	fewRefinements = 20        // likewise, as long as less can be asked for
	maxWork        = 200 << 20 // units of the solver's work, a minute or two
	maxReads       = 1 << 20   // clauses for the reads of a cell; of more, they are stated as they are needed
)

// errBound says that a bound was hit.
var errBound = errors.New("a bound was hit")

// newWindow states the constraints of a window of events after a path, which have to be such that all
// before them in their threads are among them, or done.
func newWindow(ctx context.Context, p *path, events []int32) *window {
	w := &window{
		path: p, events: events, number: make(map[int32]int, len(events)), order: order.NewPart(len(events)),
		by: make(map[int32][]int), noted: make(map[[2]int]bool),
	}
	w.order.Bound(maxWork, ctx.Done())
	for n, i := range events {
		w.number[i] = n
	}
	for n, i := range events {
		if k := p.of[i]; k != none && p.keys[k].shared {
			w.by[k] = append(w.by[k], n)
		}
	}
	w.addNeeds()
	for _, i := range events {
		k := p.of[i]
		if k == none || !p.keys[k].shared || w.number[i] != w.by[k][0] {
			continue
		}
		if p.keys[k].exact {
			w.addReads(k)
		}
		switch p.keys[k].lock {
		case ownLock:
			w.addSections(k)
		case handedLock:
			w.addHandoffs(k)
		}
		if p.keys[k].sleeps > 0 && p.keys[k].kind != mixedKey {
			w.addWakes(k)
		}
	}
	return w
}

// addNeeds states what comes before what in any order.
func (w *window) addNeeds() {
	inside := make([]int32, len(w.events)) // by event: how many of what it needs is in the window
	for n, i := range w.events {
		if j := w.after(i); j >= 0 {
			w.order.Need(n, j)
		}
		for _, j := range w.needs.after[i] {
			if m, ok := w.number[j]; ok {
				w.order.Need(n, m)
				inside[m]++
			}
		}
	}
	for n, i := range w.events {
		if w.missing[i] > inside[n] {
			w.order.Add(w.order.Kept(n).Not())
		}
	}
}

// after returns the number of the event after one in its thread, -1 if it is not in the window.
func (w *window) after(i int32) int {
	list := w.threads[w.threadOf(i)].events
	if next := int(w.path.events[i].Index) + 1; next < len(list) {
		if n, ok := w.number[list[next]]; ok {
			return n
		}
	}
	return -1
}

// addReads states what the reads of a cell have to see.
func (w *window) addReads(k int32) {
	var reads, writes []int
	sources := map[int32][]int{} // by tally
	for _, n := range w.by[k] {
		i := w.events[n]
		if w.read[i] != none {
			reads = append(reads, n)
		}
		if v := w.wrote[i]; v != none {
			writes = append(writes, n)
			sources[v] = append(sources[v], n)
		}
	}
	size := 0
	for _, r := range reads {
		size += len(writes) * (1 + len(sources[w.read[w.events[r]]]))
	}
	if size > maxReads {
		return
	}
	now := w.keys[k].now
	if now == none {
		now = w.keys[k].first
	}
	first := w.firstValues(reads, now)
	for _, r := range reads {
		value := w.read[w.events[r]]
		initially := order.None
		if now == none {
			initially = first[value]
		}
		var from []int
		for _, s := range sources[value] {
			if s != r && !w.ordered(r, s) {
				from = append(from, s)
			}
		}
		w.order.See(order.Read{
			Event: r, When: w.order.Kept(r), Initial: now == none || now == value, First: initially, Sources: from, Writes: writes,
			Clean: func(int) order.Lit { return order.None }, Ordered: w.ordered,
		})
	}
}

// firstValues returns, by the tally of each value that is read, the literal that this is what is
// there at first, of which one holds at most. If it is known what is there it returns nil.
func (w *window) firstValues(reads []int, now int32) map[int32]order.Lit {
	if now != none {
		return nil
	}
	literals := map[int32]order.Lit{}
	var list []order.Lit
	for _, r := range reads {
		value := w.read[w.events[r]]
		if _, ok := literals[value]; ok {
			continue
		}
		l := w.order.NewSelector()
		for _, other := range list {
			w.order.Add(l.Not(), other.Not())
		}
		literals[value], list = l, append(list, l)
	}
	return literals
}

// ordered reports whether one event comes before another in the same thread.
func (w *window) ordered(a, b int) bool {
	x, y := &w.path.events[w.events[a]], &w.path.events[w.events[b]]
	return x.Goroutine == y.Goroutine && x.Index < y.Index
}

// A section is a critical section of a thread.
type section struct {
	order.Section
	thread int
	shared bool
}

// addSections states that sections of a lock exclude each other.
func (w *window) addSections(k int32) {
	var list []*section
	open := map[int]*section{}
	for th := 1; th < len(w.threads); th++ {
		g := w.goroutine[th-1]
		if g == none {
			continue
		}
		at := schedule.Cell{Object: w.object[w.keys[k].cell.Object], Offset: w.keys[k].cell.Offset}
		for _, h := range w.state.Goroutine(g).Held {
			if h.Cell == at {
				s := &section{order.Section{Acquire: -1, Release: -1}, th, h.Shared}
				list, open[th] = append(list, s), s
			}
		}
	}
	for _, n := range w.by[k] {
		th := w.threadOf(w.events[n])
		switch w.path.events[w.events[n]].Op {
		case schedule.Lock, schedule.RLock:
			s := &section{order.Section{Acquire: n, Release: -1}, th, w.path.events[w.events[n]].Op == schedule.RLock}
			list, open[th] = append(list, s), s
		case schedule.Unlock, schedule.RUnlock:
			if s := open[th]; s != nil {
				s.Release = n
				delete(open, th)
			}
		}
	}
	for i, b := range list {
		for _, a := range list[:i] {
			if a.thread != b.thread && !(a.shared && b.shared) {
				w.order.Exclude(a.Section, b.Section, true)
			}
		}
	}
}

// addHandoffs states that a lock is taken when it is free, and released when it is not, whoever does it. That is
// as if an acquisition read that it is free, and a release that it is not, and each wrote the contrary.
func (w *window) addHandoffs(k int32) {
	var acquires, releases, all []int
	readers := map[int]*order.Section{} // by the acquisition
	open := map[int]*order.Section{}    // by thread
	for _, n := range w.by[k] {
		th := w.threadOf(w.events[n])
		switch w.path.events[w.events[n]].Op {
		case schedule.Lock:
			acquires, all = append(acquires, n), append(all, n)
		case schedule.Unlock:
			releases, all = append(releases, n), append(all, n)
		case schedule.RLock:
			open[th] = &order.Section{Acquire: n, Release: -1}
			readers[n] = open[th]
		case schedule.RUnlock:
			if s := open[th]; s != nil {
				s.Release = n
			}
		}
	}
	if (len(all)+len(readers))*len(all)*len(all) > maxReads {
		return
	}
	held := w.isHeld(k)
	for _, n := range w.by[k] {
		read := order.Read{
			Event: n, When: w.order.Kept(n), First: order.None, Writes: all,
			Clean: func(int) order.Lit { return order.None }, Ordered: w.ordered,
		}
		switch w.path.events[w.events[n]].Op {
		case schedule.Lock, schedule.RLock:
			read.Initial, read.Sources = !held, releases
		case schedule.Unlock:
			read.Initial, read.Sources = held, acquires
		default:
			continue
		}
		read.Sources = slices.DeleteFunc(slices.Clone(read.Sources), func(s int) bool { return w.ordered(n, s) })
		w.order.See(read)
		s := readers[n]
		if s == nil {
			continue
		}
		for _, a := range acquires {
			clause := []order.Lit{w.order.Kept(a).Not(), w.order.Kept(n).Not(), w.order.Before(a, n)}
			if s.Release >= 0 {
				clause = append(clause, w.order.Before(s.Release, a))
				w.order.Add(w.order.Kept(a).Not(), w.order.Before(s.Release, a).Not(), w.order.Kept(s.Release))
			}
			w.order.Add(clause...)
		}
	}
}

// isHeld reports whether somebody holds a lock for writing before the window.
func (w *window) isHeld(k int32) bool {
	at := schedule.Cell{Object: w.object[w.keys[k].cell.Object], Offset: w.keys[k].cell.Offset}
	for g := range schedule.GoroutineID(w.state.Goroutines()) {
		for _, h := range w.state.Goroutine(g).Held {
			if h.Cell == at && !h.Shared {
				return true
			}
		}
	}
	return false
}

// keep states that an event is in the order.
func (w *window) keep(n int) { w.order.Add(w.order.Kept(n)) }

// solve looks for an order in which literals hold, among as many as the limit, and does its events.
// If there is none, it returns those literals that cannot hold together.
func (w *window) solve(ctx context.Context, limit int, literals ...order.Lit) (found bool, core []order.Lit, err error) {
	for range limit {
		switch w.order.Check(literals...) {
		case order.Unsat:
			return false, w.order.Core(), nil
		case order.Unknown:
			if ctx.Err() != nil {
				return false, nil, ctx.Err()
			}
			return false, nil, errBound
		}
		if w.follow() {
			return true, nil, nil
		}
		if ctx.Err() != nil {
			return false, nil, ctx.Err()
		}
	}
	return false, nil, errBound
}

// follow does the events of the order that was found. If one is not possible, it takes them back,
// and excludes that order.
func (w *window) follow() bool {
	w.done = 0
	for _, n := range w.order.Linear(func(a, b int) bool { return a < b }) {
		if !w.order.Holds(w.order.Kept(n)) {
			continue
		}
		if w.try(w.events[n]) != nil {
			w.exclude(n)
			w.undo(w.done)
			w.done = 0
			return false
		}
		w.done++
	}
	return true
}

// exclude states that event n, which has just been refused, does not come where it came.
func (w *window) exclude(n int) {
	x := exclusion{window: w, place: make(map[int]int, w.done)}
	for at, i := range w.path.done[len(w.path.done)-w.done:] {
		x.place[w.number[i]] = at
	}
	x.place[n] = w.done
	i := w.events[n]
	k, sent := w.obstacle(i)
	x.clause = append(x.clause, w.order.Kept(n).Not())
	e := &w.path.events[i]
	switch at := &w.keys[max(k, 0)]; {
	case k == none:
	case sent: // it goes on before that is received
		x.among(n, k, receives)
		last := w.threads[w.threadOf(i)].events[e.Index-1]
		if s, ok := w.number[last]; ok {
			x.among(s, k, sends)
		}
	case at.kind == mixedKey || at.timer:
		x.history(n, k)
	case e.Op == schedule.WaitGroupWait || e.Op == schedule.WaitGroupAdd:
		x.among(n, k, adds)
	case e.Op == schedule.Recv && w.event.From >= 0: // another value
		x.among(n, k, receives)
		if s, ok := w.number[w.path.done[w.event.From]]; ok {
			x.among(s, k, sends)
		}
	case at.kind == channelKey:
		x.among(n, k, communicates)
	default:
		x.history(n, k)
	}
	w.order.Add(x.clause...)
}

// An exclusion is a clause that excludes an order.
type exclusion struct {
	*window
	place  map[int]int // of the events that are done, in the order
	clause []order.Lit
}

// among adds that event n has another place among those with a key that an operation is one of: one
// of those before it comes after it, or one of those after it comes before it.
func (x *exclusion) among(n int, k int32, which func(schedule.Op) bool) {
	last, first := map[int]int{}, map[int]int{} // by thread: the last one before n, the first one after it
	var threads []int
	for _, m := range x.by[k] {
		i := x.events[m]
		th := x.threadOf(i)
		if m == n || th == x.threadOf(x.events[n]) || !which(x.path.events[i].Op) {
			continue
		}
		if !slices.Contains(threads, th) {
			threads = append(threads, th)
		}
		if at, ok := x.place[m]; ok && at < x.place[n] {
			if l, ok := last[th]; !ok || x.ordered(l, m) {
				last[th] = m
			}
		} else if f, ok := first[th]; !ok || x.ordered(m, f) {
			first[th] = m
		}
	}
	for _, th := range threads {
		if l, ok := last[th]; ok {
			x.add(n, l)
		}
		if f, ok := first[th]; ok {
			x.add(f, n)
		}
	}
}

// history adds that something else has been done with a key before event n, or in another order.
func (x *exclusion) history(n int, k int32) {
	x.among(n, k, func(schedule.Op) bool { return true })
	var list []int
	for _, m := range x.by[k] {
		if at, ok := x.place[m]; ok && at < x.place[n] {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b int) int { return x.place[a] - x.place[b] })
	for i := 1; i < len(list); i++ {
		if x.threadOf(x.events[list[i-1]]) != x.threadOf(x.events[list[i]]) {
			x.add(list[i], list[i-1])
		}
	}
}

// add adds that event a comes before event b.
func (x *exclusion) add(a, b int) { x.clause = append(x.clause, x.comes(a, b)) }

func adds(op schedule.Op) bool         { return op == schedule.WaitGroupAdd }
func sends(op schedule.Op) bool        { return op == schedule.Send }
func receives(op schedule.Op) bool     { return op == schedule.Recv }
func communicates(op schedule.Op) bool { return op == schedule.Send || op == schedule.Recv }
