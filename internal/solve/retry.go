package solve

import (
	"context"

	"github.com/everyway-go/everyway/internal/expr"
)

// The budget of a slice divided by these is what further attempts may cost: the
// second, and those with concrete operands.
const (
	secondShare   = 2
	concreteShare = 8
)

// retry solves the circuit once more, in a fresh solver that goes the other way at each
// decision it has no reason to take: true first.
func (s *Solver) retry(ctx context.Context, budget int64) Result {
	return s.circuit(ctx, try{budget: budget, facts: s.bounds.KnownBits, otherWay: true})
}

// concretise is the last resort for products and quotients: a factor of each and all
// divisors get values, those where local search has ended or small ones, so that a
// model is easily found if there is one then. It answers Sat or Unknown.
func (s *Solver) concretise(ctx context.Context, budget int64) Result {
	operands := s.bounds.UnknownFactors()
	if len(operands) == 0 {
		return Unknown
	}
	fixed := make([]expr.ID, 0, len(operands))
	for _, choice := range []func(x expr.ID) uint64{s.search.Eval, one} {
		fixed = fixed[:0]
		for _, x := range operands {
			lo, hi, _ := s.bounds.Range(x)
			v := min(max(choice(x), lo), hi)
			fixed = append(fixed, s.arena.Eq(x, s.arena.Const(v, s.arena.Width(x))))
		}
		if s.circuit(ctx, try{budget: budget, facts: s.bounds.KnownBits, also: fixed}) == Sat {
			return Sat
		}
	}
	return Unknown
}

// one is the value for which a factor or a divisor has no effect.
func one(expr.ID) uint64 { return 1 }
