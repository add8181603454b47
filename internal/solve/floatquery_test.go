package solve_test

import (
	"math"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
)

// TestFloatQueries has queries as the branches of programs over float64 give them.
func TestFloatQueries(t *testing.T) {
	a := expr.NewArena()
	x, y, i := a.Var("x", 64), a.Var("y", 64), a.Var("i", 64)
	num := func(f float64) expr.ID { return a.Const(math.Float64bits(f), 64) }
	for _, test := range []struct {
		name string
		conj []expr.ID
		want solve.Result
	}{
		{"equal to a constant", []expr.ID{a.FEq(x, num(0.1))}, solve.Sat},
		{"a sum", []expr.ID{a.FEq(a.FAdd(x, num(0.1)), num(0.3))}, solve.Sat},
		{"a product", []expr.ID{a.FLt(num(0.1), x), a.FEq(a.FMul(x, num(3)), num(1.5))}, solve.Sat},
		{"a product that rounding jumps over", []expr.ID{a.FLt(num(0.1), x), a.FEq(a.FMul(x, num(3)), num(0.9))}, solve.Unsat},
		{"a difference of a quotient", []expr.ID{a.FEq(a.FSub(a.FDiv(x, num(7)), num(1)), num(0.5))}, solve.Sat},
		{"a number is not NaN", []expr.ID{a.FIsNaN(x)}, solve.Sat},
		{"the difference of infinities", []expr.ID{a.Not(a.FIsNaN(x)), a.FIsNaN(a.FSub(x, x))}, solve.Sat},
		{"minus zero", []expr.ID{a.FEq(x, num(0)), a.Eq(a.Extract(x, 63, 1), a.Bool(true))}, solve.Sat},
		{"truncated", []expr.ID{a.Eq(a.FToS(x, 64), a.Const(42, 64)), a.Not(a.FEq(x, num(42)))}, solve.Sat},
		{"of an integer", []expr.ID{a.FLt(num(1e6), a.SToF(i, 64)), a.FLt(a.SToF(i, 64), num(1e6+1.5))}, solve.Sat},
		{"absorbed", []expr.ID{a.FEq(a.FAdd(x, num(1)), x), a.FLt(x, num(1e300))}, solve.Sat},
		{"a root", []expr.ID{a.FEq(a.FSqrt(x), num(1.5))}, solve.Sat},
		{"less than itself after adding", []expr.ID{a.FLt(a.FAdd(x, num(1)), x)}, solve.Unsat},
		{"an absolute value below zero", []expr.ID{a.FLt(a.FAbs(x), num(0))}, solve.Unsat},
		{"neither less nor more nor equal nor NaN", []expr.ID{
			a.Not(a.FLt(x, y)), a.Not(a.FLt(y, x)), a.Not(a.FEq(x, y)), a.Not(a.FIsNaN(x)), a.Not(a.FIsNaN(y)),
		}, solve.Unsat},
		{"between neighbours", []expr.ID{a.FLt(num(1), x), a.FLt(x, num(math.Nextafter(1, 2)))}, solve.Unsat},
		{"three tenths", []expr.ID{a.FEq(x, num(0.1)), a.FEq(a.FMul(x, num(3)), num(0.3))}, solve.Unsat},
		{"half an integer", []expr.ID{a.FEq(a.SToF(i, 64), num(2.5))}, solve.Unsat},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := solve.New(a, solve.Options{})
			r, m := check(t, s, test.conj)
			checkAnswer(t, a, s, test.conj, r, m)
			if r != test.want {
				t.Errorf("%v, want %v", r, test.want)
			}
		})
	}
}
