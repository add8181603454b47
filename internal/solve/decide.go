package solve

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve/bitblast"
	"github.com/everyway-go/everyway/internal/solve/sat"
)

// reduce answers the slice that the stages work on. What substitution leaves of it
// is divided into slices again.
func (s *Solver) reduce(ctx context.Context) (answer, stage) {
	mark := s.arena.Mark()
	defer s.arena.Release(mark)
	left, changed, ok := s.reducer.Reduce(s.current.conj)
	switch {
	case !ok:
		return answer{result: Unsat}, bySubstitution
	case !changed:
		return s.decide(ctx)
	}
	vars := slices.Clone(s.current.vars)
	value := make(map[expr.ID]uint64, len(vars))
	by := bySubstitution
	rest, _ := s.rest.slice(left) // none is a constant
	result := Sat
	for _, slice := range rest {
		a, stage := s.attempt(ctx, slice)
		by = max(by, stage)
		switch a.result {
		case Unsat:
			return answer{result: Unsat}, by
		case Unknown:
			result = Unknown
		}
		for i, v := range a.vars {
			value[v] = a.values[i]
		}
	}
	if result == Unknown {
		return answer{}, by
	}
	s.reducer.Complete(value)
	a := answer{result: Sat, vars: vars, values: make([]uint64, len(vars))}
	for i, v := range vars {
		a.values[i] = value[v]
	}
	return a, by
}

// attempt answers a slice of what substitution has left.
func (s *Solver) attempt(ctx context.Context, slice []part) (answer, stage) {
	s.start(slice, zero)
	if s.search.Run(allMoves) {
		return s.found(), bySearch
	}
	return s.decide(ctx)
}

// decide answers the slice that the stages work on and the search has found no model of.
func (s *Solver) decide(ctx context.Context) (answer, stage) {
	if s.bounds.Refute(s.current.conj) {
		return answer{result: Unsat}, byBounds
	}
	if s.options.Backend != nil && !s.options.Cross {
		return answer{}, byCircuit
	}
	budget := s.options.Budget
	result, by := s.circuit(ctx, try{budget: budget, facts: s.bounds.KnownBits}), byCircuit
	if result == Unknown && ctx.Err() == nil {
		result, by = s.retry(ctx, budget/secondShare), bySecondCircuit
	}
	if result == Unknown && ctx.Err() == nil {
		result, by = s.concretise(ctx, budget/concreteShare), byConcreteOperand
	}
	if result != Sat {
		return answer{result: result}, by
	}
	a := answer{result: Sat, vars: slices.Clone(s.current.vars)}
	for _, v := range a.vars {
		a.values = append(a.values, s.blaster.Value(v))
	}
	return a, by
}

// try is how a circuit is solved.
type try struct {
	budget   int64
	facts    bitblast.KnownBits // nil if nothing is known
	otherWay bool               // prefer true to false
	also     []expr.ID          // further conjuncts
	proof    sat.Proof          // nil if none is wanted
}

// circuit solves the circuit of the slice that the stages work on.
func (s *Solver) circuit(ctx context.Context, t try) Result {
	b := s.blaster
	b.Reset(max(t.budget, 1), t.facts, t.proof) // 0 would be no limit
	clauses := b.SAT()
	clauses.SetDone(ctx.Done())
	defer clauses.SetDone(nil)
	for _, x := range t.also {
		clauses.Add(b.Literal(x))
	}
	for _, x := range s.current.conj {
		if !clauses.Add(b.Literal(x)) {
			break
		}
	}
	if t.otherWay {
		for v := range clauses.NumVars() {
			clauses.Prefer(sat.Lit(2 * v))
		}
	}
	result := b.Solve()
	if t.proof == nil {
		s.stats.Work += clauses.Work()
	}
	return result
}
