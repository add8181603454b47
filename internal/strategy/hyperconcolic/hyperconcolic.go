package hyperconcolic

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/schedule"
)

// Options are the settings of a search.
type Options struct {
	// Names are those of the machine that runs are made on.
	Names *vm.Names
	// SolverBudget bounds the work for a query, see solve.Options.
	SolverBudget int64
	// Visible names plain accesses to be scheduling points from the start.
	Visible vm.Visible
	// EagerTimers says that the machine lets timers fire at any point.
	EagerTimers bool
	// Order is that in which items are taken.
	Order Order
}

// New returns a search of everything from the root on.
func New(o Options) strategy.Ranked {
	s := &search{options: o, visible: o.Visible, open: map[string]bool{}}
	s.watch.names, s.watch.eager = o.Names, o.EagerTimers
	s.frontier.order = o.Order
	s.restart()
	return s
}

// A search is the state of the search. It implements strategy.Ranked.
type search struct {
	options Options
	visible vm.Visible

	frontier frontier
	watch    watcher // of the job being run
	learned  bool    // from the job being run

	arena  *expr.Arena // that solver works on
	solver *solve.Solver

	started, duplicates, impossible int // runs

	lossy bool // a trace gave something up
	open  map[string]bool
}

// Name implements strategy.Strategy.
func (s *search) Name() string { return "hyperconcolic" }

// restart begins the search at the root of the tree.
func (s *search) restart() {
	s.frontier.clear()
	s.frontier.push(&item{})
	s.learned = true
	s.lossy = false
	clear(s.open)
}

// Next implements strategy.Strategy.
func (s *search) Next(context.Context) (*strategy.Job, error) {
	it := s.frontier.pop()
	if it == nil {
		return nil, nil
	}
	s.watch.begin(it)
	s.learned = false
	s.started++
	return &strategy.Job{Plan: &vm.Plan{Input: it.input, Visible: s.visible}, Scheduler: &s.watch}, nil
}

// Learn implements strategy.Strategy.
func (s *search) Learn(ctx context.Context, _ *strategy.Job, t *vm.Trace, from *expr.Arena) error {
	w := &s.watch
	if s.refine(t) {
		s.restart()
		return nil
	}
	if s.arena != from {
		s.arena, s.solver = from, solve.New(from, solve.Options{Budget: s.options.SolverBudget})
	}
	s.solver.Reset()
	b := branching{search: s, watcher: w, trace: t}
	if err := b.branch(ctx); err != nil {
		return err
	}
	switch {
	case w.blocked:
		s.impossible++
	case w.redundant:
		s.duplicates++
	}
	for why := range b.open {
		s.open[why] = true
	}
	s.lossy = s.lossy || len(t.GivenUp) > 0
	slices.SortStableFunc(b.items, func(x, y child) int { return cmp.Compare(x.moves, y.moves) })
	for _, c := range b.items {
		s.frontier.push(c.item)
	}
	s.learned = true
	return nil
}

// refine makes the sites of the races in t visible. It reports whether any was new.
func (s *search) refine(t *vm.Trace) bool {
	var fresh []vm.SiteID
	note := func(site vm.SiteID) {
		if !s.visible.Sites[site] {
			fresh = append(fresh, site)
		}
	}
	for i := range t.Findings {
		if f := &t.Findings[i]; f.Kind == vm.Race {
			note(f.Site)
			if f.Other != nil {
				note(f.Other.Site)
			}
		}
	}
	if len(fresh) == 0 {
		return false
	}
	sites := maps.Clone(s.visible.Sites) // plans refer to the old map
	if sites == nil {
		sites = map[vm.SiteID]bool{}
	}
	for _, site := range fresh {
		sites[site] = true
	}
	s.visible.Sites = sites
	return true
}

// Status implements strategy.Strategy.
func (s *search) Status() strategy.Status {
	finished := s.frontier.empty() && s.learned
	return strategy.Status{
		Exhausted:  finished && len(s.open) == 0 && !s.lossy,
		Finished:   finished,
		Candidates: s.started,
		Redundant:  s.duplicates,
		Blocked:    s.impossible,
		Degree:     -1,
		Open:       slices.Sorted(maps.Keys(s.open)),
	}
}

// A branching finds the children of a run.
type branching struct {
	*search
	*watcher
	trace *vm.Trace
	open  map[string]bool // what was given up
	items []child
	base  []move // the run's moves, for its children
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
	case t.Outcome == vm.Infeasible:
		b.giveUp("a plan could not be followed: %s", t.Message)
		return nil
	case t.Outcome == vm.Unsupported || t.Outcome == vm.Bounded:
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
	if t.Outcome == vm.Finished || t.Pending != nil {
		w.lookAt(t.Pending)
	}
	if w.full() {
		b.giveUp("a long run can be ordered in more ways than are kept")
	}
	b.delay()
	flips := flipper{branching: b}
	if err := flips.flipAll(ctx); err != nil {
		return err
	}
	b.turn()
	return flips.revisit(ctx)
}

// matches reports whether t is a run of the item: the flipped condition is
// where it was.
func (it *item) matches(t *vm.Trace) bool {
	f := &it.flips[len(it.flips)-1]
	return f.index < len(t.Path) && t.Path[f.index].Kind == f.kind
}

// moved returns the run's moves, which stay as they are.
func (b *branching) runMoves() []move {
	if b.base == nil {
		b.base = slices.Clone(b.moves)
	}
	return b.base
}

// add adds an item that begins with n of the run's moves, and events of its
// steps, and tail. The rest of it is the caller's to add.
func (b *branching) add(kind kind, n, events int, tail ...move) *item {
	it := &item{kind: kind, input: b.item.input, head: b.runMoves()[:n:n], tail: tail, steps: events}
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
	if b.trace.Outcome != vm.Failed || b.trace.Pending != nil || n < 0 || b.redundant {
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
