package solve

import (
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
)

func partsOf(conj []expr.ID) []part {
	var parts []part
	for i, x := range conj {
		parts = append(parts, part{x, i})
	}
	return parts
}

// Bounds is the analysis of a conjunction by itself.
type Bounds struct{ b bounder }

// Refute reports whether conj is found to be contradictory.
func (b *Bounds) Refute(a *expr.Arena, conj []expr.ID) bool {
	b.b = bounder{arena: a}
	return b.b.refute(partsOf(conj))
}

// Misses describes an expression whose value in a model is said to be impossible,
// "" if there is none.
func (b *Bounds) Misses(value func(expr.ID) uint64) string {
	for _, n := range b.b.nodes {
		if n.width == 0 {
			continue
		}
		if v := b.b.arena.Eval(n.x, value); !n.domain.contains(v, n.width) {
			return fmt.Sprintf("%s = %d is not in %+v", b.b.arena.String(n.x), v, n.domain)
		}
	}
	return ""
}

// Range returns the bounds of x, unsigned.
func (b *Bounds) Range(x expr.ID) (lo, hi uint64) {
	d, _ := b.b.domain(x)
	return d.lo, d.hi
}

// Reduction is substitution by itself.
type Reduction struct{ r reducer }

// Reduce returns what is left of conj, and false if that is a contradiction.
func (r *Reduction) Reduce(a *expr.Arena, conj []expr.ID) (rest []expr.ID, changed, ok bool) {
	r.r.arena = a
	changed, ok = r.r.reduce(partsOf(conj))
	return slices.Clone(r.r.conj), changed, ok
}

// Complete adds to a model of what is left the values of what was defined.
func (r *Reduction) Complete(value map[expr.ID]uint64) {
	r.r.complete(expr.NewEvaluator(r.r.arena), value)
}

// ByCircuit answers conj by a circuit without help.
func ByCircuit(a *expr.Arena, conj []expr.ID, budget int64) Result {
	b := newBlaster(a)
	b.reset(budget, nil)
	for _, x := range conj {
		b.sat.Add(b.literal(x))
	}
	return b.solve()
}
