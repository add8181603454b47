package substitute_test

import (
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve/solvetest"
	"github.com/everyway-go/everyway/internal/solve/substitute"
)

// TestReduce compares the models of queries with those of what substitution leaves.
func TestReduce(t *testing.T) {
	changes, refuted := 0, 0
	solvetest.Small(20_000, 10_000, 4_000, func(a *expr.Arena, conj []expr.ID) {
		r := substitute.New(a)
		rest, changed, ok := r.Reduce(conj)
		if !ok {
			refuted++
			if solvetest.Satisfiable(a, conj) {
				t.Fatalf("refuted:%s", solvetest.Text(a, conj))
			}
			return
		}
		if changed {
			changes++
		} else if !slices.Equal(rest, conj) {
			t.Fatalf("changed:%s\nto%s", solvetest.Text(a, conj), solvetest.Text(a, rest))
		}
		if solvetest.Satisfiable(a, conj) != solvetest.Satisfiable(a, rest) {
			t.Fatalf("%s\nbecame%s", solvetest.Text(a, conj), solvetest.Text(a, rest))
		}
		solvetest.Models(a, rest, func(value func(expr.ID) uint64) {
			full := map[expr.ID]uint64{}
			for _, x := range conj {
				for _, v := range a.Vars(nil, x) {
					full[v] = value(v)
				}
			}
			r.Complete(full)
			if !solvetest.Holds(a, conj, func(v expr.ID) uint64 { return full[v] }) {
				t.Fatalf("%v is no model of%s\nas one of%s", full, solvetest.Text(a, conj), solvetest.Text(a, rest))
			}
		})
	})
	t.Logf("%d changed, %d refuted", changes, refuted)
	if changes < 500 || refuted < 100 {
		t.Errorf("only %d changed and %d refuted", changes, refuted)
	}
}

func TestReduceTo(t *testing.T) {
	a := expr.NewArena()
	c := func(v uint64) expr.ID { return a.Const(v, 32) }
	x, y, z := a.Var("x", 32), a.Var("y", 32), a.Var("z", 32)
	p := a.Var("p", 1)
	for _, test := range []struct {
		name string
		conj []expr.ID
		want []expr.ID
		ok   bool
	}{
		{"constant", []expr.ID{a.Eq(x, c(3)), a.Ult(a.Add(x, y), z)}, []expr.ID{a.Ult(a.Add(y, c(3)), z)}, true},
		{"variable", []expr.ID{a.Eq(x, y), a.Ult(x, z), a.Ult(y, c(9))}, nil, true}, // one of them stays
		{"chain", []expr.ID{a.Eq(x, a.Add(y, c(1))), a.Eq(y, a.Add(z, c(1))), a.Eq(z, c(1)), a.Eq(x, c(3))}, []expr.ID{}, true},
		{"wrong chain", []expr.ID{a.Eq(x, a.Add(y, c(1))), a.Eq(y, a.Add(z, c(1))), a.Eq(z, c(1)), a.Eq(x, c(4))}, nil, false},
		{"circle", []expr.ID{a.Eq(x, a.Mul(x, y)), a.Eq(y, c(1))}, []expr.ID{}, true},
		{"expression", []expr.ID{a.Eq(a.Mul(x, y), c(12)), a.Ult(z, a.Mul(x, y))}, []expr.ID{a.Eq(a.Mul(x, y), c(12)), a.Ult(z, c(12))}, true},
		{"both ways", []expr.ID{a.Ult(x, y), a.Ule(y, x)}, nil, false},
		{"known condition", []expr.ID{a.Ult(x, y), a.Eq(a.Ite(a.Ult(x, y), x, z), c(5))}, []expr.ID{a.Ult(c(5), y)}, true},
		{"boolean", []expr.ID{p, a.Or(a.Not(p), a.Ult(x, y))}, []expr.ID{a.Ult(x, y)}, true},
	} {
		rest, _, ok := substitute.New(a).Reduce(test.conj)
		slices.Sort(rest)
		slices.Sort(test.want)
		if ok != test.ok || test.want != nil && !slices.Equal(rest, test.want) {
			t.Errorf("%s: %v, left%s", test.name, ok, solvetest.Text(a, rest))
		}
	}
}
