package main

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"
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

	seen     map[string]bool // what was decided on each path
	unsolved int             // queries without an answer
	solving  time.Duration
}

// An item is a run to be made.
type item struct {
	query  []expr.ID          // conditions of its input
	begins int                // how many conditions of its path they fix
	values map[expr.ID]uint64 // of the run from which it departs
}

// newPaths returns a search of the paths with so many branches at most.
func newPaths(depth int, o solve.Options) *paths {
	s := &paths{depth: depth, arena: expr.NewArena(), seen: make(map[string]bool), outcomes: []item{{}}}
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
		return &strategy.Job{Plan: &run.Plan{Input: input, Merge: run.MergeNone}, Scheduler: run.NonPreemptive{}}, nil
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
		values[s.arena.Var(v.Name, v.Width)] = v.Value
	}
	var (
		path      []expr.ID
		decided   []byte
		branches  int
		unchanged = s.current.begins
	)
	for i := range trace.Path {
		cond := &trace.Path[i]
		path = append(path, c.Copy(cond.Cond))
		switch {
		case cond.Kind == run.Assumed:
		case i < unchanged-1 || i < unchanged && cond.Kind != run.Concretized: // negated already
		case i < unchanged: // there may be a third value
			s.values = append(s.values, s.negate(s.current.query, path[i], i+1, values))
		case cond.Kind == run.Concretized:
			s.values = append(s.values, s.negate(path[:i], path[i], i+1, values))
		default:
			s.outcomes = append(s.outcomes, s.negate(path[:i], path[i], i+1, values))
		}
		if cond.Kind == run.Jump || cond.Kind == run.Check {
			decided = binary.AppendVarint(binary.AppendVarint(decided, int64(cond.Site.Func)), int64(cond.Site.Instr))
			if cond.Negated {
				decided = append(decided, 0)
			} else {
				decided = append(decided, 1)
			}
		}
		if cond.Kind == run.Jump {
			if branches++; branches == s.depth {
				break
			}
		}
	}
	s.seen[string(decided)] = true
	return nil
}

// negate is the run that satisfies some conditions and not the next one.
func (s *paths) negate(conds []expr.ID, next expr.ID, begins int, values map[expr.ID]uint64) item {
	return item{append(slices.Clone(conds), s.arena.Not(next)), begins, values}
}

// Status implements strategy.Strategy.
func (s *paths) Status() strategy.Status {
	return strategy.Status{Finished: len(s.outcomes)+len(s.values) == 0, Degree: -1, Solver: s.stats}
}
