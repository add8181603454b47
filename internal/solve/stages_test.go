package solve_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/solve/bitblast"
	"github.com/everyway-go/everyway/internal/solve/bounds"
	"github.com/everyway-go/everyway/internal/solve/solvetest"
	"github.com/everyway-go/everyway/internal/solve/substitute"
)

// TestSatisfiable compares answers with and without models, of one solver that has
// seen much, and of fresh ones.
func TestSatisfiable(t *testing.T) {
	a := expr.NewArena()
	g := solvetest.Generator{Rand: rand.New(rand.NewPCG(7, 8)), Arena: a, Widths: []uint8{1, 4, 8}, Vars: 2}
	var stats solve.Stats
	old := solve.New(a, solve.Options{Stats: &stats})
	n := sample.Size(3000, 3000, 600)
	var last []expr.ID
	for range n {
		conj := append(g.Related(4), last...) // often one that contains the last
		if last = conj; len(last) > 8 || g.IntN(3) == 0 {
			last = g.Query(1, 2)
		}
		got, err := old.Satisfiable(t.Context(), conj)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := check(t, solve.New(a, solve.Options{}), conj)
		if got != want {
			t.Fatalf("%v, want %v, for%s", got, want, solvetest.Text(a, conj))
		}
		if got == solve.Unsat {
			checkAnswer(t, a, old, conj, got, nil)
		}
	}
	if stats.Models < int64(n)/20 || stats.Supersets < int64(n)/20 {
		t.Errorf("few reused: %v", stats)
	}
}

// TestStats checks that each slice is counted once.
func TestStats(t *testing.T) {
	a := expr.NewArena()
	g := solvetest.Generator{Rand: rand.New(rand.NewPCG(9, 10)), Arena: a, Widths: []uint8{1, 8, 16}, Vars: 2}
	var st solve.Stats
	s := solve.New(a, solve.Options{Stats: &st, Budget: 2_000})
	for i := range 600 {
		conj := g.Query(5, 3)
		switch i % 3 {
		case 0:
			check(t, s, conj)
		case 1:
			checkNear(t, s, conj, func(v expr.ID) uint64 { return uint64(v) })
		default:
			if _, err := s.Satisfiable(t.Context(), conj); err != nil {
				t.Fatal(err)
			}
			s.Core(t.Context())
		}
	}
	sum := st.Hits + st.Supersets + st.Models + st.Hinted + st.Guessed + st.Bounded + st.Substituted +
		st.Blasted + st.Retried + st.Concretised + st.Asked + st.Unknowns
	if sum != st.Slices || st.Queries != 600 {
		t.Errorf("%d slices of %+v", sum, st)
	}
	twice := st
	twice.Add(st)
	if twice.Since(st) != st || twice == st {
		t.Errorf("%v and again is %v", st, twice)
	}
}

// TestLastResorts checks what is tried when the budget is spent: each finds
// models, and what it finds is right.
func TestLastResorts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes many queries")
	}
	var st solve.Stats
	g := solvetest.Generator{Rand: rand.New(rand.NewPCG(3, 9)), Widths: []uint8{8, 32}, Vars: 3}
	for range sample.Size(2500, 1000, 0) {
		g.Arena = expr.NewArena()
		conj := g.Query(5, 2)
		s := solve.New(g.Arena, solve.Options{Stats: &st, Budget: 10_000})
		r, m := check(t, s, conj)
		if r == solve.Sat && !solvetest.Holds(g.Arena, conj, m.Value) {
			t.Fatalf("no model of%s", solvetest.Text(g.Arena, conj))
		}
	}
	if st.Retried == 0 || st.Concretised == 0 || st.Unknowns == 0 {
		t.Errorf("%v", st)
	}
}

// TestStagesAgree has each stage by itself answer queries over words as wide as
// those of programs; the circuit alone says what is right.
func TestStagesAgree(t *testing.T) {
	const all, usual, short = 1500, 500, 150
	n := sample.Size(all, usual, short)
	g := &solvetest.Generator{Rand: rand.New(rand.NewPCG(13, 14))}
	refuted, contradicted := 0, 0
	for i := range sample.Of(all, usual, short) {
		g.Arena, g.Vars = expr.NewArena(), 2
		g.Widths = [][]uint8{{8}, {16}, {8, 32}, {64}}[i%4]
		conj := slices.DeleteFunc(g.Related(6), func(x expr.ID) bool { return g.Arena.Op(x) == expr.Const })
		if len(conj) == 0 {
			continue
		}
		const budget = 100_000
		right := byCircuit(g.Arena, conj, budget)
		if bounds.New(g.Arena).Refute(conj) {
			refuted++
			if right == solve.Sat {
				t.Fatalf("bounds refute%s", solvetest.Text(g.Arena, conj))
			}
		}
		rest, _, ok := substitute.New(g.Arena).Reduce(conj)
		got := solve.Unsat
		if ok {
			got = byCircuit(g.Arena, rest, budget)
		} else {
			contradicted++
		}
		if got != right && got != solve.Unknown && right != solve.Unknown {
			t.Fatalf("%v, but %v after substitution, for%s\nthat is%s", right, got, solvetest.Text(g.Arena, conj), solvetest.Text(g.Arena, rest))
		}
		if r, _ := check(t, solve.New(g.Arena, solve.Options{Budget: budget}), conj); r != right && r != solve.Unknown && right != solve.Unknown {
			t.Fatalf("%v, but %v by a circuit alone, for%s", r, right, solvetest.Text(g.Arena, conj))
		}
	}
	if refuted < n/20 || contradicted < n/50 {
		t.Errorf("%d refuted by bounds, %d by substitution", refuted, contradicted)
	}
}

// byCircuit answers conj by a circuit without help.
func byCircuit(a *expr.Arena, conj []expr.ID, budget int64) solve.Result {
	b := bitblast.New(a)
	b.Reset(budget, nil, nil)
	for _, x := range conj {
		b.SAT().Add(b.Literal(x))
	}
	return b.Solve()
}
