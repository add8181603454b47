package smtlib

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/smtlib/sexpr"
)

// An operator is identified by its name alone.
type operator struct {
	least, most int // operands; no bound above if most is 0
	// check returns an error unless operand i may follow those before it.
	check func(e *sexpr.Expr, terms []sorted, i int) error
	apply func(r *termReader, e *sexpr.Expr, terms []sorted) (sorted, error)
}

// Checks of operands.

func areBools(e *sexpr.Expr, terms []sorted, i int) error {
	if !terms[i].sort.isBool {
		return e.Errorf("a Bool expected, not %v", terms[i].sort)
	}
	return nil
}

func areBits(e *sexpr.Expr, terms []sorted, i int) error {
	if terms[i].sort.isBool || terms[i].sort.index > 0 {
		return e.Errorf("a bit-vector expected, not %v", terms[i].sort)
	}
	return nil
}

func areAlike(e *sexpr.Expr, terms []sorted, i int) error {
	if terms[i].sort != terms[0].sort || terms[i].sort.index > 0 {
		return e.Errorf("%v expected, not %v", terms[0].sort, terms[i].sort)
	}
	return nil
}

func areBitsAlike(e *sexpr.Expr, terms []sorted, i int) error {
	if err := areBits(e, terms, i); err != nil {
		return err
	}
	return areAlike(e, terms, i)
}

func isChoice(e *sexpr.Expr, terms []sorted, i int) error {
	if i == 0 {
		return areBools(e, terms, i)
	}
	return areAlike(e, terms[1:], i-1)
}

func isAccess(e *sexpr.Expr, terms []sorted, i int) error {
	of := terms[0].sort
	if want := []sort{of, {width: of.index}, {width: of.width}}[i]; of.index == 0 || terms[i].sort != want {
		return e.Errorf("an array with what fits into it expected, not %v", terms[i].sort)
	}
	return nil
}

// Makers of operators.

// folded is an operator on bit-vectors of one width that takes operands from the left.
func folded(least, most int, f func(a *expr.Arena, x, y expr.ID) expr.ID) operator {
	return operator{least, most, areBitsAlike, func(r *termReader, _ *sexpr.Expr, terms []sorted) (sorted, error) {
		x := terms[0].x
		for _, t := range terms[1:] {
			x = f(r.a, x, t.x)
		}
		return r.bitVector(x), nil
	}}
}

// unary is an operator on one operand of the kind that is checked.
func unary(check func(*sexpr.Expr, []sorted, int) error, f func(a *expr.Arena, x expr.ID) expr.ID) operator {
	return operator{1, 1, check, func(r *termReader, _ *sexpr.Expr, terms []sorted) (sorted, error) {
		return sorted{f(r.a, terms[0].x), terms[0].sort}, nil
	}}
}

// connective is an operator on Bools that takes operands from the left.
func connective(f func(a *expr.Arena, x, y expr.ID) expr.ID) operator {
	return operator{1, 0, areBools, func(r *termReader, _ *sexpr.Expr, terms []sorted) (sorted, error) {
		x := terms[0].x
		for _, t := range terms[1:] {
			x = f(r.a, x, t.x)
		}
		return r.bool(x), nil
	}}
}

// comparison is a relation between two bit-vectors.
func comparison(f func(a *expr.Arena, x, y expr.ID) expr.ID) operator {
	return operator{2, 2, areBitsAlike, func(r *termReader, _ *sexpr.Expr, terms []sorted) (sorted, error) {
		return r.bool(f(r.a, terms[0].x, terms[1].x)), nil
	}}
}

var operators = map[string]operator{
	"not": unary(areBools, (*expr.Arena).Not),
	"and": connective((*expr.Arena).And),
	"or":  connective((*expr.Arena).Or),
	"xor": connective((*expr.Arena).Xor),
	"=>": {2, 0, areBools, func(r *termReader, _ *sexpr.Expr, terms []sorted) (sorted, error) {
		x := terms[len(terms)-1].x // from the right
		for i := len(terms) - 2; i >= 0; i-- {
			x = r.a.Or(r.a.Not(terms[i].x), x)
		}
		return r.bool(x), nil
	}},
	"=": {2, 0, areAlike, func(r *termReader, _ *sexpr.Expr, terms []sorted) (sorted, error) {
		x := r.a.Bool(true)
		for i := range len(terms) - 1 {
			x = r.a.And(x, r.a.Eq(terms[i].x, terms[i+1].x))
		}
		return r.bool(x), nil
	}},
	"distinct": {2, 0, areAlike, func(r *termReader, _ *sexpr.Expr, terms []sorted) (sorted, error) {
		x := r.a.Bool(true)
		for i, t := range terms {
			for _, u := range terms[:i] {
				x = r.a.And(x, r.a.Ne(t.x, u.x))
			}
		}
		return r.bool(x), nil
	}},
	"ite": {3, 3, isChoice, func(r *termReader, _ *sexpr.Expr, terms []sorted) (sorted, error) {
		return sorted{r.a.Ite(terms[0].x, terms[1].x, terms[2].x), terms[1].sort}, nil
	}},

	"concat": {2, 0, areBits, func(r *termReader, e *sexpr.Expr, terms []sorted) (sorted, error) {
		x := terms[0].x
		for _, t := range terms[1:] {
			if err := checkWidth(e, int(r.a.Width(x))+int(t.sort.width)); err != nil {
				return sorted{}, err
			}
			x = r.a.Concat(x, t.x)
		}
		return r.bitVector(x), nil
	}},
	"bvnot": unary(areBits, (*expr.Arena).Not),
	"bvneg": unary(areBits, (*expr.Arena).Neg),

	"bvand":  folded(1, 0, (*expr.Arena).And),
	"bvor":   folded(1, 0, (*expr.Arena).Or),
	"bvxor":  folded(1, 0, (*expr.Arena).Xor),
	"bvadd":  folded(1, 0, (*expr.Arena).Add),
	"bvmul":  folded(1, 0, (*expr.Arena).Mul),
	"bvsub":  folded(1, 0, (*expr.Arena).Sub),
	"bvudiv": folded(2, 2, (*expr.Arena).UDiv),
	"bvurem": folded(2, 2, (*expr.Arena).URem),
	"bvsdiv": folded(2, 2, (*expr.Arena).SDiv),
	"bvsrem": folded(2, 2, (*expr.Arena).SRem),
	"bvsmod": folded(2, 2, smod),
	"bvshl":  folded(2, 2, (*expr.Arena).Shl),
	"bvlshr": folded(2, 2, (*expr.Arena).LShr),
	"bvashr": folded(2, 2, (*expr.Arena).AShr),
	"bvnand": folded(2, 2, func(a *expr.Arena, x, y expr.ID) expr.ID { return a.Not(a.And(x, y)) }),
	"bvnor":  folded(2, 2, func(a *expr.Arena, x, y expr.ID) expr.ID { return a.Not(a.Or(x, y)) }),
	"bvxnor": folded(2, 2, func(a *expr.Arena, x, y expr.ID) expr.ID { return a.Not(a.Xor(x, y)) }),
	"bvcomp": folded(2, 2, (*expr.Arena).Eq),

	"bvult": comparison((*expr.Arena).Ult),
	"bvule": comparison((*expr.Arena).Ule),
	"bvugt": comparison(func(a *expr.Arena, x, y expr.ID) expr.ID { return a.Ult(y, x) }),
	"bvuge": comparison(func(a *expr.Arena, x, y expr.ID) expr.ID { return a.Ule(y, x) }),
	"bvslt": comparison((*expr.Arena).Slt),
	"bvsle": comparison((*expr.Arena).Sle),
	"bvsgt": comparison(func(a *expr.Arena, x, y expr.ID) expr.ID { return a.Slt(y, x) }),
	"bvsge": comparison(func(a *expr.Arena, x, y expr.ID) expr.ID { return a.Sle(y, x) }),

	"select": {2, 2, isAccess, func(r *termReader, _ *sexpr.Expr, terms []sorted) (sorted, error) {
		return r.bitVector(r.a.Select(terms[0].x, terms[1].x)), nil
	}},
}

// smod is the remainder of signed division with the sign of the divisor, and the dividend
// when that is 0.
func smod(a *expr.Arena, x, y expr.ID) expr.ID {
	zero := a.Const(0, a.Width(x))
	rest := a.SRem(x, y)
	other := a.Xor(a.Slt(x, zero), a.Slt(y, zero))
	return a.Ite(a.And(other, a.Ne(rest, zero)), a.Add(rest, y), rest)
}
