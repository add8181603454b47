package exhaustive

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
)

// Options are the settings of a search. The zero value will do.
type Options struct {
	// SolverBudget bounds the work for a query, see solve.Options.
	SolverBudget int64
	// Visible names plain accesses to be scheduling points from the start.
	Visible vm.Visible
}

// New returns an exhaustive search.
func New(o Options) strategy.Strategy {
	s := &search{options: o, visible: o.Visible, open: map[string]bool{}}
	s.restart()
	return s
}

// A search is the state of the search. It implements strategy.Strategy.
type search struct {
	options Options
	visible vm.Visible
	stack   []*item // the frontier, next item last
	current *item   // of the job being run
	watch   *watcher
	sharing sharing

	arena  *expr.Arena // that solver works on
	solver *solve.Solver

	started   int // jobs
	redundant int
	lossy     bool // a trace gave something up
	open      map[string]bool
}

func (s *search) Name() string { return "exhaustive" }

// restart begins the search at the root of the tree.
func (s *search) restart() {
	s.stack = append(s.stack[:0], &item{})
	s.lossy = false
	clear(s.open)
}

// Next implements strategy.Strategy.
func (s *search) Next(context.Context) (*strategy.Job, error) {
	if len(s.stack) == 0 {
		return nil, nil
	}
	s.current = s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	s.watch = newWatcher(s.current, &s.sharing)
	s.started++
	return &strategy.Job{Plan: s.current.plan(s.visible), Scheduler: s.watch}, nil
}

// Learn implements strategy.Strategy.
func (s *search) Learn(_ context.Context, _ *strategy.Job, t *vm.Trace, from *expr.Arena) error {
	if s.watch.redundant {
		s.redundant++
	}
	s.sharing.noteEnd(t)
	if refined := s.refine(t); s.sharing.take() || refined {
		s.restart()
		return nil
	}
	switch t.Outcome {
	case vm.Infeasible:
		s.giveUp("a plan could not be followed: %s", t.Message)
		return nil
	case vm.Unsupported, vm.Bounded:
		s.giveUp("%s", t.Message)
	}
	if len(t.GivenUp) > 0 {
		s.lossy = true
	}
	if it := s.current; !it.matches(t) {
		s.giveUp("an input did not lead where it was to")
		return nil
	}
	if s.arena != from {
		s.arena, s.solver = from, solve.New(from, solve.Options{Budget: s.options.SolverBudget})
	}
	s.solver.Reset()
	return s.expand(t)
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

// matches reports whether t is a run of the item: the flipped condition is
// where it was.
func (it *item) matches(t *vm.Trace) bool {
	f := it.flipped
	return f == nil || f.index < len(t.Path) && t.Path[f.index].Site == f.site && t.Path[f.index].Kind == f.kind
}

// expand adds the unvisited nodes beside the run's path, the deepest last.
func (s *search) expand(t *vm.Trace) error {
	it, w := s.current, s.watch
	decisions := slices.Clone(t.Decisions)
	next := it.path // condition
	flips := flipper{search: s, trace: t, decisions: decisions}
	for i := range w.points {
		p := &w.points[i]
		for ; next < len(t.Path) && int(t.Path[next].Decision) <= p.decision; next++ {
			if err := flips.flip(next); err != nil {
				return err
			}
		}
		s.turn(p, t, decisions, next)
	}
	for ; next < len(t.Path); next++ {
		if err := flips.flip(next); err != nil {
			return err
		}
	}
	return nil
}

// turn adds the items that take another decision at p. The conditions of the
// path before index path come before p.
func (s *search) turn(p *point, t *vm.Trace, decisions []vm.Decision, path int) {
	base := item{input: s.current.input, prefix: decisions[:p.decision], turns: true, sleep: p.sleep, path: path}
	if p.kind == vm.Value {
		for v := p.n - 1; v > 0; v-- {
			it := base
			it.turn = vm.Decision{Kind: vm.Value, Goroutine: p.who, Alt: int32(v)}
			s.stack = append(s.stack, &it)
		}
		return
	}
	// The siblings are visited in order, each with those before it asleep.
	tried := append(slices.Clone(p.sleep), p.taken)
	tried = append(tried, p.others...)
	for k := len(p.others) - 1; k >= 0; k-- {
		it := base
		it.turn = p.others[k].Decision
		n := len(p.sleep) + 1 + k
		it.sleep = tried[:n:n]
		s.stack = append(s.stack, &it)
	}
}

func (s *search) giveUp(format string, args ...any) {
	s.open[fmt.Sprintf(format, args...)] = true
}

// Status implements strategy.Strategy.
func (s *search) Status() strategy.Status {
	finished := len(s.stack) == 0
	return strategy.Status{
		Exhausted:  finished && len(s.open) == 0 && !s.lossy,
		Finished:   finished,
		Candidates: s.started,
		Redundant:  s.redundant,
		Degree:     -1,
		Open:       slices.Sorted(maps.Keys(s.open)),
	}
}
