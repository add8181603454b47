package solve

import (
	"context"

	"github.com/everyway-go/everyway/internal/expr"
)

// What an attempt to answer a slice may cost after the first, as a part of the
// budget: the second, and those with concrete operands.
const (
	secondShare   = 2
	concreteShare = 8
)

// retry asks once more, in a fresh solver that goes the other way at each
// decision it has no reason to take: true first.
func (s *Solver) retry(ctx context.Context, budget int64) Result {
	return s.circuit(ctx, try{budget: budget, facts: &s.bounder, otherWay: true})
}

// concretise is the last resort for products and quotients: a factor of each and all
// divisors get values, those where local search has ended or small ones, so that a
// model is easily found if there is one then. It answers Sat or Unknown.
func (s *Solver) concretise(ctx context.Context, budget int64) Result {
	operands := s.hardOperands()
	if len(operands) == 0 {
		return Unknown
	}
	fixed := make([]expr.ID, 0, len(operands))
	for _, choice := range []func(x expr.ID) uint64{s.guesser.eval.Eval, one} {
		fixed = fixed[:0]
		for _, x := range operands {
			d, _ := s.bounder.domain(x)
			v := min(max(choice(x), d.lo), d.hi)
			fixed = append(fixed, s.arena.Eq(x, s.arena.Const(v, s.arena.Width(x))))
		}
		if s.circuit(ctx, try{budget: budget, facts: &s.bounder, also: fixed}) == Sat {
			return Sat
		}
	}
	return Unknown
}

// one is the value that takes a factor or a divisor away.
func one(expr.ID) uint64 { return 1 }

// hardOperands returns a factor of each product of the slice in which none is known,
// and the divisors that are not known.
func (s *Solver) hardOperands() []expr.ID {
	var list []expr.ID
	b := &s.bounder
	for i := range b.nodes {
		n := &b.nodes[i]
		switch n.op {
		case expr.Mul, expr.UMulHi, expr.UDiv, expr.URem, expr.SDiv, expr.SRem:
			if _, ok := b.operand(n, 0).value(); ok && n.op <= expr.UMulHi {
				continue
			}
			if _, ok := b.operand(n, 1).value(); !ok {
				list = append(list, b.nodes[b.operands[n.first+1]].x)
			}
		}
	}
	return list
}
