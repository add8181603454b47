package solve

import (
	"context"
	"slices"
	"sort"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve/sat"
)

// Prove proves that the query last answered Unsat is so: p gets the clauses of its
// circuit, and derives the empty clause. If a conjunct is plainly false, Prove does
// nothing and returns Unsat; if the budget does not suffice, it returns Unknown.
func (s *Solver) Prove(ctx context.Context, p sat.Proof) Result {
	if s.isNot >= 0 {
		return Unsat
	}
	if s.failed == nil {
		return Unknown
	}
	s.current.set(s.arena, s.failed)
	return s.circuit(ctx, try{budget: s.options.Budget, proof: p})
}

// coreTries bounds how many conjuncts Core tries to leave out.
const coreTries = 32

// Core returns indexes, ascending, of conjuncts of the last query that cannot
// be true together, if it was answered Unsat. The core is small but not always
// the least there is, and larger if the context is cancelled.
func (s *Solver) Core(ctx context.Context) []int {
	if s.isNot >= 0 {
		return []int{s.isNot}
	}
	if s.failed == nil {
		return nil
	}
	defer s.timed(0, s.now())
	s.current.set(s.arena, s.failed)
	parts := s.boundedCore(s.current.parts)
	if len(parts) > 2 {
		parts = s.provenCore(ctx, parts)
	}
	s.answers.refute(parts)
	var indexes []int
	for _, p := range parts {
		indexes = append(indexes, p.index)
	}
	slices.Sort(indexes)
	return slices.Compact(indexes)
}

// boundedCore returns some of the parts that bounds alone refute, all of which
// are needed for that, or all parts.
func (s *Solver) boundedCore(parts []part) []part {
	if !s.bounds.Refute(s.current.conj) {
		return parts
	}
	var core []part
	var trial []expr.ID
	for rest := parts; len(core) < coreTries; {
		// The last of the shortest prefix that will do is needed.
		n := sort.Search(len(rest), func(n int) bool {
			trial = appendConj(appendConj(trial[:0], rest[:n]), core)
			return s.bounds.Refute(trial)
		})
		if n == 0 {
			return core
		}
		core = slices.Insert(core, 0, rest[n-1])
		parts, rest = append(slices.Clone(rest[:n-1]), core...), rest[:n-1]
	}
	return parts
}

// provenCore returns those of the parts, which cannot all be true, that a proof
// needs, without some that can be left out.
func (s *Solver) provenCore(ctx context.Context, parts []part) []part {
	// Assume each, so as to learn which were needed.
	b := s.blaster
	b.Reset(s.options.Budget, nil, nil)
	clauses := b.SAT()
	clauses.SetDone(ctx.Done())
	defer clauses.SetDone(nil)
	lits := make([]sat.Lit, len(parts))
	for i, p := range parts {
		lits[i] = b.Literal(p.x)
	}
	core := lits
	if b.Solve(lits...) == Unsat {
		core = clauses.Core()
	}
	// Try to do without each, for about as much work as it took to get here.
	enough := max(clauses.Work(), 50_000)
	for i, tries := 0, 0; i < len(core) && tries < coreTries && clauses.Work() < s.options.Budget && ctx.Err() == nil; tries++ {
		clauses.SetBudget(clauses.Work() + enough)
		without := slices.Delete(slices.Clone(core), i, i+1)
		if b.Solve(without...) == Unsat {
			// Those before i stay: none of them could be done without.
			core = intersect(without, clauses.Core())
		} else {
			i++
		}
	}
	s.stats.Work += clauses.Work()
	var needed []part
	for i, p := range parts {
		if slices.Contains(core, lits[i]) {
			needed = append(needed, p)
		}
	}
	return needed
}

// intersect returns the literals of x that are in y, in the order of x.
func intersect(x, y []sat.Lit) []sat.Lit {
	return slices.DeleteFunc(x, func(l sat.Lit) bool { return !slices.Contains(y, l) })
}
