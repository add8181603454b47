package con2colic

import (
	"fmt"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A lesson is what the run of a candidate has to teach: whether it went as the
// scenario has it, and what the sink's goroutine did after that.
type lesson struct {
	c *Strategy
	s *scenario
	w *follower
	t *run.Trace
	// events holds the indexes in t.Events of each goroutine's events.
	events [][]int32
	kinds  map[int32]run.ConditionKind // of the Branches, by index in t.Events

	// At the end of the walk: the node at the sink's place, 0 when the run did not
	// get there, and whether all other goroutines did their part.
	reached nodeID
	failed  bool
}

func (c *Strategy) learn(s *scenario, w *follower, t *run.Trace, from *expr.Arena) {
	f := c.forest
	l := &lesson{c: c, s: s, w: w, t: t, kinds: make(map[int32]run.ConditionKind, len(t.Path))}
	for i := range t.Events[:w.cut] {
		g := t.Events[i].Goroutine
		if g < 0 {
			l.timer(&t.Events[i])
			continue
		}
		for int(g) >= len(l.events) {
			l.events = append(l.events, nil)
		}
		l.events[g] = append(l.events[g], int32(i))
	}
	for i := range t.Path {
		l.kinds[t.Path[i].Event] = t.Path[i].Kind
	}
	c.translator.start(f, from)
	for _, in := range t.Inputs {
		c.translator.input(in.Name, in.Sym)
	}
	l.learnChannels()

	l.follow(0, root)
	avoided := l.avoidFailure()
	if l.reached == 0 || l.failed {
		if !avoided {
			c.diverged(s, w, t.Outcome == run.Failed)
		}
		return
	}
	base := s
	if l.reached != s.sink {
		m := &c.merge
		m.start(f, l.reached)
		m.addOthers(s, s.sink, l.reached)
		if base = m.finish(s.input); base == nil {
			return
		}
	}
	if w.wide >= 0 {
		l.goOnWide(base)
	} else {
		l.goOn(base)
	}
}

// avoidFailure deals with a run that was over too early because a goroutine other
// than the sink's failed in what it did, unasked, after its part: the code between
// its last operation of the scenario and its next one. It extends the scenario by
// the other ways that the goroutine could have gone there.
func (l *lesson) avoidFailure() bool {
	c, f := l.c, l.c.forest
	if l.t.Outcome != run.Failed || l.w.cut == 0 || l.t.Events[l.w.cut-1].Op != schedule.Fail {
		return false
	}
	g := l.t.Events[l.w.cut-1].Goroutine
	if g == f.at(l.s.sink).goroutine {
		return false
	}
	// The sink's goroutine may have spawned the one that failed after the sink.
	sink, actual := l.s.sink, l.s.sink
	if l.reached != 0 {
		sink, actual = l.last(), l.reached
	}
	m := &c.merge
	m.start(f, sink)
	m.addOthers(l.s, l.s.sink, actual)
	s := m.finish(l.s.input)
	if s == nil {
		return false
	}
	n := f.tip(place{s, s.sink}, g)
	from := int32(0)
	if n != 0 {
		from = f.at(n).index + 1
	} else if n = l.spawnOf(s, g); n == 0 {
		return false
	}
	if int(from) > len(l.events[g]) {
		return false
	}
	for _, i := range l.events[g][from:] {
		n = l.event(n, i)
	}
	var turns []nodeID // the branches on the way to the failure
	for ; ; n = f.at(n).parent {
		e := f.at(n)
		if t := f.tip(place{s, s.sink}, e.goroutine); t != 0 && f.before(n, t) {
			break
		}
		if visible(e.op) {
			return false // it failed in an operation, not on the way to one
		}
		if e.op == schedule.Branch {
			turns = append(turns, n)
		}
	}
	for _, n := range turns {
		for _, other := range l.others(n) {
			m.start(f, s.sink)
			m.addPlace(place{s, s.sink})
			m.addTip(other)
			if s := m.finish(s.input); s != nil {
				c.push(s)
			}
		}
	}
	return true
}

// last returns the node of the last event of the sink's goroutine.
func (l *lesson) last() nodeID {
	n := l.reached
	g := l.c.forest.at(n).goroutine
	for _, i := range l.events[g][l.c.forest.at(n).index+1:] {
		n = l.event(n, i)
	}
	return n
}

// spawnOf returns the node of the Spawn of goroutine g, if its parent has done
// that within the scenario s or after.
func (l *lesson) spawnOf(s *scenario, g int32) nodeID {
	f := l.c.forest
	for p := range l.events {
		for k, i := range l.events[p] {
			e := &l.t.Events[i]
			if e.Op != schedule.Spawn || e.Other != g {
				continue
			}
			n := f.tip(place{s, s.sink}, int32(p))
			if n == 0 {
				if n = l.spawnOf(s, int32(p)); n == 0 {
					return 0
				}
				for _, j := range l.events[p][:k+1] {
					n = l.event(n, j)
				}
				return n
			}
			for f.at(n).index > int32(k) {
				n = f.at(n).parent
			}
			for int(f.at(n).index) < k {
				n = l.event(n, l.events[p][f.at(n).index+1])
			}
			return n
		}
	}
	return 0
}

// timer notes the channel on which the firing of a timer sends.
func (l *lesson) timer(e *run.Event) {
	f := l.c.forest
	if e.Op == schedule.TimerFire && e.Object != noObject {
		f.locs[f.location(e.Object, e.Offset)].timer = true
	}
}

// learnChannels finds out the capacities of channels on which a goroutine is
// about to send: it is blocked when the buffer is full, and can meet a receiver
// when there is none. It also finds those on which timers will send.
func (l *lesson) learnChannels() {
	f := l.c.forest
	for _, o := range l.w.pending {
		if o.Op == schedule.TimerFire && o.Object != noObject {
			f.locs[f.location(o.Object, o.Offset)].timer = true
		}
		if o.Op == schedule.Send && o.Object != noObject && (!o.Enabled || o.Partner >= 0) {
			at := location{o.Object, o.Offset}
			f.locs[f.location(at.object, at.offset)].capacity = len(l.w.queues[at])
		}
	}
}

// follow walks the events of goroutine g, whose first hangs from parent, up to
// its tip in the scenario, and those of the goroutines of the scenario that it
// spawns.
func (l *lesson) follow(g int32, parent nodeID) {
	f := l.c.forest
	tip := f.tip(place{l.s, l.s.sink}, g)
	if tip == 0 {
		return
	}
	sink := tip == l.s.sink
	length := f.at(tip).index
	expected := make([]nodeID, length+1)
	for k, n := length, tip; k >= 0; k-- {
		expected[k] = n
		n = f.at(n).parent
	}
	n := parent
	for k := int32(0); k <= length; k++ {
		if g >= int32(len(l.events)) || int(k) >= len(l.events[g]) {
			l.failed = true
			return
		}
		n = l.eventFrom(n, l.events[g][k], f.at(expected[k]).from)
		if !f.before(n, tip) && !(sink && k == length) {
			l.failed = true
			return
		}
	}
	if sink {
		l.reached = n
	}
	for _, t := range l.s.tips {
		if s := f.at(f.at(t).start).parent; s != 0 && f.at(s).goroutine == g {
			l.follow(f.at(t).goroutine, s)
		}
	}
}

// event returns the node of event i of the trace, a child of parent, and keeps
// what the event tells.
func (l *lesson) event(parent nodeID, i int32) nodeID { return l.eventFrom(parent, i, 0) }

// eventFrom is event for one that, if it is an opaque read, takes its value from a
// write of another goroutine; 0 for none.
func (l *lesson) eventFrom(parent nodeID, i int32, from nodeID) nodeID {
	c, f, tr := l.c, l.c.forest, &l.c.translator
	e := &l.t.Events[i]
	lab := label{goroutine: e.Goroutine, op: e.Op, object: e.Object, offset: e.Offset, site: e.Site}
	if onLocation(e.Op) && e.Object != noObject {
		lab.cells = max(e.Cells, 1)
	}
	switch {
	case e.Select:
		lab.selects, lab.alt = true, e.Alt
	case e.Op == schedule.Choice:
		lab.alt = e.Alt
	case e.Op == schedule.CondSignal && e.Alt == broadcast:
		lab.alt = broadcast
	case e.Op == schedule.WaitGroupAdd && int64(e.Wrote) < 0:
		lab.alt = misuse
	case e.Op == schedule.Spawn:
		lab.child = e.Other
	case e.Op == schedule.Branch || e.Op == schedule.Assume:
		lab.cond = tr.expr(e.Cond)
	}
	blank, opaque := opaquePart(e)
	if opaque {
		lab.from = from
	}
	id := f.child(parent, lab)
	n := f.at(id)
	n.opaque, n.blank = opaque, blank
	parts := f.partsOf(id)
	if reads(e.Op) && len(parts) > 0 {
		l.readValues(e, n.index, parts)
	}
	c.covered[f.outcomeOf(id)] = true
	if n.seen && (len(parts) == 0 || parts[0].known) {
		return id
	}
	n.seen = true
	if lab.cond != expr.None {
		n.kind = l.kinds[i]
		n.side = int8(e.Alt)
		c.covered[f.outcomeOf(id)] = true
	}
	if e.Op == schedule.WaitGroupAdd {
		n.delta = int64(e.Wrote - e.Read)
	}
	for k := range parts {
		p := &parts[k]
		p.known = true
		if k == 0 {
			p.wrote, p.wroteSym = e.Wrote, tr.expr(e.WroteSym)
		} else if writes(e.Op) && k <= len(e.Rest) {
			p.wrote, p.wroteSym = e.Rest[k-1].Value, tr.expr(e.Rest[k-1].Sym)
		}
	}
	return id
}

// opaquePart returns the first cell for which the read e has no symbol, if there is
// one. The clock and the like are not memory that goroutines write.
func opaquePart(e *run.Event) (part int32, ok bool) {
	if !readsCell(e.Op) || e.Object.Goroutine < 0 && e.Object.Count < 0 {
		return 0, false
	}
	if e.ReadSym == expr.None {
		return 0, true
	}
	for i := range e.Rest {
		if e.Rest[i].Sym == expr.None {
			return int32(i) + 1, true
		}
	}
	return 0, false
}

// readValues takes in the read symbols of e, event index of its goroutine, and, when it reads initial values,
// those.
func (l *lesson) readValues(e *run.Event, index int32, parts []part) {
	f := l.c.forest
	for k := range parts {
		sym, value := e.ReadSym, e.Read
		if k > 0 {
			if k > len(e.Rest) {
				break
			}
			sym, value = e.Rest[k-1].Sym, e.Rest[k-1].Value
		}
		if sym != expr.None {
			parts[k].readSym = l.c.translator.read(e.Goroutine, index, int32(k), sym)
		}
		if readsCell(e.Op) && e.Other < 0 {
			at := &f.locs[parts[k].loc]
			at.initial, at.initialKnown = value, true
		}
	}
}

// goOn takes in what the sink's goroutine did after the sink, which is the sink
// of base: the events that other goroutines may need, and the ways in which it
// could have gone on otherwise (ExtractISCs, algorithm 2 of the paper).
func (l *lesson) goOn(base *scenario) {
	c, f := l.c, l.c.forest
	n := base.sink
	g := f.at(n).goroutine
	end := l.alone(g)
	if parent := f.at(n).parent; n != root && f.at(parent).goroutine == g {
		c.arrive(place{base, parent}) // new too, when n is on the outcome of a compare-and-swap
	}
	turns := l.w.turns
	for k := f.at(n).index; ; {
		parent := f.at(n).parent
		for len(turns) > 0 && turns[0].index <= k {
			if turns[0].index == k {
				l.alternatives(base, parent, n, &turns[0])
			}
			turns = turns[1:]
		}
		c.arrive(place{base, n})
		if e := f.at(n); e.opaque && e.from == 0 {
			c.opaque(n, place{base, parent})
		}
		switch f.at(n).op {
		case schedule.Branch:
			l.branch(base, n)
		case schedule.Spawn:
			start := f.child(n, label{goroutine: f.at(n).child, op: schedule.Start, object: noObject})
			c.root(start, place{base, n})
		}
		if k++; int(k) >= end {
			break
		}
		if c.interrupted() {
			return
		}
		n = l.event(n, l.events[g][k])
	}
	if l.w.long {
		c.gaveUp(fmt.Sprintf("con2colic: a goroutine did more than %d events alone and was stopped", maxAlone))
		return
	}
	pending := l.w.pending
	if l.w.wide >= 0 {
		pending = l.w.unwidened
	}
	if options := pendingOf(pending, g); len(options) > 0 {
		l.alternatives(base, n, 0, &turn{options: options})
	}
}

// branch makes candidates for the other sides of the branch n.
func (l *lesson) branch(base *scenario, n nodeID) {
	c, f := l.c, l.c.forest
	parent := f.at(n).parent
	for _, other := range l.others(n) {
		p := place{base, f.at(other).parent}
		if p.node != parent {
			// The other outcome of a compare-and-swap is another event already.
			m := &c.merge
			m.start(f, p.node)
			m.addOthers(base, parent, p.node)
			if p.base = m.finish(base.input); p.base == nil {
				continue
			}
		}
		c.root(other, p)
	}
}

// others returns the nodes for the other sides of the branch n. For what an
// address or the like had to be, these are the other values seen and one for all
// the rest.
func (l *lesson) others(n nodeID) []nodeID {
	f, a := l.c.forest, l.c.forest.arena
	e := *f.at(n)
	if f.isSwapOutcome(n) {
		return []nodeID{l.otherSwap(n)}
	}
	residual := a.Not(e.cond)
	var others []nodeID
	for k := f.at(e.parent).first; k != 0; k = f.at(k).sibling {
		o := f.at(k)
		if k == n || o.op != schedule.Branch || e.kind == run.Concretized && !o.seen {
			continue
		}
		residual = a.And(residual, a.Not(o.cond))
		others = append(others, k)
	}
	if len(others) > 0 && e.kind != run.Concretized {
		return others
	}
	if v, constant := a.ConstValue(residual); constant && v == 0 {
		return others
	}
	dual := f.child(e.parent, label{goroutine: e.goroutine, op: schedule.Branch, object: noObject, site: e.site, cond: residual})
	f.at(dual).kind = e.kind
	f.at(dual).side = 1 - e.side
	return append(others, dual)
}

// otherSwap returns the node for the other outcome of a compare-and-swap. n is
// the branch on its outcome, which follows the access itself; a swap that is not
// done is a read only.
func (l *lesson) otherSwap(n nodeID) nodeID {
	f := l.c.forest
	branch, access := *f.at(n), *f.at(f.at(n).parent)
	lab := access.label
	lab.op = schedule.AtomicRead
	if access.op == schedule.AtomicRead {
		lab.op = schedule.AtomicUpdate
	}
	other := f.child(access.parent, lab)
	lab = branch.label
	lab.cond = f.arena.Not(branch.cond)
	dual := f.child(other, lab)
	f.at(dual).kind = branch.kind
	f.at(dual).side = 1 - branch.side
	return dual
}

// alternatives makes candidates for what could have come in the place of n, the
// child of parent that did; n is 0 when nothing did.
func (l *lesson) alternatives(base *scenario, parent, n nodeID, t *turn) {
	c, f := l.c, l.c.forest
	p := place{base, parent}
	add := func(lab label) {
		if n == 0 || f.at(n).label != lab {
			other := f.child(parent, lab)
			if n != 0 && lab.op == schedule.WaitGroupAdd {
				f.at(other).delta = f.at(n).delta
			}
			c.root(other, p)
		}
	}
	for v := range t.values {
		lab := f.at(n).label
		lab.alt = int32(v)
		add(lab)
	}
	for i := range t.options {
		o := &t.options[i]
		if o.Op == schedule.CondSignal || o.Op == schedule.NoOp || o.Object == noObject && o.Op != schedule.SelectDefault {
			continue
		}
		lab := label{
			goroutine: o.Goroutine, op: o.Op, selects: o.Select,
			object: o.Object, offset: o.Offset, site: o.Site,
		}
		if onLocation(o.Op) {
			lab.cells = max(o.Cells, 1)
		}
		if o.From.Cells > 0 && c.shared[o.From.Object] {
			// A copy reads first.
			lab.op, lab.object, lab.offset, lab.cells = schedule.Read, o.From.Object, o.From.Offset, o.From.Cells
		}
		if o.Select {
			lab.alt = int32(o.Case())
		}
		if readsCell(lab.op) && n != 0 {
			continue // it has no other outcome than by its value
		}
		add(lab)
		l.opaquePending(lab, p)
		switch o.Op {
		case schedule.Recv:
			lab.op = schedule.RecvClosed
			add(lab)
		case schedule.RecvClosed:
			lab.op = schedule.Recv
			add(lab)
		case schedule.LockIntent:
			lab.op = schedule.Lock
			add(lab)
		}
	}
}

// opaquePending deals with a read that is pending after p, because it would meet
// an unforeseen interference: on a location where reads are opaque, it is one.
func (l *lesson) opaquePending(lab label, p place) {
	c, f := l.c, l.c.forest
	if !readsCell(lab.op) || lab.object == noObject {
		return
	}
	if at := f.locs[f.location(lab.object, lab.offset)]; len(at.opaque) > 0 {
		n := f.child(p.node, lab)
		f.at(n).opaque = true
		c.opaque(n, p)
	}
}
