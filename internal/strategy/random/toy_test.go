package random

import (
	"fmt"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A toy is a program without branches: the operations of each goroutine, in words such as "wx"
// (writes x) and "rx" (reads x), "-" for one that is independent of all others, "l" and "u" to
// lock and unlock the one mutex, "y" to yield and "s1" to start goroutine 1. Goroutines that
// none starts are there from the beginning.
type toy [][]string

// newToy returns a toy with a line of operations for each goroutine.
func newToy(goroutines ...string) toy {
	p := toy{}
	for _, line := range goroutines {
		p = append(p, strings.Fields(line))
	}
	return p
}

// transition returns the operation at index at of goroutine g.
func (p toy) transition(g, at int, locked bool) run.Transition {
	t := run.Transition{Decision: run.Decision{Goroutine: int32(g)}, Partner: -1, Cells: 1, Enabled: true}
	shared := func(name byte) run.ObjectID { return run.ObjectID{Count: int32(name)} }
	switch word := p[g][at]; word[0] {
	case 'r':
		t.Op, t.Object = schedule.AtomicRead, shared(word[1])
	case 'w':
		t.Op, t.Object = schedule.AtomicWrite, shared(word[1])
	case 'l':
		t.Op, t.Object, t.Enabled = schedule.Lock, shared('m'), !locked
	case 'u':
		t.Op, t.Object = schedule.Unlock, shared('m')
	case 'y', 's':
		t.Op, t.Object = schedule.Yield, run.NoObject // a start too: both are independent of all others
	case '-':
		t.Op, t.Object = schedule.AtomicWrite, run.ObjectID{Goroutine: int32(g), Count: int32(at)}
	default:
		panic("toy: operation " + word)
	}
	return t
}

// starts returns the goroutines that are started by others.
func (p toy) starts() map[int]bool {
	set := map[int]bool{}
	for _, words := range p {
		for _, word := range words {
			if word[0] == 's' {
				set[int(word[1]-'0')] = true
			}
		}
	}
	return set
}

// An operation is that of a goroutine of a toy, by its index there.
type operation struct{ goroutine, index int }

// play returns the operations in the order of sched, up to a deadlock.
func (p toy) play(sched run.Scheduler) []operation {
	next := make([]int, len(p))
	starts := p.starts()
	last, locked := int32(-1), false
	trace := &run.Trace{}
	var order []operation
	for {
		pt := run.SchedulingPoint{Last: last, Trace: trace}
		for g, at := range next {
			if at == len(p[g]) || starts[g] {
				continue
			}
			t := p.transition(g, at, locked)
			pt.Pending = append(pt.Pending, t)
			if t.Enabled {
				pt.Enabled = append(pt.Enabled, t)
			}
		}
		trace.Pending = pt.Pending
		if len(pt.Enabled) == 0 {
			return order
		}
		t := &pt.Enabled[0]
		if len(pt.Enabled) > 1 {
			t = &pt.Enabled[sched.Choose(&pt)]
		}
		if w, ok := sched.(run.Watcher); ok {
			w.Stepping(t, trace)
		}
		switch t.Op {
		case schedule.Lock:
			locked = true
		case schedule.Unlock:
			locked = false
		}
		last = t.Goroutine
		if word := p[last][next[last]]; word[0] == 's' {
			starts[int(word[1]-'0')] = false
		}
		order = append(order, operation{int(last), next[last]})
		next[last]++
	}
}

// class names the partial order of a run: for each operation those before it that are dependent
// with it.
func (p toy) class(order []operation) string {
	var b strings.Builder
	for g := range p {
		for i := range p[g] {
			fmt.Fprintf(&b, "%d.%d after", g, i)
			t := p.transition(g, i, false)
			for h := range p {
				for k := range p[h] {
					u := p.transition(h, k, false)
					if h != g && run.Dependent(&u, &t) && before(order, operation{h, k}, operation{g, i}) {
						fmt.Fprintf(&b, " %d.%d", h, k)
					}
				}
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// before reports whether operation a comes before b in a run.
func before(order []operation, a, b operation) bool {
	for _, p := range order {
		switch p {
		case a:
			return true
		case b:
			return false
		}
	}
	return false
}
