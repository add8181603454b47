package localsearch

import (
	"math/bits"

	"github.com/everyway-go/everyway/internal/expr"
)

// Limits of a search: subexpressions evaluated, and subexpressions that a move goes
// through.
const (
	maxSteps = 20_000
	maxFuel  = 100
)

// A Search looks for a model of a conjunction: it takes a conjunct that is false
// and follows it down, choosing for each operator an operand and the value that
// operand should have, to a variable whose value it changes. (Propagation-based
// local search, after Niemetz, Preiner and Biere.) It finds out nothing about
// conjunctions that have no model.
type Search struct {
	arena *expr.Arena
	eval  *expr.Evaluator
	conj  []expr.ID
	vars  []expr.ID
	value []uint64 // by ID, of vars
	turn  uint     // which operand to try first
	moves int      // made since the start
	stuck int      // moves that changed nothing, since one that did
	limit int      // of steps of eval
}

// New returns a search over expressions of the arena.
func New(a *expr.Arena) *Search { return &Search{arena: a, eval: expr.NewEvaluator(a)} }

// Start takes on a conjunction, with its variables and a first value for each. The
// order of both is that in which they are tried. The slices are kept until the next
// Start.
func (s *Search) Start(conj, vars []expr.ID, value func(v expr.ID) uint64) {
	a := s.arena
	s.conj, s.vars = conj, vars
	if len(s.value) <= a.Len() {
		s.value = make([]uint64, 2*a.Len()+1)
	}
	for _, v := range s.vars {
		s.value[v] = value(v) & (^uint64(0) >> (64 - a.Width(v)))
	}
	s.turn, s.moves, s.stuck = 0, 0, 0
	s.limit = s.eval.Steps() + maxSteps
	s.restart()
}

// restart has expressions evaluated anew under the present values.
func (s *Search) restart() {
	s.eval.Start(func(v expr.ID) uint64 { return s.value[v] })
}

// Satisfied reports whether the present values are a model.
func (s *Search) Satisfied() bool { return s.violated() == expr.None }

// violated returns the first conjunct that is false, or None.
func (s *Search) violated() expr.ID {
	for _, x := range s.conj {
		if s.eval.Eval(x) == 0 {
			return x
		}
	}
	return expr.None
}

// Values returns the present values of the variables.
func (s *Search) Values() []uint64 {
	values := make([]uint64, len(s.vars))
	for i, v := range s.vars {
		values[i] = s.value[v]
	}
	return values
}

// Eval returns the present value of an expression.
func (s *Search) Eval(x expr.ID) uint64 { return s.eval.Eval(x) }

// Run makes moves until the values are a model, and reports whether they are.
// It stops when the given number of moves was made since the start.
func (s *Search) Run(moves int) bool {
	for s.moves < moves && s.stuck <= 2 && s.eval.Steps() <= s.limit {
		x := s.violated()
		if x == expr.None {
			return true
		}
		fuel := maxFuel
		if s.pull(x, 1, &fuel) {
			s.stuck = 0
			s.restart()
		} else {
			s.stuck++
		}
		s.turn++
		s.moves++
	}
	return s.Satisfied()
}

// Approach gives each variable, in turn, the value of the hint if the values
// stay a model with it.
func (s *Search) Approach(hint func(v expr.ID) uint64) {
	limit := s.eval.Steps() + maxSteps
	for _, v := range s.vars {
		want, was := hint(v)&(^uint64(0)>>(64-s.arena.Width(v))), s.value[v]
		if want == was {
			continue
		}
		s.value[v] = want
		s.restart()
		if s.eval.Steps() > limit || !s.Satisfied() {
			s.value[v] = was
		}
	}
	s.restart()
}

// pull tries to give x the value want by changing variables in it. It reports
// whether it has changed some; that x has the value then is likely, not sure.
// fuel bounds the number of expressions it goes through.
func (s *Search) pull(x expr.ID, want uint64, fuel *int) bool {
	if *fuel--; *fuel < 0 {
		return false
	}
	a := s.arena
	width := a.Width(x)
	mask := ^uint64(0) >> (64 - width)
	switch op := a.Op(x); op {
	case expr.Const:
		return false
	case expr.Var:
		s.value[x] = want
		return true
	case expr.Not:
		return s.pull(a.Arg(x, 0), ^want&mask, fuel)
	case expr.Neg:
		return s.pull(a.Arg(x, 0), -want&mask, fuel)
	case expr.ZExt, expr.SExt:
		inner := a.Arg(x, 0)
		low := want & (^uint64(0) >> (64 - a.Width(inner)))
		again := low
		if op == expr.SExt {
			unused := 64 - a.Width(inner)
			again = uint64(int64(low<<unused)>>unused) & mask
		}
		return again == want && s.pull(inner, low, fuel)
	case expr.Extract:
		inner, lo := a.Arg(x, 0), a.ExtractLo(x)
		return s.pull(inner, s.eval.Eval(inner)&^(mask<<lo)|want<<lo, fuel)
	case expr.Concat:
		hi, lo := a.Arg(x, 0), a.Arg(x, 1)
		k := a.Width(lo)
		return s.pullAll(fuel, target{hi, want >> k}, target{lo, want & (1<<k - 1)})
	case expr.Ite:
		c := a.Arg(x, 0)
		taken := s.eval.Eval(c)
		now, other := a.Arg(x, 2-int(taken)), a.Arg(x, 1+int(taken))
		if s.eval.Eval(other) == want && s.pull(c, 1-taken, fuel) {
			return true
		}
		return s.pull(now, want, fuel) || s.pullAll(fuel, target{c, 1 - taken}, target{other, want})
	case expr.Select:
		return s.pullElement(a.Arg(x, 0), a.Arg(x, 1), want, fuel)
	case expr.FRound:
		return expr.Round(a.FRounding(x), width, want) == want && s.pull(a.Arg(x, 0), want, fuel)
	case expr.FSqrt, expr.FConv, expr.FToS, expr.SToF, expr.UToF:
		return s.pullFloat(x, want, fuel)
	default:
		return s.pullBinary(op, a.Arg(x, 0), a.Arg(x, 1), want, fuel)
	}
}

// target is a value wanted for an expression.
type target struct {
	x    expr.ID
	want uint64
}

// pullAll pulls at those expressions that do not have their value yet.
func (s *Search) pullAll(fuel *int, targets ...target) bool {
	for _, t := range targets {
		if s.eval.Eval(t.x) != t.want && !s.pull(t.x, t.want, fuel) {
			return false
		}
	}
	return true
}

// pullBinary pulls at one operand of op, or at both if one is not enough.
func (s *Search) pullBinary(op expr.Op, x, y expr.ID, want uint64, fuel *int) bool {
	width := s.arena.Width(x)
	if op == expr.FEq && x == y { // whether x is a number
		if want == 0 {
			return s.pull(x, expr.NaN(width), fuel)
		}
		return s.pull(x, 0, fuel)
	}
	values := [2]uint64{s.eval.Eval(x), s.eval.Eval(y)}
	args := [2]expr.ID{x, y}
	first := int(s.turn>>(maxFuel-*fuel)) & 1 // each move another combination, down the levels
	for _, side := range [2]int{first, 1 - first} {
		if s.arena.Op(args[side]) == expr.Const {
			continue
		}
		v, ok := invert(op, width, side, values, want)
		if ok && v != values[side] && s.pull(args[side], v, fuel) {
			return true
		}
	}
	switch op {
	case expr.And:
		return s.pullAll(fuel, target{x, values[0] | want}, target{y, values[1] | want})
	case expr.Or:
		return s.pullAll(fuel, target{x, values[0] & want}, target{y, values[1] & want})
	case expr.Mul:
		return s.pullAll(fuel, target{x, want}, target{y, 1})
	case expr.FAdd:
		return s.pullAll(fuel, target{x, want}, target{y, 0})
	case expr.FMul, expr.FDiv:
		return s.pullAll(fuel, target{x, want}, target{y, expr.Convert(expr.UToF, 1, width, 1)})
	case expr.Shl, expr.LShr, expr.AShr:
		return s.pullAll(fuel, target{x, want}, target{y, 0})
	}
	return false
}

// invert returns a value for one operand of op that makes the result want,
// the other operand staying as it is, and whether there is one.
func invert(op expr.Op, width uint8, side int, values [2]uint64, want uint64) (v uint64, ok bool) {
	mask := ^uint64(0) >> (64 - width)
	now, other := values[side], values[1-side]
	switch op {
	case expr.FAdd, expr.FMul, expr.FDiv, expr.FEq, expr.FLt, expr.FLe:
		return invertFloat(op, width, side, values, want)
	case expr.And:
		v = now&^other | want
	case expr.Or:
		v = now&other | want&^other
	case expr.Xor:
		v = want ^ other
	case expr.Add:
		v = want - other
	case expr.Sub:
		if v = want + other; side == 1 {
			v = other - want
		}
	case expr.Mul:
		if other == 0 {
			return 0, false
		}
		k := bits.TrailingZeros64(other)
		v = want >> k * inverse(other>>k)
	case expr.UMulHi: // the least that is enough
		if want >= other {
			return 0, false
		}
		rest := uint64(0)
		if v, rest = bits.Div64(want>>(64-width), want<<width, other); rest > 0 {
			v++
		}
	case expr.UDiv, expr.SDiv:
		if v = want * other; side == 1 {
			if want == 0 {
				return 0, false
			}
			v = expr.Apply(op, width, other, want)
		}
	case expr.URem, expr.SRem:
		if side == 1 {
			return 0, false
		}
		v = now - expr.Apply(op, width, now, other) + want
		if expr.Apply(op, width, v, other) != want {
			v = want
		}
	case expr.Shl, expr.LShr, expr.AShr:
		if side == 1 || other >= uint64(width) {
			return 0, false
		}
		if op == expr.Shl {
			v = now&^(mask>>other) | want>>other
		} else {
			v = now&(1<<other-1) | want<<other
		}
	case expr.Eq:
		if v = other; want == 0 {
			v = other + 1
		}
	default:
		v = invertOrder(op, side, other, want)
	}
	v &= mask
	operands := [2]uint64{v, v}
	operands[1-side] = other
	return v, expr.Apply(op, width, operands[0], operands[1]) == want
}

// invertOrder is invert for the comparisons of order: it returns a value that
// is right unless it has wrapped around.
func invertOrder(op expr.Op, side int, other, want uint64) uint64 {
	strict := op == expr.Ult || op == expr.Slt
	below := side == 0
	if want == 0 { // ¬(x < y) is y <= x
		strict, below = !strict, !below
	}
	switch {
	case strict && below:
		return other - 1
	case strict:
		return other + 1
	}
	return other
}

// inverse returns the multiplicative inverse of an odd d modulo 2^64.
func inverse(d uint64) uint64 {
	x := d // right in three bits; each round doubles that
	for range 5 {
		x *= 2 - d*x
	}
	return x
}
