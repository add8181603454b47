package expr

import (
	"cmp"
	"slices"
)

// Products. A circuit for x*z + y*z - (x+y)*z is among the hardest a solver can
// be given, and as a polynomial it is 0. So a sum, difference or comparison
// that holds several products is multiplied out, and where terms cancel, so
// that fewer products are left, it is built from what remains. Remainders take
// part as x % y = x - x/y*y, which SMT-LIB's division satisfies for y = 0 too.

// Bounds of a polynomial; what exceeds them stays as it is.
const (
	maxDegree = 4
	maxTerms  = 16
)

// monomial is a coefficient times factors that are themselves no sums,
// differences or products, in the order of their hashes.
type monomial struct {
	coeff   uint64
	degree  uint8
	factors [maxDegree]ID
}

// polynomial is a sum of monomials modulo 2^width. No two have the same factors
// and none has coefficient 0.
type polynomial struct {
	width uint8
	terms []monomial // ordered by compareFactors
}

// expander turns expressions into polynomials.
type expander struct {
	arena      *Arena
	remainders bool // whether x % y is written as x - x/y*y
	met        bool // whether there was a remainder
}

// cancel returns x + y, or x - y, as a polynomial if that needs fewer products
// than x and y do as they stand.
func (a *Arena) cancel(op Op, x, y ID) (p polynomial, ok bool) {
	before := int(a.nodes[x].products) + int(a.nodes[y].products)
	if before < 2 || a.rebuilding {
		return p, false
	}
	sign := uint64(1)
	if op == Sub {
		sign = mask(64)
	}
	for _, remainders := range []bool{false, true} {
		e := expander{arena: a, remainders: remainders}
		p = polynomial{width: a.nodes[x].width}
		if !e.add(&p, x, 1) || !e.add(&p, y, sign) {
			break
		}
		if e.products(&p) < before {
			return p, true
		}
		if !e.met {
			break
		}
	}
	return p, false
}

// products returns how many products and remainders it takes to build p.
func (e *expander) products(p *polynomial) int {
	count := 0
	for i := range p.terms {
		t := &p.terms[i]
		count += max(int(t.degree)-1, 0)
		for _, f := range t.factors[:t.degree] {
			if op := e.arena.nodes[f].op; op == URem || op == SRem {
				count++
			}
		}
	}
	return count
}

// add adds coeff*x to p. It reports false if that exceeds the bounds.
func (e *expander) add(p *polynomial, x ID, coeff uint64) bool {
	a := e.arena
	n := a.nodes[x]
	switch n.op {
	case Const:
		return e.addTerm(p, monomial{coeff: coeff * n.value()})
	case Neg:
		return e.add(p, n.args[0], -coeff)
	case Not: // ^x = -1 - x
		return e.addTerm(p, monomial{coeff: -coeff}) && e.add(p, n.args[0], -coeff)
	case Add:
		return e.add(p, n.args[0], coeff) && e.add(p, n.args[1], coeff)
	case Sub:
		return e.add(p, n.args[0], coeff) && e.add(p, n.args[1], -coeff)
	case Mul:
		return e.addProduct(p, n.args[0], n.args[1], coeff)
	case Concat:
		if x, k, ok := a.shifted(&n); ok {
			return e.add(p, x, coeff<<k)
		}
	case URem, SRem:
		e.met = true
		if e.remainders {
			x, y := n.args[0], n.args[1]
			divide := a.UDiv
			if n.op == SRem {
				divide = a.SDiv
			}
			return e.add(p, x, coeff) && e.addProduct(p, divide(x, y), y, -coeff)
		}
	}
	return e.addTerm(p, monomial{coeff: coeff, degree: 1, factors: [maxDegree]ID{x}})
}

// addProduct adds coeff*x*y to p.
func (e *expander) addProduct(p *polynomial, x, y ID, coeff uint64) bool {
	px, py := polynomial{width: p.width}, polynomial{width: p.width}
	if !e.add(&px, x, coeff) || !e.add(&py, y, 1) {
		return false
	}
	for i := range px.terms {
		for j := range py.terms {
			s, t := &px.terms[i], &py.terms[j]
			if s.degree+t.degree > maxDegree {
				return false
			}
			product := monomial{coeff: s.coeff * t.coeff, degree: s.degree + t.degree}
			copy(product.factors[:], s.factors[:s.degree])
			copy(product.factors[s.degree:], t.factors[:t.degree])
			slices.SortFunc(product.factors[:product.degree], e.arena.compare)
			if !e.addTerm(p, product) {
				return false
			}
		}
	}
	return true
}

// addTerm adds t to p.
func (e *expander) addTerm(p *polynomial, t monomial) bool {
	at, found := slices.BinarySearchFunc(p.terms, t, e.compareFactors)
	if found {
		t.coeff += p.terms[at].coeff
	}
	zero := t.coeff&mask(p.width) == 0
	switch {
	case zero && found:
		p.terms = slices.Delete(p.terms, at, at+1)
	case zero:
	case found:
		p.terms[at].coeff = t.coeff
	default:
		p.terms = slices.Insert(p.terms, at, t)
	}
	return len(p.terms) <= maxTerms
}

// compareFactors orders monomials by their factors, the constant last.
func (e *expander) compareFactors(s, t monomial) int {
	if c := -cmp.Compare(s.degree, t.degree); c != 0 {
		return c
	}
	return slices.CompareFunc(s.factors[:s.degree], t.factors[:t.degree], e.arena.compare)
}

// compare orders expressions by their structure.
func (a *Arena) compare(x, y ID) int {
	if c := cmp.Compare(a.nodes[x].hash, a.nodes[y].hash); c != 0 {
		return c
	}
	return cmp.Compare(x, y)
}

// constant returns the value of p if p has no variable.
func (p *polynomial) constant() (v uint64, ok bool) {
	switch {
	case len(p.terms) == 0:
		return 0, true
	case len(p.terms) == 1 && p.terms[0].degree == 0:
		return p.terms[0].coeff & mask(p.width), true
	}
	return 0, false
}

// sides returns p as plus - minus, each with small coefficients.
func (a *Arena) sides(p polynomial) (plus, minus ID) {
	a.rebuilding = true
	defer func() { a.rebuilding = false }()
	plus, minus = a.Const(0, p.width), a.Const(0, p.width)
	for _, t := range p.terms {
		side, coeff := &plus, t.coeff&mask(p.width)
		if signed(coeff, p.width) < 0 && coeff != signBit(p.width) && t.degree > 0 {
			side, coeff = &minus, -coeff
		}
		product := a.Const(1, p.width)
		for _, f := range t.factors[:t.degree] {
			product = a.Mul(product, f)
		}
		*side = a.Add(*side, a.Mul(product, a.Const(coeff, p.width)))
	}
	return plus, minus
}

// sum returns p as an expression.
func (a *Arena) sum(p polynomial) ID {
	plus, minus := a.sides(p)
	return a.Sub(plus, minus)
}
