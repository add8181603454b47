package mutate

import (
	"math/rand/v2"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm"
)

// A comparison is a variable with a value at which a comparison of it changes.
type comparison struct {
	variable variable
	value    uint64
}

// near returns the value, or one of those next to it.
func (c comparison) near(r *rand.Rand) uint64 {
	around := [...]uint64{0, 0, 1, ^uint64(0)}
	return (c.value + around[r.IntN(len(around))]) & mask(c.variable.width)
}

// comparisons holds the latest that are different.
type comparisons struct {
	list []comparison // in the order in which they were first met
	set  map[comparison]bool
}

// maxComparisons is how many are remembered.
const maxComparisons = 256

func newComparisons() comparisons { return comparisons{set: map[comparison]bool{}} }

func (l *comparisons) add(c comparison) {
	if l.set[c] {
		return
	}
	if len(l.list) == maxComparisons {
		delete(l.set, l.list[0])
		l.list = slices.Delete(l.list, 0, 1)
	}
	l.set[c] = true
	l.list = append(l.list, c)
}

// pick returns one of them, a later one rather than an earlier one.
func (l *comparisons) pick(r *rand.Rand) (comparison, bool) {
	n := len(l.list)
	if n == 0 {
		return comparison{}, false
	}
	return l.list[n-1-r.IntN(1+r.IntN(n))], true
}

// LearnPath takes the conditions that a run met. Where one compares a variable
// with a constant, through operations that can be undone, the value at which the
// comparison changes is worth trying. The expressions live in from.
func (m *Mutator) LearnPath(path []vm.Condition, from *expr.Arena) {
	for i := range path {
		if path[i].Kind != vm.Assumed {
			m.learnCondition(path[i].Cond, from, maxDepth)
		}
	}
}

// maxDepth bounds how deep below a condition comparisons are looked for.
const maxDepth = 6

// learnCondition looks for comparisons in what is true or false.
func (m *Mutator) learnCondition(x expr.ID, from *expr.Arena, depth int) {
	if depth == 0 {
		return
	}
	switch from.Op(x) {
	case expr.Not:
		m.learnCondition(from.Arg(x, 0), from, depth-1)
	case expr.And, expr.Or:
		m.learnCondition(from.Arg(x, 0), from, depth-1)
		m.learnCondition(from.Arg(x, 1), from, depth-1)
	case expr.Eq, expr.Ult, expr.Ule, expr.Slt, expr.Sle:
		left, right := from.Arg(x, 0), from.Arg(x, 1)
		if v, ok := from.ConstValue(right); ok {
			m.learnEqual(left, v, from)
		} else if v, ok := from.ConstValue(left); ok {
			m.learnEqual(right, v, from)
		}
	case expr.Var: // a bool
		m.learnEqual(x, 1, from)
	}
}

// learnEqual remembers the value of a variable for which x is v.
func (m *Mutator) learnEqual(x expr.ID, v uint64, from *expr.Arena) {
	for {
		v &= mask(from.Width(x))
		constant := func(i int) (uint64, bool) { return from.ConstValue(from.Arg(x, i)) }
		switch from.Op(x) {
		case expr.Var:
			m.compared.add(comparison{variable{from.VarName(x), from.Width(x)}, v})
			return
		case expr.Not:
			v = ^v
		case expr.Neg:
			v = -v
		case expr.ZExt, expr.SExt:
		case expr.Add, expr.Xor, expr.Sub:
			c, ok := constant(1)
			if !ok {
				return
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
			m.learnEqual(low, v, from)
			v >>= from.Width(low)
		default:
			return
		}
		x = from.Arg(x, 0)
	}
}
