package solve

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
)

// ordered is a slice in an order given by the structure of its conjuncts alone, in
// which each is once. All stages go by it, so that what they answer depends neither
// on the order of a query nor on the arena.
type ordered struct {
	parts []part
	conj  []expr.ID // those of the parts
	vars  []expr.ID // in an order given by structure, too
}

// set puts the slice in order.
func (o *ordered) set(a *expr.Arena, slice []part) {
	o.parts = append(o.parts[:0], slice...)
	slices.SortFunc(o.parts, func(p, q part) int {
		return cmp.Or(
			cmp.Compare(rank(a, p.x), rank(a, q.x)),
			cmp.Compare(a.Hash(p.x), a.Hash(q.x)),
			cmp.Compare(p.x, q.x))
	})
	o.parts = slices.CompactFunc(o.parts, func(p, q part) bool { return p.x == q.x })
	o.conj = appendConj(o.conj[:0], o.parts)
	o.vars = o.vars[:0]
	for _, x := range o.conj {
		o.vars = a.Vars(o.vars, x)
	}
	slices.SortFunc(o.vars, func(v, w expr.ID) int {
		return cmp.Or(cmp.Compare(a.Hash(v), a.Hash(w)), cmp.Compare(v, w))
	})
	o.vars = slices.Compact(o.vars)
}

// rank puts bounds of variables first, since what they leave of a circuit is
// smaller, and equations with constants before other conjuncts: they decide most.
func rank(a *expr.Arena, x expr.ID) int {
	if a.NumArgs(x) != 2 {
		return 2
	}
	left, right := a.Op(a.Arg(x, 0)), a.Op(a.Arg(x, 1))
	switch op := a.Op(x); {
	case (op == expr.Ult || op == expr.Slt) && (left == expr.Var && right == expr.Const || left == expr.Const && right == expr.Var):
		return 0
	case op == expr.Eq && right == expr.Const:
		return 1
	}
	return 2
}

// appendConj appends the conjuncts of the parts to conj.
func appendConj(conj []expr.ID, parts []part) []expr.ID {
	for _, p := range parts {
		conj = append(conj, p.x)
	}
	return conj
}
