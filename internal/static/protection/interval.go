package protection

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
)

// An Interval is from the first of two numbers to the second.
type Interval struct{ Least, Most int64 }

// none is the interval without a number.
var none = Interval{math.MaxInt64, math.MinInt64}

func (i Interval) isNone() bool { return i.Least > i.Most }

// String returns the interval as [0,2].
func (i Interval) String() string { return fmt.Sprintf("[%d,%d]", i.Least, i.Most) }

func (i Interval) join(k Interval) Interval {
	return Interval{min(i.Least, k.Least), max(i.Most, k.Most)}
}

// Meet returns the numbers that are in both intervals.
func (i Interval) Meet(k Interval) Interval {
	m := Interval{max(i.Least, k.Least), min(i.Most, k.Most)}
	if m.isNone() {
		return none
	}
	return m
}

func (i Interval) has(k Interval) bool { return k.isNone() || i.Least <= k.Least && k.Most <= i.Most }

// all returns the numbers of a type, and whether they are numbers of 64 bits with a sign, or fewer.
func all(t types.Type) (i Interval, ok bool) {
	k := code.KindOf(t)
	switch {
	case k == code.Bool: // false is 0, and true 1
		return Interval{0, 1}, true
	case !k.Integer() || !k.Signed() && k.Bits() == 64:
		return none, false
	case k.Signed():
		return Interval{math.MinInt64 >> (64 - k.Bits()), math.MaxInt64 >> (64 - k.Bits())}, true
	}
	return Interval{0, 1<<k.Bits() - 1}, true
}

// compute returns what an operation makes of two numbers, within the numbers of its type. If it may
// overflow, that is all of these.
func compute(op token.Token, x, y, within Interval) Interval {
	if x.isNone() || y.isNone() {
		return none
	}
	const large = math.MaxInt64 >> 2
	small := Interval{-large, large}
	r := within
	switch op {
	case token.ADD:
		if small.has(x) && small.has(y) {
			r = Interval{x.Least + y.Least, x.Most + y.Most}
		}
	case token.SUB:
		if small.has(x) && small.has(y) {
			r = Interval{x.Least - y.Most, x.Most - y.Least}
		}
	case token.MUL:
		if s := (Interval{math.MinInt32, math.MaxInt32}); s.has(x) && s.has(y) {
			list := []int64{x.Least * y.Least, x.Least * y.Most, x.Most * y.Least, x.Most * y.Most}
			r = Interval{slices.Min(list), slices.Max(list)}
		}
	case token.REM:
		if y.Least > 0 {
			r = Interval{0, y.Most - 1}
			if x.Least < 0 {
				r.Least = 1 - y.Most
			}
			if x.Least >= 0 {
				r.Most = min(r.Most, x.Most)
			}
		}
	case token.QUO:
		if y.Least > 0 {
			r = Interval{min(x.Least, 0), max(x.Most, 0)}
			if y.Least == y.Most {
				r = Interval{x.Least / y.Least, x.Most / y.Least}
			}
		}
	case token.AND:
		switch {
		case y.Least >= 0:
			r = Interval{0, y.Most}
		case x.Least >= 0:
			r = Interval{0, x.Most}
		}
	}
	if !within.has(r) {
		return within
	}
	return r
}

// refine returns the numbers of x for which a comparison with a number of y can be true.
func refine(op token.Token, x, y Interval) Interval {
	if y.isNone() {
		return none
	}
	r := x
	switch op {
	case token.LSS:
		if y.Most == math.MinInt64 {
			return none
		}
		r.Most = min(r.Most, y.Most-1)
	case token.LEQ:
		r.Most = min(r.Most, y.Most)
	case token.GTR:
		if y.Least == math.MaxInt64 {
			return none
		}
		r.Least = max(r.Least, y.Least+1)
	case token.GEQ:
		r.Least = max(r.Least, y.Least)
	case token.EQL:
		return x.Meet(y)
	case token.NEQ:
		if y.Least == y.Most && y.Least == x.Least && x.Least < math.MaxInt64 {
			r.Least++
		}
		if y.Least == y.Most && y.Least == x.Most && x.Most > math.MinInt64 {
			r.Most--
		}
	}
	if r.isNone() {
		return none
	}
	return r
}

// negated has the comparisons that are true if others are not, and mirrored those with the operands
// the other way round.
var (
	negated = map[token.Token]token.Token{
		token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS,
		token.EQL: token.NEQ, token.NEQ: token.EQL,
	}
	mirrored = map[token.Token]token.Token{
		token.LSS: token.GTR, token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ,
		token.EQL: token.EQL, token.NEQ: token.NEQ,
	}
)

// widen returns an interval that has two others, of which the second one has grown out of the
// first: its ends are those of the first one or some of a list of numbers in order, if there is one
// that is far enough, or those of all numbers.
func widen(was, is Interval, ends []int64, within Interval) Interval {
	if was.has(is) {
		return was
	}
	r := was.join(is)
	if r.Least < was.Least {
		i, found := slices.BinarySearch(ends, r.Least)
		switch {
		case found:
		case i > 0:
			r.Least = max(ends[i-1], within.Least)
		default:
			r.Least = within.Least
		}
	}
	if r.Most > was.Most {
		i, _ := slices.BinarySearch(ends, r.Most)
		if i < len(ends) {
			r.Most = min(ends[i], within.Most)
		} else {
			r.Most = within.Most
		}
	}
	return r
}
