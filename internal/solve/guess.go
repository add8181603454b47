package solve

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
)

// Limits of a search: moves, subexpressions evaluated, and subexpressions a
// move goes through.
const (
	guessMoves = 40
	firstMoves = 8 // those before anything else is tried
	guessSteps = 20_000
	guessFuel  = 100
)

// guesser looks for a model of a slice by local search: it takes a conjunct
// that is false and follows it down, choosing for each operator an operand and
// the value that operand should have, to a variable whose value it changes.
// (Propagation-based local search, after Niemetz, Preiner and Biere.) It finds
// out nothing about slices that have no model.
type guesser struct {
	arena *expr.Arena
	eval  *expr.Evaluator
	parts []part    // in structural order, equations with constants first
	vars  []expr.ID // in structural order
	value []uint64  // by ID, of vars
	turn  uint      // which operand to try first
	moves int       // made since the start
	stuck int       // moves that changed nothing, since one that did
	limit int       // of steps of eval
}

// start takes on a slice, and a first value for each variable.
func (g *guesser) start(slice []part, value func(v expr.ID) uint64) {
	a := g.arena
	g.parts = append(g.parts[:0], slice...)
	slices.SortFunc(g.parts, func(p, q part) int {
		return cmp.Or(
			cmp.Compare(g.rank(p.x), g.rank(q.x)),
			cmp.Compare(a.Hash(p.x), a.Hash(q.x)),
			cmp.Compare(p.x, q.x))
	})
	g.parts = slices.CompactFunc(g.parts, func(p, q part) bool { return p.x == q.x })
	g.vars = g.vars[:0]
	for _, p := range g.parts {
		g.vars = a.Vars(g.vars, p.x)
	}
	slices.SortFunc(g.vars, func(v, w expr.ID) int {
		return cmp.Or(cmp.Compare(a.Hash(v), a.Hash(w)), cmp.Compare(v, w))
	})
	g.vars = slices.Compact(g.vars)
	if len(g.value) <= a.Len() {
		g.value = make([]uint64, 2*a.Len()+1)
	}
	for _, v := range g.vars {
		g.value[v] = value(v) & (^uint64(0) >> (64 - a.Width(v)))
	}
	if g.eval == nil {
		g.eval = expr.NewEvaluator(a)
	}
	g.turn, g.moves, g.stuck = 0, 0, 0
	g.limit = g.eval.Steps() + guessSteps
	g.restart()
}

// rank puts bounds of variables first, since what they leave of a circuit is
// smaller, and equations with constants before other conjuncts: they decide most.
func (g *guesser) rank(x expr.ID) int {
	a := g.arena
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

// restart has expressions evaluated anew under the present values.
func (g *guesser) restart() {
	g.eval.Start(func(v expr.ID) uint64 { return g.value[v] })
}

// satisfied reports whether the present values are a model.
func (g *guesser) satisfied() bool { return g.violated(0) == expr.None }

// violated returns a conjunct that is false, looking first at those from part
// number from onwards, or None.
func (g *guesser) violated(from int) expr.ID {
	n := len(g.parts)
	for i := range n {
		if p := g.parts[(from+i)%n]; g.eval.Eval(p.x) == 0 {
			return p.x
		}
	}
	return expr.None
}

// answer returns the present values as a model.
func (g *guesser) answer() answer {
	a := answer{result: Sat, vars: slices.Clone(g.vars), values: make([]uint64, len(g.vars))}
	for i, v := range a.vars {
		a.values[i] = g.value[v]
	}
	return a
}

// search makes moves until the values are a model, and reports whether they are.
// It stops when the given number of moves was made since the start.
func (g *guesser) search(moves int) bool {
	for g.moves < moves && g.stuck <= 2 && g.eval.Steps() <= g.limit {
		x := g.violated(0)
		if x == expr.None {
			return true
		}
		fuel := guessFuel
		if g.pull(x, 1, &fuel) {
			g.stuck = 0
			g.restart()
		} else {
			g.stuck++
		}
		g.turn++
		g.moves++
	}
	return g.satisfied()
}

// approach gives each variable, in turn, the value of the hint if the values
// stay a model with it.
func (g *guesser) approach(hint func(v expr.ID) uint64) {
	limit := g.eval.Steps() + guessSteps
	for _, v := range g.vars {
		want, was := hint(v)&(^uint64(0)>>(64-g.arena.Width(v))), g.value[v]
		if want == was {
			continue
		}
		g.value[v] = want
		g.restart()
		if g.eval.Steps() > limit || !g.satisfied() {
			g.value[v] = was
		}
	}
	g.restart()
}

// pull tries to give x the value want by changing variables in it. It reports
// whether it has changed some; that x has the value then is likely, not sure.
// fuel bounds the number of expressions it goes through.
func (g *guesser) pull(x expr.ID, want uint64, fuel *int) bool {
	if *fuel--; *fuel < 0 {
		return false
	}
	a := g.arena
	width := a.Width(x)
	mask := ^uint64(0) >> (64 - width)
	switch op := a.Op(x); op {
	case expr.Const:
		return false
	case expr.Var:
		g.value[x] = want
		return true
	case expr.Not:
		return g.pull(a.Arg(x, 0), ^want&mask, fuel)
	case expr.Neg:
		return g.pull(a.Arg(x, 0), -want&mask, fuel)
	case expr.ZExt, expr.SExt:
		inner := a.Arg(x, 0)
		low := want & (^uint64(0) >> (64 - a.Width(inner)))
		again := low
		if op == expr.SExt {
			unused := 64 - a.Width(inner)
			again = uint64(int64(low<<unused)>>unused) & mask
		}
		return again == want && g.pull(inner, low, fuel)
	case expr.Extract:
		inner, lo := a.Arg(x, 0), a.ExtractLo(x)
		return g.pull(inner, g.eval.Eval(inner)&^(mask<<lo)|want<<lo, fuel)
	case expr.Concat:
		hi, lo := a.Arg(x, 0), a.Arg(x, 1)
		k := a.Width(lo)
		return g.pullAll(fuel, target{hi, want >> k}, target{lo, want & (1<<k - 1)})
	case expr.Ite:
		c := a.Arg(x, 0)
		taken := g.eval.Eval(c)
		now, other := a.Arg(x, 2-int(taken)), a.Arg(x, 1+int(taken))
		if g.eval.Eval(other) == want && g.pull(c, 1-taken, fuel) {
			return true
		}
		return g.pull(now, want, fuel) || g.pullAll(fuel, target{c, 1 - taken}, target{other, want})
	case expr.Select:
		return g.pullElement(a.Arg(x, 0), a.Arg(x, 1), want, fuel)
	case expr.FRound:
		return expr.Round(a.FRounding(x), width, want) == want && g.pull(a.Arg(x, 0), want, fuel)
	case expr.FSqrt, expr.FConv, expr.FToS, expr.SToF, expr.UToF:
		return g.pullFloat(x, want, fuel)
	default:
		return g.pullBinary(op, a.Arg(x, 0), a.Arg(x, 1), want, fuel)
	}
}

// target is a value wanted for an expression.
type target struct {
	x    expr.ID
	want uint64
}

// pullAll pulls at those expressions that have not their value yet.
func (g *guesser) pullAll(fuel *int, targets ...target) bool {
	for _, t := range targets {
		if g.eval.Eval(t.x) != t.want && !g.pull(t.x, t.want, fuel) {
			return false
		}
	}
	return true
}

// pullBinary pulls at one operand of op, or at both if that must be.
func (g *guesser) pullBinary(op expr.Op, x, y expr.ID, want uint64, fuel *int) bool {
	width := g.arena.Width(x)
	if op == expr.FEq && x == y { // whether x is a number
		if want == 0 {
			return g.pull(x, expr.NaN(width), fuel)
		}
		return g.pull(x, 0, fuel)
	}
	values := [2]uint64{g.eval.Eval(x), g.eval.Eval(y)}
	args := [2]expr.ID{x, y}
	first := int(g.turn>>(guessFuel-*fuel)) & 1 // each move another combination, down the levels
	for _, side := range [2]int{first, 1 - first} {
		if g.arena.Op(args[side]) == expr.Const {
			continue
		}
		v, ok := invert(op, width, side, values, want)
		if ok && v != values[side] && g.pull(args[side], v, fuel) {
			return true
		}
	}
	switch op {
	case expr.And:
		return g.pullAll(fuel, target{x, values[0] | want}, target{y, values[1] | want})
	case expr.Or:
		return g.pullAll(fuel, target{x, values[0] & want}, target{y, values[1] & want})
	case expr.Mul:
		return g.pullAll(fuel, target{x, want}, target{y, 1})
	case expr.FAdd:
		return g.pullAll(fuel, target{x, want}, target{y, 0})
	case expr.FMul, expr.FDiv:
		return g.pullAll(fuel, target{x, want}, target{y, expr.Convert(expr.UToF, 1, width, 1)})
	case expr.Shl, expr.LShr, expr.AShr:
		return g.pullAll(fuel, target{x, want}, target{y, 0})
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
