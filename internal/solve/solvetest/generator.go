package solvetest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/sample"
)

// A Generator makes random expressions.
type Generator struct {
	*rand.Rand
	Arena  *expr.Arena
	Widths []uint8 // of variables
	Vars   int     // of each width
	Stores int     // most in an array; 0: there are no arrays
}

// BinaryOps are the operators of two operands of one width whose result has it, too.
var BinaryOps = []expr.Op{
	expr.And, expr.Or, expr.Xor, expr.Add, expr.Sub, expr.Mul, expr.UMulHi, expr.UDiv, expr.SDiv, expr.URem, expr.SRem,
	expr.Shl, expr.LShr, expr.AShr,
}

// Comparisons are those of bit-vectors.
var Comparisons = []expr.Op{expr.Eq, expr.Ult, expr.Ule, expr.Slt, expr.Sle}

// term returns an expression of the width, of a height up to depth.
func (g *Generator) term(width uint8, depth int) expr.ID {
	a := g.Arena
	if depth == 0 {
		if g.IntN(3) == 0 {
			v := g.Uint64() >> g.IntN(64)
			if g.IntN(3) == 0 {
				v = -v
			}
			return a.Const(v, width)
		}
		for _, w := range g.Widths {
			if w == width {
				return a.Var(fmt.Sprintf("v%d_%d", g.IntN(g.Vars), width), width)
			}
		}
		return g.fit(g.term(g.Widths[g.IntN(len(g.Widths))], 0), width)
	}
	depth--
	if g.Stores > 0 && g.IntN(3) == 0 {
		index := g.Widths[g.IntN(len(g.Widths))]
		return g.Arena.Select(g.array(index, width, depth), g.term(index, depth))
	}
	switch g.IntN(10) {
	case 0:
		return a.Not(g.term(width, depth))
	case 1:
		return a.Neg(g.term(width, depth))
	case 2:
		return a.Ite(g.formula(depth), g.term(width, depth), g.term(width, depth))
	case 3:
		return g.fit(g.term(g.Widths[g.IntN(len(g.Widths))], depth), width)
	case 4:
		if width > 1 {
			k := 1 + uint8(g.IntN(int(width-1)))
			return a.Concat(g.term(k, depth), g.term(width-k, depth))
		}
		return g.formula(depth)
	}
	return a.Binary(BinaryOps[g.IntN(len(BinaryOps))], g.term(width, depth), g.term(width, depth))
}

// array returns an array with indexes and elements of these widths.
func (g *Generator) array(index, width uint8, depth int) expr.ID {
	elems := make([]expr.ID, 1+g.IntN(min(1<<min(index, 5), 20)))
	for i := range elems {
		elems[i] = g.term(width, 0)
	}
	elems[0] = g.term(width, depth) // one of them, or the whole is too large
	array := g.Arena.Table(index, elems, g.term(width, 0))
	for range g.IntN(g.Stores + 1) {
		array = g.Arena.Store(array, g.term(index, depth), g.term(width, depth))
	}
	return array
}

// fit takes x to the width.
func (g *Generator) fit(x expr.ID, width uint8) expr.ID {
	switch w := g.Arena.Width(x); {
	case w > width:
		return g.Arena.Extract(x, uint8(g.IntN(int(w-width)+1)), width)
	case g.IntN(2) == 0:
		return g.Arena.ZExt(x, width)
	default:
		return g.Arena.SExt(x, width)
	}
}

// formula returns an expression of width 1: mostly a comparison.
func (g *Generator) formula(depth int) expr.ID {
	if g.IntN(5) == 0 && depth > 0 {
		op := []expr.Op{expr.And, expr.Or, expr.Xor, expr.Eq}[g.IntN(4)]
		return g.Arena.Binary(op, g.formula(depth-1), g.formula(depth-1))
	}
	w := g.Widths[g.IntN(len(g.Widths))]
	x := g.Arena.Binary(Comparisons[g.IntN(len(Comparisons))], g.term(w, depth), g.term(w, depth))
	if g.IntN(3) == 0 {
		x = g.Arena.Not(x)
	}
	return x
}

// Query returns one to n formulas.
func (g *Generator) Query(n, depth int) []expr.ID {
	conj := make([]expr.ID, 1+g.IntN(n))
	for i := range conj {
		conj[i] = g.formula(1 + g.IntN(depth))
	}
	return conj
}

// Related returns a query as programs make them: mostly bounds and equations,
// over terms that occur in several conjuncts.
func (g *Generator) Related(n int) []expr.ID {
	a := g.Arena
	var terms []expr.ID
	width := g.Widths[g.IntN(len(g.Widths))]
	for range 3 {
		terms = append(terms, g.term(width, g.IntN(3)))
	}
	var conj []expr.ID
	for range 1 + g.IntN(n) {
		x, y := terms[g.IntN(len(terms))], terms[g.IntN(len(terms))]
		if g.IntN(2) == 0 {
			y = a.Const(g.Uint64()>>g.IntN(64), width)
		}
		if g.IntN(2) == 0 {
			x, y = y, x
		}
		p := a.Binary(Comparisons[g.IntN(len(Comparisons))], x, y)
		switch g.IntN(6) {
		case 0:
			p = a.Not(p)
		case 1:
			p = a.Or(p, g.formula(1))
		}
		conj = append(conj, p)
	}
	return conj
}

// Small calls test with random queries over few small variables, none of whose conjuncts
// is a constant: with those of all that sample.Of chooses.
func Small(all, usual, short int, test func(a *expr.Arena, conj []expr.ID)) {
	g := &Generator{Rand: rand.New(rand.NewPCG(11, 12))}
	for i := range sample.Of(all, usual, short) {
		g.Arena = expr.NewArena()
		g.Widths = [][]uint8{{1, 2}, {3}, {4}, {2, 3}, {1, 5}}[i%5]
		g.Vars = 1 + i%2
		var conj []expr.ID
		if i%3 == 0 {
			conj = g.Query(4, 3)
		} else {
			conj = g.Related(6)
		}
		conj = slices.DeleteFunc(conj, func(x expr.ID) bool { return g.Arena.Op(x) == expr.Const })
		if len(conj) > 0 {
			test(g.Arena, conj)
		}
	}
}
