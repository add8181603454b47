package con2colic

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// Time passes only when no goroutine can go on. So when the sink's goroutine
// waits for a timer, the run goes on with all of them until they wait too. What
// the sink's goroutine does then comes after all that the others did meanwhile:
// the scenario of such an event is that of the run as far as it had come.

// alone returns how many events goroutine g had when it began to wait for time
// to pass, or in the end.
func (l *lesson) alone(g int32) int {
	if int(g) >= len(l.events) {
		return 0
	}
	events := l.events[g]
	if l.w.wide < 0 {
		return len(events)
	}
	n := 0
	for n < len(events) && int(events[n]) < l.w.wide {
		n++
	}
	return n
}

// goOnWide is goOn for a run in which all goroutines went on in the end.
func (l *lesson) goOnWide(base *scenario) {
	c, f := l.c, l.c.forest
	if int(f.at(base.sink).index) < l.alone(f.at(base.sink).goroutine) {
		l.goOn(base)
	}
	all := l.walk()
	g := f.at(base.sink).goroutine
	turns := l.w.turns
	for k := l.alone(g); g < int32(len(l.events)) && k < len(l.events[g]); k++ {
		i := l.events[g][k]
		n := all[i]
		s := l.prefix(all, i)
		if s == nil || s.degree > c.options.K || c.interrupted() {
			return
		}
		p := place{s, n}
		for len(turns) > 0 && int(turns[0].index) <= k {
			if int(turns[0].index) == k {
				l.alternatives(s, f.at(n).parent, n, &turns[0])
			}
			turns = turns[1:]
		}
		c.arrive(p)
		switch f.at(n).op {
		case schedule.Branch:
			l.branch(s, n)
		case schedule.Spawn:
			start := f.child(n, label{goroutine: f.at(n).child, op: schedule.Start, object: noObject})
			c.root(start, p)
		}
	}
	// Timers start goroutines too.
	for i, n := range all {
		if n == 0 || l.t.Events[i].Op != schedule.Start || f.at(f.at(n).parent).op == schedule.Spawn || n == f.at(root).first {
			continue
		}
		if s := l.prefix(all, int32(i)); s != nil && s.degree <= c.options.K {
			c.root(n, place{s, f.at(n).parent})
		}
	}
	if events := l.events[g]; len(events) > 0 {
		i := events[len(events)-1]
		if s := l.prefix(all, i); s != nil && s.degree <= c.options.K {
			if options := pendingOf(l.w.pending, g); len(options) > 0 {
				l.alternatives(s, all[i], 0, &turn{options: options})
			}
		}
	}
}

// interferences counts the reads among events that take their value from another
// goroutine, as scenarios count them.
func interferences(events []run.Event) int {
	type origin struct {
		parent int32
		at     int // index of the Spawn
	}
	spawns := map[int32]origin{}
	// own reports whether event w is of goroutine g, or of one above it before
	// that spawned the next on the way to g.
	own := func(w int, g int32) bool {
		for {
			if events[w].Goroutine == g || events[w].Goroutine < 0 {
				return true
			}
			o, ok := spawns[g]
			if !ok || w > o.at && events[w].Goroutine == o.parent {
				return false
			}
			g = o.parent
		}
	}
	n := 0
	for i := range events {
		e := &events[i]
		switch {
		case e.Op == schedule.Spawn:
			spawns[e.Other] = origin{e.Goroutine, i}
		case reads(e.Op) && interferes(e.Op) && e.Other >= 0 && !own(int(e.Other), e.Goroutine):
			n++
		}
	}
	return n
}

// walk returns the nodes of all events of the follower's part of the run, 0 for
// those of timers.
func (l *lesson) walk() []nodeID {
	f := l.c.forest
	nodes := make([]nodeID, l.w.cut)
	last := map[int32]nodeID{0: root}
	setters := map[run.ObjectID]nodeID{} // the latest TimerSet of a timer
	var fired run.ObjectID
	for i := range nodes {
		e := &l.t.Events[i]
		if e.Goroutine < 0 {
			fired = e.Object
			continue
		}
		parent, ok := last[e.Goroutine]
		if !ok {
			if parent = setters[fired]; parent == 0 {
				continue
			}
		}
		from := nodeID(0)
		if readsCell(e.Op) && e.Other >= 0 && int(e.Other) < i {
			from = nodes[e.Other]
		}
		n := l.eventFrom(parent, int32(i), from)
		if o := f.at(n); o.opaque && o.from != 0 && o.from == f.write(n, f.partsOf(n)[o.blank].loc) {
			n = l.eventFrom(parent, int32(i), 0) // it is no interference
		}
		nodes[i] = n
		last[e.Goroutine] = n
		switch e.Op {
		case schedule.Spawn:
			last[e.Other] = n
		case schedule.TimerSet:
			setters[e.Object] = n
		}
	}
	return nodes
}

// prefix returns the scenario of the run up to event i, which is its sink. It is
// nil when that is not known in full.
func (l *lesson) prefix(nodes []nodeID, i int32) *scenario {
	c, f := l.c, l.c.forest
	m := &c.merge
	m.start(f, nodes[i])
	for k := i - 1; k >= 0; k-- {
		if n := nodes[k]; n != 0 && f.at(n).goroutine != f.at(nodes[i]).goroutine {
			m.addTip(n)
		}
	}
	holder := map[locID]nodeID{}
	for k := int32(0); k <= i; k++ {
		n := nodes[k]
		if n == 0 {
			if l.t.Events[k].Goroutine >= 0 {
				return nil
			}
			continue
		}
		e := f.at(n)
		switch {
		case isAcquire(e.op):
			holder[e.loc] = n
		case e.op == schedule.TryFail || e.op == schedule.LockIntent:
			if w := holder[e.loc]; w != 0 && f.at(w).goroutine != e.goroutine {
				m.addEdge(edge{n, 0, w})
			}
		case reads(e.op):
			l.sources(m, nodes, n, &l.t.Events[k])
		}
	}
	return m.finish(l.s.input)
}

// sources adds to m the edges of the read n, event e: from those that are not on
// its own way.
func (l *lesson) sources(m *merge, nodes []nodeID, n nodeID, e *run.Event) {
	f := l.c.forest
	if e.Other < 0 || int(e.Other) >= len(nodes) || nodes[e.Other] == 0 {
		return
	}
	w := nodes[e.Other]
	for k, p := range f.partsOf(n) {
		if !readsCell(e.Op) {
			if !f.before(w, n) {
				m.addEdge(edge{n, 0, w})
			}
		} else if p.local != w && f.partOn(w, p.loc) != nil {
			m.addEdge(edge{n, int32(k), w})
		}
	}
}
