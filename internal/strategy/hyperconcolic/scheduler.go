package hyperconcolic

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A scheduler schedules the run of an item: first by its decisions, then by default. It records
// the events and looks for revisits.
type scheduler struct {
	execution
	item         *item
	pool         *pool
	ran          *item         // of the run that execution holds, nil if there is none
	trace        *run.Trace    // of that run, after Learn
	ranDecisions *runDecisions // of that run, if it led to other items
	replayed     int           // number of the item's decisions that have been made
	edges        int           // number of the item's edges that have been reached
	firstFlip    int           // conditions of the path before this one belong to other items
	valueChoices []valueChoice
	scanned      int  // number of events when scan was last called
	forced       bool // the last step was the only one that was enabled
	// blocked says that a decision of the item was not possible, redundant that all enabled
	// steps belong to sibling items, duplicate that the item itself does.
	blocked, redundant, duplicate bool
}

// A valueChoice is the choice of a value by default.
type valueChoice struct {
	decision int // index in decisions
	event    int // in which the value was chosen, -1 before the first
	n        int // number of values
	path     int // number of conditions before it
}

// begin prepares for the run of an item, in which nothing is looked for any more when ctx ends.
func (sc *scheduler) begin(ctx context.Context, it *item) {
	sc.ctx, sc.item = ctx, it
	sc.firstFlip = it.path
	sc.valueChoices = sc.valueChoices[:0]
	sc.scanned = 0
	sc.blocked, sc.redundant, sc.duplicate = false, false, false
}

// Resume implements run.Resumer.
func (sc *scheduler) Resume(last *run.Trace) int {
	n := int32(0)
	if last != nil && last == sc.trace {
		n = sc.common(sc.ran, last.Inputs)
	}
	if sc.ran != nil && sc.ran != sc.item {
		sc.pool.release(sc.ran)
	}
	sc.ran, sc.trace = sc.item, nil
	sc.replayed, sc.edges = 0, 0
	if n == 0 {
		sc.execution.begin()
		return 0
	}
	sc.replayed = int(sc.events[n].start)
	for sc.edges < len(sc.item.edges) && sc.item.edges[sc.edges].position < n {
		sc.edges++
	}
	sc.execution.backtrack(n)
	return int(n)
}

// common returns the number of steps that the item's run has in common with that of was, which
// drew inputs, as far as they are decisions of the item. The last decision does not count,
// since that is what is new about the item.
func (sc *scheduler) common(was *item, inputs []run.InputVar) int32 {
	it := sc.item
	drawn := was.input.Shared(it.input, inputs)
	equal := min(it.common(sc.ranDecisions, was), len(sc.decisions), it.decisions()-1)
	for equal < len(sc.decisions) && equal < it.decisions()-1 && sc.decisions[equal] == it.decision(equal) {
		equal++
	}
	n := int32(len(sc.events)) - 1
	for n > 0 && (int(sc.events[n].start) > equal || int(sc.events[n].inputs) > drawn) {
		n--
	}
	for k := 0; k < max(len(was.edges), len(it.edges)); k++ {
		switch {
		case k >= len(was.edges):
			n = min(n, it.edges[k].position)
		case k >= len(it.edges):
			n = min(n, was.edges[k].position)
		case was.edges[k] != it.edges[k]:
			n = min(n, was.edges[k].position, it.edges[k].position)
		default:
			continue
		}
		break
	}
	if n <= 0 || !sc.clocks.has(sc.events[n].before) {
		return 0
	}
	return n
}

// next returns the item's next decision. It is false if there is none.
func (sc *scheduler) next() (m decision, ok bool) {
	if sc.replayed == sc.item.decisions() {
		return decision{}, false
	}
	return sc.item.decision(sc.replayed), true
}

// Choose implements run.Scheduler.
func (sc *scheduler) Choose(p *run.SchedulingPoint) int {
	m, scripted := sc.next()
	if p.Kind == run.Value {
		return sc.chooseValue(p, m, scripted)
	}
	if !scripted {
		return sc.chooseDefault(p)
	}
	for i := range p.Enabled {
		if m.is(&p.Enabled[i]) {
			return i
		}
	}
	sc.blocked = true
	return -1
}

func (sc *scheduler) chooseValue(p *run.SchedulingPoint, m decision, scripted bool) int {
	last := len(sc.events) - 1
	if !scripted {
		sc.valueChoices = append(sc.valueChoices, valueChoice{decision: len(sc.decisions), event: last, n: p.N, path: len(p.Trace.Path)})
		m = decision{kind: run.Value, goroutine: p.Goroutine, partner: -1}
	} else {
		if m.kind != run.Value || m.goroutine != p.Goroutine || int(m.alt) >= p.N {
			sc.blocked = true
			return -1
		}
		sc.replayed++
		if sc.replayed == sc.item.decisions() && sc.item.kind == valued {
			sc.firstFlip = len(p.Trace.Path)
		}
	}
	sc.decisions = append(sc.decisions, m)
	if m.alt != 0 && last >= 0 {
		sc.nonzero = append(sc.nonzero, int32(last))
	}
	return int(m.alt)
}

// chooseDefault chooses the transition of the goroutine that was postponed last, since that can
// come next; else of the one that took the last step or, in a long run, has waited for the
// longest time; else the first. Timers that are early come after all that, and after the
// passing of time. A step that ends the run comes last, and one that belongs to a sibling item
// not at all.
func (sc *scheduler) chooseDefault(p *run.SchedulingPoint) int {
	sc.register(p.Pending)
	kept, keeps := sc.postponedGoroutine(), sc.hasPostponed()
	best, rank := -1, -1
	for i := range p.Enabled {
		t := &p.Enabled[i]
		r := 3
		switch {
		case sc.ends(t):
			r = 0
		case t.IsEarly():
			r = 1
		case t.Op == schedule.TimePass:
			r = 2
		case kept >= 0 && t.Goroutine == kept:
			r = 5
		case p.Overdue >= 0 && t.Goroutine == p.Enabled[p.Overdue].Goroutine, p.Overdue < 0 && t.Goroutine == p.Last:
			r = 4
		}
		if r <= rank {
			continue
		}
		if keeps {
			if s := sc.step(t); sc.belongsToSibling(&s) {
				continue
			}
		}
		best, rank = i, r
	}
	if best < 0 {
		sc.redundant = true
	}
	return best
}

// ends reports whether t, the next step of a goroutine, ends the run.
func (sc *scheduler) ends(t *run.Transition) bool {
	return t.Op == schedule.Fail || slices.Contains(sc.item.late, t.Goroutine)
}

// register makes threads of the goroutines and timers that are new.
func (sc *scheduler) register(pending []run.Transition) {
	for i := range pending {
		sc.thread(&pending[i])
	}
}

// postponedGoroutine returns the goroutine that was postponed last, of those that have not
// taken a step since, -1 if there is none.
func (sc *scheduler) postponedGoroutine() int32 {
	for n := len(sc.postponed) - 1; n >= 0; n-- {
		if nd := &sc.nodes[sc.postponed[n]]; sc.isPostponed(nd) {
			return nd.transition.Goroutine
		}
	}
	return -1
}

// isPostponed reports whether the thread that was postponed at nd has not taken a step since.
func (sc *scheduler) isPostponed(nd *node) bool {
	return len(sc.threads[nd.thread].events) == int(nd.index)
}

// constrains reports whether some steps may belong to sibling items because of nd, where a
// thread was postponed.
func (sc *scheduler) constrains(nd *node) bool {
	return int(nd.winner) < len(sc.events) && (nd.from != nd.to || sc.isPostponed(nd))
}

// hasPostponed reports whether there is a node that constrains the next step.
func (sc *scheduler) hasPostponed() bool {
	for _, n := range sc.postponed {
		if sc.constrains(&sc.nodes[n]) {
			return true
		}
	}
	return false
}

// belongsToSibling reports whether runs whose next step is s belong to sibling items.
func (sc *scheduler) belongsToSibling(s *step) bool {
	known := false
	for _, n := range sc.postponed {
		nd := &sc.nodes[n]
		if !sc.constrains(nd) {
			continue
		}
		if !known {
			sc.setPast(s)
			known = true
		}
		if sc.violates(nd, s, sc.past, int32(len(sc.events))) {
			return true
		}
	}
	return false
}

// Stepping implements run.Watcher.
func (sc *scheduler) Stepping(t *run.Transition, trace *run.Trace) bool {
	sc.register(trace.Pending)
	sc.symmetric = trace.Symmetric
	i := int32(len(sc.events))
	if sc.replayed == sc.item.decisions() && !(sc.item.kind == delayed && int(i) == sc.item.steps) {
		sc.scan(trace.Pending)
	}
	s := sc.step(t)
	m, scripted := sc.next()
	if scripted {
		if m.kind != run.Step || m != s.decision {
			sc.blocked = true
			return false
		}
		sc.replayed++
		if sc.replayed == sc.item.decisions() && sc.item.kind == revisited {
			sc.firstFlip = len(trace.Path)
		}
	}
	n := int32(-1)
	if g, ok := sc.edge(i, trace.Pending); sc.blocked {
		return false
	} else if ok {
		if nd := &sc.nodes[len(sc.nodes)-1]; g.winner == i && sc.replayed == sc.item.decisions() &&
			!sc.ends(&nd.transition) && !sc.conflicts(nd, &s) {
			sc.redundant, sc.duplicate = true, true
			return false
		} else if nd.meets && nd.position == i && g.winner == i && s.of(nd.thread) {
			sc.take(int32(len(sc.nodes)-1), &s)
		}
	} else {
		n = int32(len(sc.nodes))
		sc.nodes = append(sc.nodes, node{position: i, step: s, index: int32(len(sc.threads[s.thread].events)), winner: -1})
		sc.noteAlternativesOf(&sc.nodes[n], trace.Pending)
		switch {
		case sc.nodes[n].meets:
			sc.take(n, &s)
		case sc.nodes[n].from != sc.nodes[n].to:
			sc.choiceNodes = append(sc.choiceNodes, n)
		case s.wide || s.partner >= 0:
			sc.wideNodes = append(sc.wideNodes, n)
		}
		if !scripted {
			if sc.belongsToSibling(&s) {
				sc.redundant = true
				return false
			}
			sc.addImmediateRevisits(n, trace.Pending)
		}
	}
	sc.forced = true
	preempts := int32(0)
	for k := range trace.Pending {
		p := &trace.Pending[k]
		if !p.Enabled || p.Goroutine == t.Goroutine {
			continue
		}
		sc.forced = false
		if i > 0 && p.Goroutine == sc.events[i-1].transition.Goroutine {
			preempts = 1
		}
	}
	sc.setPast(&s)
	e := sc.add(&s, len(trace.Path))
	e.inputs = int32(len(trace.Inputs))
	e.node = n
	if s.transition.IsEarly() {
		preempts++
	}
	e.preemptions = preempts
	if i > 0 {
		e.preemptions += sc.events[i-1].preemptions
	}
	sc.noteAlternatives(e, trace.Pending)
	sc.noteListed(i)
	return true
}

// noteListed notes whether event i, the last one, begins at one of the nodes at which steps on any object are tried.
func (sc *scheduler) noteListed(i int32) {
	for _, list := range [][]int32{sc.choiceNodes, sc.wideNodes, sc.meetingNodes} {
		if n := len(list); n > 0 && sc.nodes[list[n-1]].position == i {
			sc.listed = sc.appendTo(sc.listed, i, ofNodes)
			return
		}
	}
}

// scan looks for revisits in the present state of the run.
func (sc *scheduler) scan(pending []run.Transition) {
	if sc.scanned == len(sc.events) {
		return
	}
	sc.scanned = len(sc.events)
	sc.register(pending)
	sc.addRevisits(pending)
}

// edge returns the edge of the item that event i, the next one, is part of. At the first event
// of the edge it adds the node.
func (sc *scheduler) edge(i int32, pending []run.Transition) (g edge, ok bool) {
	if sc.edges < len(sc.item.edges) && sc.item.edges[sc.edges].position == i {
		sc.postpone(sc.item.edges[sc.edges], pending)
		sc.edges++
	}
	if sc.edges == 0 || sc.item.edges[sc.edges-1].winner < i {
		return edge{}, false
	}
	return sc.item.edges[sc.edges-1], true
}

// postpone adds the node of an edge: something else comes before the step of its goroutine. The
// run is blocked if the goroutine is.
func (sc *scheduler) postpone(g edge, pending []run.Transition) {
	for i := range pending {
		t := &pending[i]
		if g.postpones(t) && t.Enabled {
			s := sc.step(t)
			sc.nodes = append(sc.nodes, node{
				position: g.position, step: s, index: int32(len(sc.threads[s.thread].events)), winner: g.winner,
			})
			sc.noteAlternativesOf(&sc.nodes[len(sc.nodes)-1], pending)
			sc.postponed = append(sc.postponed, int32(len(sc.nodes)-1))
			return
		}
	}
	sc.blocked = true
}

// noteAlternativesOf notes what the thread of a node can do, if that is not one thing.
func (sc *scheduler) noteAlternativesOf(nd *node, pending []run.Transition) {
	t := &nd.transition
	nd.from = int32(len(sc.alternatives))
	nd.to = nd.from
	if !alternates(t) {
		return
	}
	for i := range pending {
		if pending[i].Goroutine == t.Goroutine {
			sc.alternatives = append(sc.alternatives, pending[i])
		}
	}
	nd.to = int32(len(sc.alternatives))
	sc.noteMeeting(nd, pending)
	if nd.to == nd.from+1 {
		sc.alternatives = sc.alternatives[:nd.from]
		nd.to = nd.from
	}
}

// noteMeeting finds out whether the thread of nd, of which the alternatives have been noted, can do
// nothing but meet one of several goroutines: see the package documentation. Then it leaves out of
// the alternatives those with which runs belong to sibling items. The first of the others is the
// default.
func (sc *scheduler) noteMeeting(nd *node, pending []run.Transition) {
	if nd.meets = sc.isMeeting(nd, pending); !nd.meets {
		return
	}
	nd.taken = -1
	if sc.hasPostponed() {
		rest := slices.DeleteFunc(sc.alternatives[nd.from:nd.to], func(t run.Transition) bool {
			s := sc.step(&t)
			return sc.belongsToSibling(&s)
		})
		nd.to = nd.from + int32(len(rest))
		sc.alternatives = sc.alternatives[:nd.to]
		if len(rest) > 0 {
			nd.step = sc.step(&rest[0])
		}
	}
	nd.meets = nd.to > nd.from+1
}

// alternates reports whether a goroutine about to do t may do something else instead.
func alternates(t *run.Transition) bool {
	switch t.Op {
	case schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.SelectDefault, schedule.CondSignal:
		return true
	}
	return t.Select
}

// addImmediateRevisits adds the revisits of node n, the newest, in which a step comes first that
// is enabled there.
func (sc *scheduler) addImmediateRevisits(n int32, pending []run.Transition) {
	nd := &sc.nodes[n]
	ends := sc.ends(&nd.transition)
	single := !ends && nd.from == nd.to && nd.partner < 0 // only what is dependent with the default comes first
	for i := range pending {
		t := &pending[i]
		if !t.Enabled || nd.decision.is(t) {
			continue
		}
		if single && t.Partner < 0 && sc.thread(t) != nd.thread && independent(&nd.step, t) {
			continue
		}
		s := sc.step(t)
		if nd.meets && !sc.preventsAll(&s, nd) {
			continue
		}
		if (ends || sc.conflicts(nd, &s)) && !sc.belongsToSibling(&s) {
			sc.addRevisit(revisit{node: n, decision: s.decision, early: t.IsEarly(), site: t.Site}, &s)
		}
	}
}

// noteAlternatives notes what the threads of e could have done instead, without partners.
func (sc *scheduler) noteAlternatives(e *event, pending []run.Transition) {
	e.from = int32(len(sc.alternatives))
	e.to = e.from
	if e.transition.Op == schedule.TimerSet {
		sc.noteFiring(e, pending)
		return
	}
	if !alternates(&e.transition) || e.transition.Op == schedule.CondSignal {
		return
	}
	waited := false
	for i := range pending {
		t := pending[i]
		if t.Goroutine != e.transition.Goroutine && (e.partner < 0 || t.Goroutine != e.transition.Partner) {
			continue
		}
		if t.Partner >= 0 {
			t.Partner, t.Contingent, t.Alt = -1, false, int32(t.Case())
			t.Enabled = false
			if !waits(&t) {
				t.Waits = run.NoneWaits
			}
		}
		if k := len(sc.alternatives); k > int(e.from) && decisionOf(&sc.alternatives[k-1]) == decisionOf(&t) {
			continue // another partner of the same case
		}
		sc.alternatives = append(sc.alternatives, t)
		waited = waited || waits(&t)
	}
	e.to = int32(len(sc.alternatives))
	sc.communications = sc.appendTo(sc.communications, int32(len(sc.events)-1), ofCommunications)
	if waited {
		sc.waited = append(sc.waited, int32(len(sc.events)-1))
	}
}

// noteFiring notes that a timer could have fired that e stops or sets again. It is not pending any
// more when later steps come which could have come before it.
func (sc *scheduler) noteFiring(e *event, pending []run.Transition) {
	for i := range pending {
		if t := &pending[i]; t.Op == schedule.TimerFire && t.Enabled && t.Object == e.transition.Object {
			sc.alternatives = append(sc.alternatives, *t)
		}
	}
	if e.to = int32(len(sc.alternatives)); e.from < e.to {
		sc.communications = sc.appendTo(sc.communications, int32(len(sc.events)-1), ofCommunications)
	}
}
