package solve

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve/sat"
)

// reduce answers the slice that the guesser was started with: what substitution
// leaves of it, in slices of its own.
func (s *Solver) reduce(ctx context.Context) (answer, stage) {
	mark := s.arena.Mark()
	defer s.arena.Release(mark)
	changed, ok := s.reducer.reduce(s.guesser.parts)
	switch {
	case !ok:
		return answer{result: Unsat}, bySubstitution
	case !changed:
		return s.decide(ctx)
	}
	vars := slices.Clone(s.guesser.vars)
	value := make(map[expr.ID]uint64, len(vars))
	by := bySubstitution
	rest, _ := s.rest.slice(s.reducer.conj) // none is a constant
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
	s.reducer.complete(s.guesser.eval, value)
	a := answer{result: Sat, vars: vars, values: make([]uint64, len(vars))}
	for i, v := range vars {
		a.values[i] = value[v]
	}
	return a, by
}

// attempt answers a slice of what substitution has left.
func (s *Solver) attempt(ctx context.Context, slice []part) (answer, stage) {
	g := &s.guesser
	g.start(slice, zero)
	if g.search(guessMoves) {
		return g.answer(), bySearch
	}
	return s.decide(ctx)
}

// decide answers the slice that the guesser was started with and has found no model of.
func (s *Solver) decide(ctx context.Context) (answer, stage) {
	if s.bounder.refute(s.guesser.parts) {
		return answer{result: Unsat}, byBounds
	}
	if s.options.Backend != nil && !s.options.Cross {
		return answer{}, byCircuit
	}
	budget := s.options.Budget
	result, by := s.circuit(ctx, try{budget: budget, facts: &s.bounder}), byCircuit
	if result == Unknown && ctx.Err() == nil {
		result, by = s.retry(ctx, budget/secondShare), bySecondCircuit
	}
	if result == Unknown && ctx.Err() == nil {
		result, by = s.concretise(ctx, budget/concreteShare), byConcreteOperand
	}
	if result != Sat {
		return answer{result: result}, by
	}
	a := answer{result: Sat, vars: slices.Clone(s.guesser.vars)}
	for _, v := range a.vars {
		a.values = append(a.values, s.blaster.value(v))
	}
	return a, by
}

// try says how a circuit is solved.
type try struct {
	budget   int64
	facts    *bounder  // what is known of the values of expressions, if not nil
	otherWay bool      // prefer true to false
	also     []expr.ID // further conjuncts
	proof    sat.Proof // nil if none is wanted
}

// circuit solves the circuit of the slice that the guesser was started with.
func (s *Solver) circuit(ctx context.Context, t try) Result {
	b := s.blaster
	b.reset(max(t.budget, 1), t.proof) // 0 would be no limit
	b.facts = t.facts
	b.sat.SetDone(ctx.Done())
	defer b.sat.SetDone(nil)
	for _, x := range t.also {
		b.sat.Add(b.literal(x))
	}
	for _, p := range s.guesser.parts { // in structural order
		if !b.sat.Add(b.literal(p.x)) {
			break
		}
	}
	if t.otherWay {
		for v := range b.sat.NumVars() {
			b.sat.Prefer(sat.Lit(2 * v))
		}
	}
	result := b.solve()
	if t.proof == nil {
		s.stats.Work += b.sat.Work()
	}
	return result
}
