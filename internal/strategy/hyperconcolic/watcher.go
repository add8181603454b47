package hyperconcolic

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A watcher schedules a run: first as its item says, then by default. It notes
// the events and looks for revisits.
type watcher struct {
	execution
	item   *item
	pool   *pool
	ran    *item      // whose run execution is of; nil when there was none
	trace  *run.Trace // that run's, once it has been looked at
	led    *runMoves  // that run's, when it led to others
	script int        // moves of the item that have been made
	edges  int        // edges of the item that have been come to
	first  int        // conditions of the path before this one belong to other items
	turns  []turn
	looked int  // events, when look was last called
	forced bool // the last step was the only possible one
	// blocked is set when a move of the item was not possible, redundant when
	// what was possible belongs to other items, duplicate when the item itself
	// does.
	blocked, redundant, duplicate bool
}

// A turn is a value that was chosen by default.
type turn struct {
	move  int // index in moves
	event int // the value was chosen in, -1 at the start
	n     int // values to choose from
	path  int // conditions before it
}

// begin makes the watcher ready for a run of an item.
func (w *watcher) begin(it *item) {
	w.item = it
	w.first = it.path
	w.turns = w.turns[:0]
	w.looked = 0
	w.blocked, w.redundant, w.duplicate = false, false, false
}

// Resume implements vm.Resumer.
func (w *watcher) Resume(last *run.Trace) int {
	n := int32(0)
	if last != nil && last == w.trace {
		n = w.common(w.ran, last.Inputs)
	}
	if w.ran != nil && w.ran != w.item {
		w.pool.release(w.ran)
	}
	w.ran, w.trace = w.item, nil
	w.script, w.edges = 0, 0
	if n == 0 {
		w.execution.begin()
		return 0
	}
	w.script = int(w.events[n].start)
	for w.edges < len(w.item.edges) && w.item.edges[w.edges].position < n {
		w.edges++
	}
	w.execution.cut(n)
	return int(n)
}

// common returns how many steps the item's run has in common with that of was, which
// drew inputs, as far as they are moves of the item, the last one excepted: that one
// is what is new about it.
func (w *watcher) common(was *item, inputs []run.InputVar) int32 {
	it := w.item
	drawn := was.input.Shared(it.input, inputs)
	moves := min(it.common(w.led, was), len(w.moves), it.moves()-1)
	for moves < len(w.moves) && moves < it.moves()-1 && w.moves[moves] == it.move(moves) {
		moves++
	}
	n := int32(len(w.events)) - 1
	for n > 0 && (int(w.events[n].start) > moves || int(w.events[n].inputs) > drawn) {
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
	if n <= 0 || !w.clocks.has(w.events[n].before) {
		return 0
	}
	return n
}

// next returns the item's next move.
func (w *watcher) next() (m move, ok bool) {
	if w.script == w.item.moves() {
		return move{}, false
	}
	return w.item.move(w.script), true
}

// Choose implements vm.Scheduler.
func (w *watcher) Choose(p *run.SchedulingPoint) int {
	m, scripted := w.next()
	if p.Kind == run.Value {
		return w.chooseValue(p, m, scripted)
	}
	if !scripted {
		return w.chooseDefault(p)
	}
	for i := range p.Enabled {
		if m.is(&p.Enabled[i]) {
			return i
		}
	}
	w.blocked = true
	return -1
}

func (w *watcher) chooseValue(p *run.SchedulingPoint, m move, scripted bool) int {
	last := len(w.events) - 1
	if !scripted {
		w.turns = append(w.turns, turn{move: len(w.moves), event: last, n: p.N, path: len(p.Trace.Path)})
		m = move{kind: run.Value, goroutine: p.Goroutine, partner: -1}
	} else {
		if m.kind != run.Value || m.goroutine != p.Goroutine || int(m.own) >= p.N {
			w.blocked = true
			return -1
		}
		w.script++
		if w.script == w.item.moves() && w.item.kind == valued {
			w.first = len(p.Trace.Path)
		}
	}
	w.moves = append(w.moves, m)
	if m.own != 0 && last >= 0 {
		w.altered = append(w.altered, int32(last))
	}
	return int(m.own)
}

// chooseDefault returns the option to go on with: of the goroutine before which
// something was moved, for that is what can come next; else of the one that ran
// last or, in a long run, has waited for the longest, else the first. What ends the
// run comes last, and what leads to a run of another item not at all.
func (w *watcher) chooseDefault(p *run.SchedulingPoint) int {
	w.meet(p.Pending)
	kept, keeps := w.keptBack(), w.keeps()
	best, rank := -1, -1
	for i := range p.Enabled {
		o := &p.Enabled[i]
		r := 1
		switch {
		case w.ends(o):
			r = 0
		case kept >= 0 && o.Goroutine == kept:
			r = 3
		case p.Overdue >= 0 && o.Goroutine == p.Enabled[p.Overdue].Goroutine, p.Overdue < 0 && o.Goroutine == p.Last:
			r = 2
		}
		if r <= rank {
			continue
		}
		if keeps {
			if a := w.act(o); w.belongsElsewhere(&a) {
				continue
			}
		}
		best, rank = i, r
	}
	if best < 0 {
		w.redundant = true
	}
	return best
}

// ends reports whether o, the next step of a goroutine, ends the run.
func (w *watcher) ends(o *run.Transition) bool {
	return o.Op == schedule.Fail || slices.Contains(w.item.late, o.Goroutine)
}

// meet makes threads of the goroutines that are new.
func (w *watcher) meet(pending []run.Transition) {
	for i := range pending {
		w.thread(&pending[i])
	}
}

// keptBack returns the goroutine that was last kept back at a node and has not
// gone on since, -1 when there is none.
func (w *watcher) keptBack() int32 {
	for n := len(w.kept) - 1; n >= 0; n-- {
		if nd := &w.nodes[w.kept[n]]; w.isKept(nd) {
			return nd.option.Goroutine
		}
	}
	return -1
}

// isKept reports whether the thread of nd, where it was kept back, has not gone on since.
func (w *watcher) isKept(nd *node) bool {
	return len(w.threads[nd.thread].events) == int(nd.index)
}

// matters reports whether it follows from nd, where a thread was kept back, that some
// steps belong to other items.
func (w *watcher) matters(nd *node) bool {
	return int(nd.winner) < len(w.events) && (nd.from != nd.to || w.isKept(nd))
}

// keeps reports whether there is a node that matters.
func (w *watcher) keeps() bool {
	for _, n := range w.kept {
		if w.matters(&w.nodes[n]) {
			return true
		}
	}
	return false
}

// belongsElsewhere reports whether runs that go on with a are those of other items.
func (w *watcher) belongsElsewhere(a *act) bool {
	known := false
	for _, n := range w.kept {
		nd := &w.nodes[n]
		if !w.matters(nd) {
			continue
		}
		if !known {
			w.history(a)
			known = true
		}
		if w.violates(nd, a, w.past, int32(len(w.events))) {
			return true
		}
	}
	return false
}

// Stepping implements vm.Watcher.
func (w *watcher) Stepping(o *run.Transition, t *run.Trace) bool {
	w.meet(t.Pending)
	i := int32(len(w.events))
	if w.script == w.item.moves() && !(w.item.kind == delayed && int(i) == w.item.steps) {
		w.lookAt(t.Pending)
	}
	a := w.act(o)
	m, scripted := w.next()
	if scripted {
		if m.kind != run.Step || m != a.move {
			w.blocked = true
			return false
		}
		w.script++
		if w.script == w.item.moves() && w.item.kind == revisited {
			w.first = len(t.Path)
		}
	}
	n := int32(-1)
	if g, ok := w.edge(i, t.Pending); w.blocked {
		return false
	} else if ok {
		if nd := &w.nodes[len(w.nodes)-1]; g.winner == i && w.script == w.item.moves() && !w.ends(&nd.option) && !w.touches(nd, &a) {
			w.redundant, w.duplicate = true, true
			return false
		}
	} else {
		n = int32(len(w.nodes))
		w.nodes = append(w.nodes, node{position: i, act: a, index: int32(len(w.threads[a.thread].events)), winner: -1})
		w.enter(&w.nodes[n], t.Pending)
		switch {
		case w.nodes[n].from != w.nodes[n].to:
			w.choices = append(w.choices, n)
		case a.wide || a.partner >= 0:
			w.broad = append(w.broad, n)
		}
		if !scripted {
			if w.belongsElsewhere(&a) {
				w.redundant = true
				return false
			}
			w.branch(n, t.Pending)
		}
	}
	w.forced = true
	preempts := int32(0)
	for k := range t.Pending {
		p := &t.Pending[k]
		if !p.Enabled || p.Goroutine == o.Goroutine {
			continue
		}
		w.forced = false
		if i > 0 && p.Goroutine == w.events[i-1].option.Goroutine {
			preempts = 1
		}
	}
	w.history(&a)
	e := w.add(&a, len(t.Path))
	e.inputs = int32(len(t.Inputs))
	e.node = n
	e.preemptions = preempts
	if i > 0 {
		e.preemptions += w.events[i-1].preemptions
	}
	w.keepAlternatives(e, t.Pending)
	return true
}

// lookAt looks for revisits in the state that the run has come to.
func (w *watcher) lookAt(pending []run.Transition) {
	if w.looked == len(w.events) {
		return
	}
	w.looked = len(w.events)
	w.meet(pending)
	w.look(pending)
}

// edge returns the edge of the item that event i, the next one, is part of. At the
// first of its events it adds the edge's node.
func (w *watcher) edge(i int32, pending []run.Transition) (g edge, ok bool) {
	if w.edges < len(w.item.edges) && w.item.edges[w.edges].position == i {
		w.keepBack(w.item.edges[w.edges], pending)
		w.edges++
	}
	if w.edges == 0 || w.item.edges[w.edges-1].winner < i {
		return edge{}, false
	}
	return w.item.edges[w.edges-1], true
}

// keepBack adds the node of an edge: its goroutine is about to go on by default
// and something else comes first. The run is blocked when the goroutine cannot.
func (w *watcher) keepBack(g edge, pending []run.Transition) {
	for i := range pending {
		o := &pending[i]
		if o.Goroutine == g.goroutine && o.Enabled {
			a := w.act(o)
			w.nodes = append(w.nodes, node{
				position: g.position, act: a, index: int32(len(w.threads[a.thread].events)), winner: g.winner,
			})
			w.enter(&w.nodes[len(w.nodes)-1], pending)
			w.kept = append(w.kept, int32(len(w.nodes)-1))
			return
		}
	}
	w.blocked = true
}

// enter notes what the thread of a node might do, when that is not one thing.
func (w *watcher) enter(nd *node, pending []run.Transition) {
	o := &nd.option
	nd.from = int32(len(w.entries))
	nd.to = nd.from
	if !alternates(o) {
		return
	}
	for i := range pending {
		if pending[i].Goroutine == o.Goroutine {
			w.entries = append(w.entries, pending[i])
		}
	}
	nd.to = int32(len(w.entries))
	if nd.to == nd.from+1 {
		w.entries = w.entries[:nd.from]
		nd.to = nd.from
	}
}

// alternates reports whether a goroutine about to do o might do something else instead.
func alternates(o *run.Transition) bool {
	switch o.Op {
	case schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.SelectDefault, schedule.CondSignal:
		return true
	}
	return o.Select
}

// branch adds the revisits of node n, the newest, in which something comes first
// that is possible there and then.
func (w *watcher) branch(n int32, pending []run.Transition) {
	nd := &w.nodes[n]
	ends := w.ends(&nd.option)
	single := !ends && nd.from == nd.to && nd.partner < 0 // only what is dependent with nd's step comes first
	for i := range pending {
		o := &pending[i]
		if !o.Enabled || nd.move.is(o) {
			continue
		}
		if single && o.Partner < 0 && w.thread(o) != nd.thread && apart(&nd.act, o) {
			continue
		}
		a := w.act(o)
		if (ends || w.touches(nd, &a)) && !w.belongsElsewhere(&a) {
			w.keep(revisit{node: n, move: a.move})
		}
	}
}

// keepAlternatives notes what the threads of e might have done instead, without partners.
func (w *watcher) keepAlternatives(e *event, pending []run.Transition) {
	e.from = int32(len(w.entries))
	e.to = e.from
	if !alternates(&e.option) || e.option.Op == schedule.CondSignal {
		return
	}
	for i := range pending {
		o := pending[i]
		if o.Goroutine != e.option.Goroutine && (e.partner < 0 || o.Goroutine != e.option.Partner) {
			continue
		}
		if o.Partner >= 0 {
			o.Partner, o.Contingent, o.Alt = -1, false, int32(o.Case())
			o.Enabled = false
		}
		if k := len(w.entries); k > int(e.from) && moveOf(&w.entries[k-1]) == moveOf(&o) {
			continue // another partner of the same case
		}
		w.entries = append(w.entries, o)
	}
	e.to = int32(len(w.entries))
	w.talks = append(w.talks, int32(len(w.events)-1))
}
