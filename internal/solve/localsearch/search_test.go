package localsearch_test

import (
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve/localsearch"
	"github.com/everyway-go/everyway/internal/solve/solvetest"
)

func varsOf(a *expr.Arena, conj []expr.ID) []expr.ID {
	var vars []expr.ID
	for _, x := range conj {
		vars = a.Vars(vars, x)
	}
	slices.Sort(vars)
	return slices.Compact(vars)
}

// TestRun checks that what the search takes for a model is one, that it finds most of
// them, and that it keeps one when it approaches other values.
func TestRun(t *testing.T) {
	found, sat := 0, 0
	solvetest.Small(5_000, 2_500, 1_000, func(a *expr.Arena, conj []expr.ID) {
		vars := varsOf(a, conj)
		s := localsearch.New(a)
		s.Start(conj, vars, func(expr.ID) uint64 { return 0 })
		satisfiable := solvetest.Satisfiable(a, conj)
		if satisfiable {
			sat++
		}
		if !s.Run(40) {
			if s.Satisfied() {
				t.Fatalf("a model that is not reported, of%s", solvetest.Text(a, conj))
			}
			return
		}
		found++
		check := func() {
			values := map[expr.ID]uint64{}
			for i, v := range s.Values() {
				values[vars[i]] = v
			}
			if !s.Satisfied() || !solvetest.Holds(a, conj, func(v expr.ID) uint64 { return values[v] }) {
				t.Fatalf("%v is no model of%s", values, solvetest.Text(a, conj))
			}
		}
		check()
		s.Approach(func(v expr.ID) uint64 { return 5 })
		check()
		if !satisfiable {
			t.Fatalf("a model of%s", solvetest.Text(a, conj))
		}
	})
	t.Logf("%d of %d found", found, sat)
	if found < sat*3/4 {
		t.Errorf("only %d of %d found", found, sat)
	}
}

// TestRunOperators checks that the search finds its way through each kind of operator.
func TestRunOperators(t *testing.T) {
	a := expr.NewArena()
	x, y, b := a.Var("x", 64), a.Var("y", 64), a.Var("b", 8)
	c := func(v uint64) expr.ID { return a.Const(v, 64) }
	float := func(f float64) expr.ID { return a.Const(expr.Float64Bits(f), 64) }
	table := a.Table(8, []expr.ID{c(3), c(1), c(4), c(1), c(5)}, c(9))
	for _, test := range []struct {
		name string
		conj []expr.ID
	}{
		{"sum", []expr.ID{a.Eq(a.Add(x, y), c(1000)), a.Ult(c(10), y)}},
		{"product", []expr.ID{a.Eq(a.Mul(x, c(7)), c(91))}},
		{"bits", []expr.ID{a.Eq(a.And(x, c(0xf0)), c(0x50)), a.Eq(a.LShr(x, c(8)), c(3))}},
		{"signed", []expr.ID{a.Slt(x, c(0)), a.Slt(c(0), a.Add(x, c(10)))}},
		{"choice", []expr.ID{a.Eq(a.Ite(a.Ult(x, y), x, c(8)), c(17))}},
		{"bytes", []expr.ID{a.Eq(a.Concat(a.Extract(x, 8, 8), b), a.Const('a'<<8|'b', 16))}},
		{"float", []expr.ID{a.FEq(a.FMul(x, float(2)), float(3))}},
		{"root", []expr.ID{a.FEq(a.FSqrt(x), float(1.5))}},
		{"element", []expr.ID{a.Eq(a.Select(table, b), c(5))}},
		{"store", []expr.ID{a.Eq(a.Select(a.Store(table, b, x), a.Const(7, 8)), c(77))}},
	} {
		s := localsearch.New(a)
		s.Start(test.conj, varsOf(a, test.conj), func(expr.ID) uint64 { return 0 })
		if s.Satisfied() || !s.Run(40) {
			t.Errorf("%s: no model found of%s", test.name, solvetest.Text(a, test.conj))
		}
	}
}
