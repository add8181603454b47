package hyperconcolic

import (
	"context"
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A branching finds the children of a run.
type branching struct {
	*search
	*watcher
	trace *run.Trace
	open  map[string]bool // what was given up
	items []child
	run   *runMoves // the run's, for its children; nil as long as it has none
	tail  []move    // scratch: of the child that is made
	flips flipper
}

// begin makes b ready for the children of the run of trace t.
func (b *branching) begin(t *run.Trace) {
	b.trace, b.open, b.items, b.run = t, nil, b.items[:0], nil
}

// A child is an item and where it leaves the run.
type child struct {
	*item
	moves int // of the run's, that are the item's too
}

func (b *branching) giveUp(format string, args ...any) {
	if b.open == nil {
		b.open = map[string]bool{}
	}
	b.open[fmt.Sprintf(format, args...)] = true
}

// branch finds them all.
func (b *branching) branch(ctx context.Context) error {
	t, w := b.trace, b.watcher
	switch {
	case t.Outcome == run.Infeasible:
		b.giveUp("a plan could not be followed: %s", t.Message)
		return nil
	case t.Outcome == run.Unsupported || t.Outcome == run.Bounded:
		b.giveUp("%s", t.Message)
	case w.script < w.item.moves():
		// An order that cannot be is no loss; an input that leads elsewhere is one.
		if w.item.kind != revisited {
			b.giveUp("an input did not lead where it was to")
		}
		w.blocked = true
		return nil
	case w.item.kind == flipped && !w.item.matches(t):
		b.giveUp("an input did not lead where it was to")
		return nil
	}
	if w.duplicate {
		return nil
	}
	if t.Outcome == run.Finished || t.Pending != nil {
		w.lookAt(t.Pending)
	}
	if w.full() {
		b.giveUp("a long run can be ordered in more ways than are kept")
	}
	b.delay()
	flips := &b.flips
	*flips = flipper{branching: b}
	if err := flips.flipAll(ctx); err != nil {
		return err
	}
	b.turn()
	return flips.revisit(ctx)
}

// matches reports whether t is a run of the item: the flipped condition is
// where it was.
func (it *item) matches(t *run.Trace) bool {
	f := &it.flips[len(it.flips)-1]
	return f.index < len(t.Path) && t.Path[f.index].Kind == f.kind
}

// add adds an item that begins with n of the run's moves, and events of its
// steps, and tail. The rest of it is the caller's to add.
func (b *branching) add(kind kind, n, events int, tail ...move) *item {
	if b.run == nil {
		b.run = b.search.pool.moves(b.moves, b.item)
	}
	b.run.users++
	it := b.search.pool.item()
	it.kind, it.input, it.steps = kind, b.item.input, events
	it.run, it.head, it.tail = b.run, b.run.list[:n:n], append(it.tail, tail...)
	b.items = append(b.items, child{item: it, moves: n})
	if kind != revisited && events > 0 {
		it.preemptions = b.events[events-1].preemptions
	}
	it.late = b.item.late
	if b.item.kind == delayed && events < b.item.steps {
		it.late = b.item.late[:len(b.item.late)-1]
	}
	return it
}

// inherit gives it the edges and flips of the run that belong to its first events.
func (b *branching) inherit(it *item, events int32) {
	for _, g := range b.item.edges {
		if g.winner < events {
			it.edges = append(it.edges, g)
		}
	}
	for i := range b.item.flips {
		if f := &b.item.flips[i]; f.event < events {
			it.flips = append(it.flips, *f)
		}
	}
}

// delay adds the item in which a step that has ended the run, all by itself and
// before others were done, comes last.
func (b *branching) delay() {
	n := len(b.events) - 1
	if b.trace.Outcome != run.Failed || b.trace.Pending != nil || n < 0 || b.redundant {
		return
	}
	e := &b.events[n]
	if b.forced || e.option.Op == schedule.Fail || e.node < 0 || int(e.start) < b.item.moves() || e.option.Goroutine < 0 ||
		slices.Contains(b.item.late, e.option.Goroutine) {
		return
	}
	it := b.add(delayed, int(e.start), n)
	b.inherit(it, int32(n))
	it.path = int(e.path)
	it.late = append(slices.Clip(b.item.late), e.option.Goroutine)
	// What was found at the last node belongs to that item.
	b.revisits = slices.DeleteFunc(b.revisits, func(r revisit) bool { return r.node == e.node })
	b.redundant = true
}

// turn adds the items that choose other values.
func (b *branching) turn() {
	for _, t := range b.turns {
		for v := t.n - 1; v > 0; v-- {
			m := b.moves[t.move]
			m.own = int32(v)
			it := b.add(valued, t.move, t.event+1, m)
			b.inherit(it, int32(t.event)+1)
		}
	}
}

// revisit adds the items of the revisits that were found, but for those that
// belong to a run in which a condition has gone another way.
func (f *flipper) revisit(ctx context.Context) error {
	for i := range f.revisits {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := &f.revisits[i]
		nd := &f.nodes[r.node]
		if other, err := f.belongsToOther(ctx, r, nd.position); err != nil {
			return err
		} else if other {
			continue
		}
		tail := f.tail[:0]
		winner := nd.position
		run := switching{goroutine: -1}
		if nd.position > 0 {
			e := &f.events[nd.position-1]
			run = switching{e.preemptions, e.option.Goroutine, e.option.Goroutine == nd.option.Goroutine}
		}
		for k := nd.position; int(k) < len(f.events); k++ {
			if f.has(r.moved, k) {
				e := &f.events[k]
				end := len(f.moves)
				if int(k)+1 < len(f.events) {
					end = int(f.events[k+1].start)
				}
				tail = append(tail, f.moves[e.start:end]...)
				run.next(e.option.Goroutine, int(e.index) < len(f.threads[e.thread].events))
				winner++
			}
		}
		tail = append(tail, r.move)
		f.tail = tail
		it := f.add(revisited, int(f.moveAt(nd.position)), int(winner)+1, tail...)
		f.inherit(it, nd.position)
		run.next(r.move.goroutine, false)
		it.preemptions = run.preemptions
		it.edges = append(it.edges, edge{position: nd.position, winner: winner, goroutine: nd.option.Goroutine})
	}
	return nil
}

// A switching counts the preemptions of moves: it knows the goroutine that went on
// last and whether it could have gone on.
type switching struct {
	preemptions int32
	goroutine   int32
	able        bool
}

// next takes in that a goroutine goes on, which then can go on still or not.
func (l *switching) next(goroutine int32, able bool) {
	if goroutine != l.goroutine && l.able {
		l.preemptions++
	}
	l.goroutine, l.able = goroutine, able
}

// moveAt returns the number of moves before event i.
func (w *watcher) moveAt(i int32) int32 {
	if int(i) < len(w.events) {
		return w.events[i].start
	}
	return int32(len(w.moves))
}
