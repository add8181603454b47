package solve_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/expr"
)

// generator makes random expressions.
type generator struct {
	*rand.Rand
	a      *expr.Arena
	widths []uint8
	vars   int // of each width
	stores int // most in an array; 0: there are no arrays
}

var binaryOps = []expr.Op{
	expr.And, expr.Or, expr.Xor, expr.Add, expr.Sub, expr.Mul, expr.UMulHi, expr.UDiv, expr.SDiv, expr.URem, expr.SRem,
	expr.Shl, expr.LShr, expr.AShr,
}

var comparisons = []expr.Op{expr.Eq, expr.Ult, expr.Ule, expr.Slt, expr.Sle}

// term returns an expression of the width, of a height up to depth.
func (g *generator) term(width uint8, depth int) expr.ID {
	a := g.a
	if depth == 0 {
		if g.IntN(3) == 0 {
			v := g.Uint64() >> g.IntN(64)
			if g.IntN(3) == 0 {
				v = -v
			}
			return a.Const(v, width)
		}
		for _, w := range g.widths {
			if w == width {
				return a.Var(fmt.Sprintf("v%d_%d", g.IntN(g.vars), width), width)
			}
		}
		return g.fit(g.term(g.widths[g.IntN(len(g.widths))], 0), width)
	}
	depth--
	if g.stores > 0 && g.IntN(3) == 0 {
		index := g.widths[g.IntN(len(g.widths))]
		return g.a.Select(g.array(index, width, depth), g.term(index, depth))
	}
	switch g.IntN(10) {
	case 0:
		return a.Not(g.term(width, depth))
	case 1:
		return a.Neg(g.term(width, depth))
	case 2:
		return a.Ite(g.formula(depth), g.term(width, depth), g.term(width, depth))
	case 3:
		return g.fit(g.term(g.widths[g.IntN(len(g.widths))], depth), width)
	case 4:
		if width > 1 {
			k := 1 + uint8(g.IntN(int(width-1)))
			return a.Concat(g.term(k, depth), g.term(width-k, depth))
		}
		return g.formula(depth)
	}
	return a.Binary(binaryOps[g.IntN(len(binaryOps))], g.term(width, depth), g.term(width, depth))
}

// array returns an array with indexes and elements of these widths.
func (g *generator) array(index, width uint8, depth int) expr.ID {
	elems := make([]expr.ID, 1+g.IntN(min(1<<min(index, 5), 20)))
	for i := range elems {
		elems[i] = g.term(width, 0)
	}
	elems[0] = g.term(width, depth) // one of them, or the whole is too large
	array := g.a.Table(index, elems, g.term(width, 0))
	for range g.IntN(g.stores + 1) {
		array = g.a.Store(array, g.term(index, depth), g.term(width, depth))
	}
	return array
}

// fit takes x to the width.
func (g *generator) fit(x expr.ID, width uint8) expr.ID {
	switch w := g.a.Width(x); {
	case w > width:
		return g.a.Extract(x, uint8(g.IntN(int(w-width)+1)), width)
	case g.IntN(2) == 0:
		return g.a.ZExt(x, width)
	default:
		return g.a.SExt(x, width)
	}
}

// formula returns an expression of width 1: mostly a comparison.
func (g *generator) formula(depth int) expr.ID {
	if g.IntN(5) == 0 && depth > 0 {
		op := []expr.Op{expr.And, expr.Or, expr.Xor, expr.Eq}[g.IntN(4)]
		return g.a.Binary(op, g.formula(depth-1), g.formula(depth-1))
	}
	w := g.widths[g.IntN(len(g.widths))]
	x := g.a.Binary(comparisons[g.IntN(len(comparisons))], g.term(w, depth), g.term(w, depth))
	if g.IntN(3) == 0 {
		x = g.a.Not(x)
	}
	return x
}

// query returns one to n formulas.
func (g *generator) query(n, depth int) []expr.ID {
	conj := make([]expr.ID, 1+g.IntN(n))
	for i := range conj {
		conj[i] = g.formula(1 + g.IntN(depth))
	}
	return conj
}
