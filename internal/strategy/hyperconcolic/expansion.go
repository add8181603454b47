package hyperconcolic

import (
	"context"
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/schedule"
)

// An expansion finds the items that a run leads to.
type expansion struct {
	*search
	*scheduler
	trace *run.Trace
	open  map[string]bool // what was given up
	// leftOut says why not all items are looked for, "" if they are.
	leftOut string
	items   []child
	run     *runDecisions // of the run, for the items; nil while there are none
	tail    []decision    // scratch: of the item that is made
	moved   []int32       // scratch: the events that are moved
	flips   flipper
	// prefixes are those of the path, as far as they have been needed: the ith has i conditions.
	prefixes []prefix
}

// begin prepares for the run of trace.
func (b *expansion) begin(trace *run.Trace) {
	b.trace, b.open, b.leftOut, b.items, b.run = trace, nil, "", b.items[:0], nil
	b.prefixes = append(b.prefixes[:0], prefix{})
}

// A child is an item with the number of decisions that it has in common with the run.
type child struct {
	*item
	decisions int
}

func (b *expansion) giveUp(format string, args ...any) {
	if b.open == nil {
		b.open = map[string]bool{}
	}
	b.open[fmt.Sprintf(format, args...)] = true
}

// expand finds all items.
func (b *expansion) expand(ctx context.Context) error {
	trace, sc := b.trace, b.scheduler
	switch {
	case trace.Outcome == run.Infeasible:
		b.giveUp("a plan could not be followed: %s", trace.Message)
		return nil
	case trace.Outcome == run.Unsupported || trace.Outcome == run.Bounded:
		b.giveUp("%s", trace.Message)
	case sc.replayed < sc.item.decisions():
		// It is no loss if an order is impossible, but it is one if an input leads elsewhere.
		if sc.item.kind != revisited {
			b.giveUp(strategy.Elsewhere)
		}
		sc.blocked = true
		return nil
	case !b.leadsWhereItShould():
		b.giveUp(strategy.Elsewhere)
		return nil
	}
	if sc.duplicate {
		return nil
	}
	sc.symmetric = trace.Symmetric
	if trace.Outcome == run.Finished || trace.Pending != nil {
		sc.scan(trace.Pending)
	}
	if sc.full() {
		b.leftOut = "a long run can be ordered in more ways than are kept"
	} else if sc.tries > maxTries {
		b.leftOut = "a run can be ordered in more ways than are tried"
	}
	if err := sc.ctx.Err(); err != nil {
		return err // not all revisits may have been looked for
	}
	b.addDelayed()
	flips := &b.flips
	*flips = flipper{expansion: b}
	if err := flips.flipAll(ctx); err != nil {
		return err
	}
	if err := b.addValues(ctx); err != nil {
		return err
	}
	return flips.addRevisited(ctx)
}

// leadsWhereItShould reports whether the run begins with the whole path that its item is for.
// If it does not, there are paths that no run has been made for.
func (b *expansion) leadsWhereItShould() bool {
	it := b.item
	n := it.begins.conditions
	if n > len(b.trace.Path) {
		return false
	}
	if it.kind != flipped {
		return b.prefix(n) == it.begins
	}
	f := &it.flips[len(it.flips)-1]
	if f.index != n || n == len(b.trace.Path) || b.prefix(n) != it.begins {
		return false
	}
	return b.outcome(&b.trace.Path[n]) == f.outcome
}

// prefix returns the first n conditions of the run's path.
func (b *expansion) prefix(n int) prefix {
	for i := len(b.prefixes) - 1; i < n; i++ {
		b.prefixes = append(b.prefixes, b.prefixes[i].and(b.arena.Hash(b.trace.Path[i].Cond)))
	}
	return b.prefixes[n]
}

// add adds an item with the first n decisions of the run, in which there are events steps, and
// tail, whose run must begin with the given path. The caller adds the rest.
func (b *expansion) add(kind kind, begins prefix, n, events int, tail ...decision) *item {
	if b.run == nil {
		b.run = b.search.pool.decisions(b.decisions, b.item)
	}
	b.run.users++
	it := b.search.pool.item()
	it.kind, it.input, it.inputOf, it.steps, it.begins = kind, b.run.given, given, events, begins
	it.run, it.head, it.tail = b.run, b.run.list[:n:n], append(it.tail, tail...)
	b.items = append(b.items, child{item: it, decisions: n})
	if kind != revisited && events > 0 {
		it.rank = b.events[events-1].preemptions
		it.site = b.events[events-1].transition.Site
	}
	it.late = b.item.late
	if b.item.kind == delayed && events < b.item.steps {
		it.late = b.item.late[:len(b.item.late)-1]
	}
	return it
}

// inherit adds to it the edges and flips of the run that belong to the first events.
func (b *expansion) inherit(it *item, events int32) {
	it.edges, it.ofRun.edges = firstOf(b.run.edges, func(g *edge) bool { return g.winner < events })
	it.flips, it.ofRun.flips = firstOf(b.run.flips, func(f *flip) bool { return f.event < events })
}

// firstOf returns the elements of list that belong to something, and how many of them are its first, and not copied.
func firstOf[E any](list []E, belongs func(*E) bool) ([]E, int) {
	n := 0
	for n < len(list) && belongs(&list[n]) {
		n++
	}
	first := list[:n:n]
	for i := n; i < len(list); i++ {
		if belongs(&list[i]) {
			first = append(first, list[i])
		}
	}
	return first, n
}

// addDelayed adds the item in which the step that ended the run comes last, if others were
// enabled and it was not known to end the run.
func (b *expansion) addDelayed() {
	n := len(b.events) - 1
	if b.trace.Outcome != run.Failed || b.trace.Pending != nil || n < 0 || b.redundant {
		return
	}
	e := &b.events[n]
	if k := len(b.meetingNodes); k > 0 && int(b.nodes[b.meetingNodes[k-1]].position) == n && e.node < 0 {
		b.giveUp("a meeting that ended the run could have come later") // its run has to find others
	}
	if b.forced || e.transition.Op == schedule.Fail || e.node < 0 || int(e.start) < b.item.decisions() || e.transition.Goroutine < 0 ||
		slices.Contains(b.item.late, e.transition.Goroutine) {
		return
	}
	it := b.add(delayed, b.prefix(int(e.path)), int(e.start), n)
	b.inherit(it, int32(n))
	it.path = int(e.path)
	it.late = append(slices.Clip(b.item.late), e.transition.Goroutine)
	// The revisits at the last node belong to that item.
	b.revisits = slices.DeleteFunc(b.revisits, func(r revisit) bool { return r.node == e.node })
	b.redundant = true
}

// addValues adds the items in which another value is chosen.
func (b *expansion) addValues(ctx context.Context) error {
	for _, t := range b.valueChoices {
		if err := ctx.Err(); err != nil {
			return err
		}
		for v := t.n - 1; v > 0; v-- {
			m := b.decisions[t.decision]
			m.alt = int32(v)
			it := b.add(valued, b.prefix(t.path), t.decision, t.event+1, m)
			b.inherit(it, int32(t.event)+1)
		}
	}
	return nil
}

// addRevisited adds the items of the revisits, except those that are also found in a run in which
// a condition has its first outcome.
func (f *flipper) addRevisited(ctx context.Context) error {
	for i := range f.revisits {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := &f.revisits[i]
		nd := &f.nodes[r.node]
		if other, err := f.foundUnflipped(ctx, r, nd.position); err != nil {
			return err
		} else if other {
			continue
		}
		tail := f.tail[:0]
		winner := nd.position
		begins := f.prefix(f.conditionsBefore(nd.position))
		run := preemptionCounter{goroutine: -1}
		if nd.position > 0 {
			e := &f.events[nd.position-1]
			run = preemptionCounter{e.preemptions, e.transition.Goroutine, e.transition.Goroutine == nd.transition.Goroutine}
		}
		f.moved = f.eventsFrom(f.moved[:0], r.moved, nd.position)
		for _, k := range f.moved {
			e := &f.events[k]
			end := len(f.decisions)
			if int(k)+1 < len(f.events) {
				end = int(f.events[k+1].start)
			}
			tail = append(tail, f.decisions[e.start:end]...)
			for i := f.conditionsBefore(k); i < f.conditionsBefore(k+1); i++ {
				begins = begins.and(f.arena.Hash(f.trace.Path[i].Cond))
			}
			run.next(e.transition.Goroutine, int(e.index) < len(f.threads[e.thread].events), e.transition.IsEarly())
			winner++
		}
		tail = append(tail, r.decision)
		f.tail = tail
		it := f.add(revisited, begins, int(f.decisionAt(nd.position)), int(winner)+1, tail...)
		f.inherit(it, nd.position)
		run.next(r.decision.goroutine, false, r.early)
		it.rank = run.preemptions
		it.site = r.site
		it.edge, it.hasEdge = edge{position: nd.position, winner: winner, goroutine: nd.transition.Goroutine}, true
		if it.edge.goroutine < 0 {
			it.edge.timer = timerOf(&nd.transition)
		}
	}
	return nil
}

// conditionsBefore returns the number of conditions of the run before event i.
func (b *expansion) conditionsBefore(i int32) int {
	if int(i) < len(b.events) {
		return int(b.events[i].path)
	}
	return len(b.trace.Path)
}

// A preemptionCounter counts the preemptions of a sequence of steps. A step that is early
// counts as one, so that findings that need no stall come first.
type preemptionCounter struct {
	preemptions int32
	goroutine   int32
	able        bool
}

// next adds a step of a goroutine, which then is enabled or not.
func (l *preemptionCounter) next(goroutine int32, able, early bool) {
	if goroutine != l.goroutine && l.able {
		l.preemptions++
	}
	if early {
		l.preemptions++
	}
	l.goroutine, l.able = goroutine, able
}

// decisionAt returns the number of decisions before event i.
func (sc *scheduler) decisionAt(i int32) int32 {
	if int(i) < len(sc.events) {
		return sc.events[i].start
	}
	return int32(len(sc.decisions))
}
