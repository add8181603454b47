package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/cputime"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
)

// paths is a search of all paths under one schedule, up to a number of branches. It implements strategy.Strategy.
type paths struct {
	depth  int // branches of a path
	solver *solve.Solver
	arena  *expr.Arena
	stats  solve.Stats

	outcomes []item // negate what the code decides; the last one comes next
	values   []item // give another value to what was made concrete, when there is no other outcome left
	current  item
	run      *depth // the scheduler of the current run

	sites    map[run.SiteID]bool // the branches
	seen     map[string]string   // what was decided on each path; its text, if line is set
	line     func(run.SiteID) int
	unsolved int // queries without an answer
	solving  time.Duration
}

// An item is a run to be made.
type item struct {
	query  []expr.ID          // conditions of its input
	begins int                // how many conditions of its path they fix
	values map[expr.ID]uint64 // of the run from which it departs
}

// newPaths returns a search of the paths with so many branches at most.
func newPaths(depth int, sites map[run.SiteID]bool, o solve.Options) *paths {
	s := &paths{depth: depth, sites: sites, arena: expr.NewArena(), seen: make(map[string]string), outcomes: []item{{}}}
	o.Stats = &s.stats
	s.solver = solve.New(s.arena, o)
	return s
}

// Next implements strategy.Strategy.
func (s *paths) Next(ctx context.Context) (*strategy.Job, error) {
	for {
		it, ok := s.pop()
		if !ok {
			return nil, nil
		}
		begun := cputime.Now()
		result, model, err := s.solver.CheckNear(ctx, it.query, func(v expr.ID) uint64 { return it.values[v] })
		s.solving += cputime.Now() - begun
		if err != nil {
			return nil, err
		}
		switch result {
		case solve.Unknown:
			s.unsolved++
			continue
		case solve.Unsat:
			continue
		}
		s.current = it
		values := maps.Clone(it.values)
		for _, v := range model.Vars() {
			values[v] = model.Value(v)
		}
		input := make(run.Input, len(values))
		for v, x := range values {
			input[s.arena.VarName(v)] = x
		}
		s.run = &depth{most: s.depth, line: s.line}
		plan := &run.Plan{Input: input, Merge: run.MergeNone, OneOrder: true, Visible: run.Visible{Stops: s.sites}}
		return &strategy.Job{Plan: plan, Scheduler: s.run}, nil
	}
}

// pop takes the item that comes next.
func (s *paths) pop() (it item, ok bool) {
	items := &s.outcomes
	if len(*items) == 0 {
		items = &s.values
	}
	if len(*items) == 0 {
		return item{}, false
	}
	last := len(*items) - 1
	it = (*items)[last]
	*items = (*items)[:last]
	return it, true
}

// Learn implements strategy.Strategy.
func (s *paths) Learn(_ context.Context, _ *strategy.Job, trace *run.Trace, from *expr.Arena) error {
	c := &expr.Copier{To: s.arena, From: from}
	values := make(map[expr.ID]uint64, len(trace.Inputs))
	for _, v := range trace.Inputs {
		values[s.arena.VarOfRun(v.Name, v.Width)] = v.Value
	}
	conditions := trace.Path
	if s.run.cut { // what comes after the last branch makes no difference
		last := s.run.path
		if last < len(conditions) && conditions[last].Kind == run.Jump {
			last++
		}
		conditions = conditions[:last]
	}
	var conds []expr.ID
	unchanged := s.current.begins
	for i := range conditions {
		cond := &conditions[i]
		conds = append(conds, c.Copy(cond.Cond))
		switch {
		case cond.Kind == run.Assumed:
		case tellsFailure(from, conditions, i):
		case i < unchanged-1 || i < unchanged && cond.Kind != run.Concretized: // negated already
		case i < unchanged: // there may be a third value
			s.values = append(s.values, s.negate(s.current.query, conds[i], i+1, values))
		case cond.Kind == run.Concretized:
			s.values = append(s.values, s.negate(conds[:i], conds[i], i+1, values))
		default:
			s.outcomes = append(s.outcomes, s.negate(conds[:i], conds[i], i+1, values))
		}
	}
	if !trace.Skipped { // the state at the beginning is one that can be
		path := "whole " + string(s.run.steps)
		if s.run.cut || s.run.branches == s.depth { // it may have failed a check after the last branch
			path = "begin " + string(s.run.decided)
		}
		s.seen[path+s.library(conditions)] = s.run.text
	}
	return nil
}

// library is what branches of the standard library have decided, which a path has and does not
// count: whether others wait at a condition that is signalled.
func (s *paths) library(conditions []run.Condition) string {
	var b strings.Builder
	for i := range conditions {
		if c := &conditions[i]; c.Kind == run.Jump && !s.sites[c.Site] {
			fmt.Fprintf(&b, " %t", !c.Negated)
		}
	}
	return b.String()
}

// negate is the run that satisfies some conditions and not the next one.
func (s *paths) negate(conds []expr.ID, next expr.ID, begins int, values map[expr.ID]uint64) item {
	return item{append(slices.Clone(conds), s.arena.Not(next)), begins, values}
}

// Status implements strategy.Strategy.
func (s *paths) Status() strategy.Status {
	return strategy.Status{Finished: len(s.outcomes)+len(s.values) == 0, Degree: -1, Solver: s.stats}
}

// tellsFailure reports whether a condition makes concrete what has failed the check before it, as
// an index that is out of range: the goroutine panics with all values of that in the same way. Who
// has gone through a pointer has passed the check whether it is nil.
func tellsFailure(a *expr.Arena, conditions []run.Condition, i int) bool {
	if i == 0 || conditions[i].Kind != run.Concretized {
		return false
	}
	check, x := &conditions[i-1], conditions[i].Value
	return check.Kind == run.Check && check.Negated && check.Goroutine == conditions[i].Goroutine && check.Site == conditions[i].Site &&
		check.Cond != a.Not(a.Eq(x, a.Const(0, a.Width(x))))
}
