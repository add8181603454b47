package mutate

import (
	"math/rand/v2"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// A comparison is a condition that compares variables with constants: its outcome changes where
// they have these values, the lowest bits of a number first.
type comparison struct {
	hash  uint64 // of the condition's expression
	equal []assignment
}

// An assignment is a value of a variable.
type assignment struct {
	variable variable
	value    uint64
}

// apply sets the variables to the values, or to one more or less.
func (c *comparison) apply(r *rand.Rand, in run.Input, maxLen int) {
	around := [...]uint64{0, 0, 1, ^uint64(0)}
	near := around[r.IntN(len(around))]
	for _, a := range c.equal {
		v := (a.value + near) & mask(a.variable.width)
		if prefix, _ := unwrap(a.variable.name); prefix == lengthOf {
			v = min(v, uint64(maxLen))
		}
		in[a.variable.name] = v
		near = 0
	}
}

// comparisons holds the latest different comparisons.
type comparisons struct {
	list []comparison    // in the order in which they were first met
	set  map[uint64]bool // of their hashes
}

// maxComparisons is the number of comparisons that are kept.
const maxComparisons = 256

func newComparisons() comparisons { return comparisons{set: map[uint64]bool{}} }

func (l *comparisons) add(c comparison) {
	if len(l.list) == maxComparisons {
		delete(l.set, l.list[0].hash)
		l.list = slices.Delete(l.list, 0, 1)
	}
	l.set[c.hash] = true
	l.list = append(l.list, c)
}

// pick draws one of them, a later one with higher probability, or nil if there is none.
func (l *comparisons) pick(r *rand.Rand) *comparison {
	n := len(l.list)
	if n == 0 {
		return nil
	}
	return &l.list[n-1-r.IntN(1+r.IntN(n))]
}

// LearnPath adds the path condition of a run, whose expressions live in from. If a condition
// compares variables with constants, after operations that can be inverted, the values at
// which its outcome changes will be tried.
func (m *Mutator) LearnPath(path []run.Condition, from *expr.Arena) {
	for i := range path {
		x := path[i].Cond
		if from.Op(x) == expr.Not { // the other outcome of the same comparison
			x = from.Arg(x, 0)
		}
		if path[i].Kind == run.Assumed || m.compared.set[from.Hash(x)] {
			continue
		}
		if equal := boundary(nil, x, from, maxDepth); len(equal) > 0 {
			m.compared.add(comparison{from.Hash(x), equal})
		}
	}
}

// maxDepth bounds the depth of comparisons below a condition.
const maxDepth = 10

// boundary appends to to the values of variables at which the outcomes of the comparisons in x
// change. A comparison of several bytes is a comparison of each.
func boundary(to []assignment, x expr.ID, from *expr.Arena, depth int) []assignment {
	if depth == 0 {
		return to
	}
	switch from.Op(x) {
	case expr.Not:
		return boundary(to, from.Arg(x, 0), from, depth-1)
	case expr.And, expr.Or:
		to = boundary(to, from.Arg(x, 0), from, depth-1)
		return boundary(to, from.Arg(x, 1), from, depth-1)
	case expr.Eq, expr.Ult, expr.Ule, expr.Slt, expr.Sle:
		left, right := from.Arg(x, 0), from.Arg(x, 1)
		if v, ok := from.ConstValue(right); ok {
			return solve(to, left, v, from)
		}
		if v, ok := from.ConstValue(left); ok {
			return solve(to, right, v, from)
		}
	case expr.Var: // a bool
		return solve(to, x, 1, from)
	}
	return to
}

// solve appends to to the values of variables for which x is v, as far as its operations can be
// inverted.
func solve(to []assignment, x expr.ID, v uint64, from *expr.Arena) []assignment {
	for {
		v &= mask(from.Width(x))
		switch from.Op(x) {
		case expr.Var:
			return append(to, assignment{variable{from.VarName(x), from.Width(x)}, v})
		case expr.Not:
			v = ^v
		case expr.Neg:
			v = -v
		case expr.ZExt, expr.SExt:
		case expr.Add, expr.Xor, expr.Sub:
			c, ok := from.ConstValue(from.Arg(x, 1))
			if !ok {
				return to
			}
			switch from.Op(x) {
			case expr.Add:
				v -= c
			case expr.Sub:
				v += c
			default:
				v ^= c
			}
		case expr.Concat: // a number of several variables
			low := from.Arg(x, 1)
			to = solve(to, low, v, from)
			v >>= from.Width(low)
		default:
			return to
		}
		x = from.Arg(x, 0)
	}
}
