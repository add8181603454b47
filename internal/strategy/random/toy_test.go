package random

import (
	"fmt"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A toy is a program without branches: the operations of each goroutine, in
// words such as "wx" (writes x) and "rx" (reads x), "-" for one that concerns
// nobody, "l" and "u" to lock and unlock the one mutex, "y" to yield and "s1" to
// start goroutine 1. Goroutines that none starts are there from the beginning.
type toy [][]string

// newToy makes a toy of a line of operations for each goroutine.
func newToy(goroutines ...string) toy {
	t := toy{}
	for _, line := range goroutines {
		t = append(t, strings.Fields(line))
	}
	return t
}

// option returns the operation at index at of goroutine g.
func (t toy) option(g, at int, locked bool) run.Transition {
	o := run.Transition{Decision: run.Decision{Goroutine: int32(g)}, Partner: -1, Cells: 1, Enabled: true}
	shared := func(name byte) run.ObjectID { return run.ObjectID{Count: int32(name)} }
	switch word := t[g][at]; word[0] {
	case 'r':
		o.Op, o.Object = schedule.AtomicRead, shared(word[1])
	case 'w':
		o.Op, o.Object = schedule.AtomicWrite, shared(word[1])
	case 'l':
		o.Op, o.Object, o.Enabled = schedule.Lock, shared('m'), !locked
	case 'u':
		o.Op, o.Object = schedule.Unlock, shared('m')
	case 'y', 's':
		o.Op, o.Object = schedule.Yield, run.NoObject // a start too: it concerns nobody else
	case '-':
		o.Op, o.Object = schedule.AtomicWrite, run.ObjectID{Goroutine: int32(g), Count: int32(at)}
	default:
		panic("toy: operation " + word)
	}
	return o
}

// starts returns the goroutines that are started by others.
func (t toy) starts() map[int]bool {
	set := map[int]bool{}
	for _, words := range t {
		for _, word := range words {
			if word[0] == 's' {
				set[int(word[1]-'0')] = true
			}
		}
	}
	return set
}

// A place is an operation of a toy.
type place struct{ goroutine, index int }

// play lets sched order the steps and returns them. A run that cannot go on ends.
func (t toy) play(sched run.Scheduler) []place {
	next := make([]int, len(t))
	starts := t.starts()
	last, locked := int32(-1), false
	trace := &run.Trace{}
	var order []place
	for {
		p := run.SchedulingPoint{Last: last, Trace: trace}
		for g, at := range next {
			if at == len(t[g]) || starts[g] {
				continue
			}
			o := t.option(g, at, locked)
			p.Pending = append(p.Pending, o)
			if o.Enabled {
				p.Enabled = append(p.Enabled, o)
			}
		}
		trace.Pending = p.Pending
		if len(p.Enabled) == 0 {
			return order
		}
		o := &p.Enabled[0]
		if len(p.Enabled) > 1 {
			o = &p.Enabled[sched.Choose(&p)]
		}
		if w, ok := sched.(run.Watcher); ok {
			w.Stepping(o, trace)
		}
		switch o.Op {
		case schedule.Lock:
			locked = true
		case schedule.Unlock:
			locked = false
		}
		last = o.Goroutine
		if word := t[last][next[last]]; word[0] == 's' {
			starts[int(word[1]-'0')] = false
		}
		order = append(order, place{int(last), next[last]})
		next[last]++
	}
}

// class names the partial order of a run: for each step those before it whose order
// with it matters.
func (t toy) class(order []place) string {
	var b strings.Builder
	for g := range t {
		for i := range t[g] {
			fmt.Fprintf(&b, "%d.%d after", g, i)
			o := t.option(g, i, false)
			for h := range t {
				for k := range t[h] {
					p := t.option(h, k, false)
					if h != g && run.Dependent(&p, &o) && before(order, place{h, k}, place{g, i}) {
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
func before(order []place, a, b place) bool {
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
