package bitblast_test

import (
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve/bitblast"
	"github.com/everyway-go/everyway/internal/solve/sat"
	"github.com/everyway-go/everyway/internal/solve/solvetest"
)

// TestSolve compares answers with all values of all variables, with and without bits
// that are known.
func TestSolve(t *testing.T) {
	solvetest.Small(5_000, 2_500, 1_000, func(a *expr.Arena, conj []expr.ID) {
		want := sat.Unsat
		zeros, ones := map[expr.ID]uint64{}, map[expr.ID]uint64{} // of each variable, in all models
		solvetest.Models(a, conj, func(value func(expr.ID) uint64) {
			for _, x := range conj {
				for _, v := range a.Vars(nil, x) {
					if want == sat.Unsat {
						zeros[v], ones[v] = ^value(v), value(v)
					} else {
						zeros[v], ones[v] = zeros[v]&^value(v), ones[v]&value(v)
					}
				}
			}
			want = sat.Sat
		})
		for _, facts := range []bitblast.KnownBits{nil, func(x expr.ID) (uint64, uint64, bool) {
			z, ok := zeros[x]
			return z, ones[x], ok && want == sat.Sat
		}} {
			b := bitblast.New(a)
			b.Reset(1<<40, facts, nil)
			for _, x := range conj {
				b.SAT().Add(b.Literal(x))
			}
			got := b.Solve()
			if got != want {
				t.Fatalf("%v, want %v, for%s", got, want, solvetest.Text(a, conj))
			}
			if got == sat.Sat && !solvetest.Holds(a, conj, b.Value) {
				t.Fatalf("no model of%s", solvetest.Text(a, conj))
			}
		}
	})
}

// A circuit that is not wanted any more is not built, however deep the expression is, and has no
// answer.
func TestAbandoned(t *testing.T) {
	a := expr.NewArena()
	x, y := a.Var("x", 64), a.Var("y", 64)
	sum := x
	for range 1000 {
		sum = a.Xor(a.Add(sum, y), x)
	}
	for _, conj := range [][]expr.ID{
		{a.Eq(sum, a.Const(1, 64))},
		{a.Eq(sum, a.Const(1, 64)), a.Eq(sum, a.Const(2, 64))},
	} {
		b := bitblast.New(a)
		b.Reset(1<<40, nil, nil)
		done := make(chan struct{})
		close(done)
		b.SAT().SetDone(done)
		for _, c := range conj {
			b.SAT().Add(b.Literal(c))
		}
		if n := b.SAT().NumVars(); n > 1 {
			t.Errorf("%d variables", n)
		}
		if got := b.Solve(); got != sat.Unknown {
			t.Errorf("solved: %v, want unknown", got)
		}
	}
}
