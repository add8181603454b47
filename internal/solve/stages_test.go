package solve_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
)

// models calls yield with each model of conj; all its variables have values.
func models(a *expr.Arena, conj []expr.ID, yield func(value func(expr.ID) uint64)) {
	var vars []expr.ID
	for _, x := range conj {
		vars = a.Vars(vars, x)
	}
	slices.Sort(vars)
	vars = slices.Compact(vars)
	values := map[expr.ID]uint64{}
	value := func(v expr.ID) uint64 { return values[v] }
	var try func(i int)
	try = func(i int) {
		if i == len(vars) {
			if holds(a, conj, value) {
				yield(value)
			}
			return
		}
		for v := range uint64(1) << a.Width(vars[i]) {
			values[vars[i]] = v
			try(i + 1)
		}
	}
	try(0)
}

// related returns a query as programs make them: mostly bounds and equations,
// over terms that occur in several conjuncts.
func (g *generator) related(n int) []expr.ID {
	a := g.a
	var terms []expr.ID
	width := g.widths[g.IntN(len(g.widths))]
	for range 3 {
		terms = append(terms, g.term(width, g.IntN(3)))
	}
	var conj []expr.ID
	for range 1 + g.IntN(n) {
		x, y := terms[g.IntN(len(terms))], terms[g.IntN(len(terms))]
		if g.IntN(2) == 0 {
			y = a.Const(g.Uint64()>>g.IntN(64), width)
		}
		if g.IntN(2) == 0 {
			x, y = y, x
		}
		p := a.Binary(comparisons[g.IntN(len(comparisons))], x, y)
		switch g.IntN(6) {
		case 0:
			p = a.Not(p)
		case 1:
			p = a.Or(p, g.formula(1))
		}
		conj = append(conj, p)
	}
	return conj
}

// small calls test with random queries over few small variables, none of whose
// conjuncts is a constant.
func small(t *testing.T, n int, test func(g *generator, conj []expr.ID)) {
	if testing.Short() {
		n /= 5
	}
	g := &generator{Rand: rand.New(rand.NewPCG(11, 12))}
	for i := range n {
		g.a = expr.NewArena()
		g.widths = [][]uint8{{1, 2}, {3}, {4}, {2, 3}, {1, 5}}[i%5]
		g.vars = 1 + i%2
		var conj []expr.ID
		if i%3 == 0 {
			conj = g.query(4, 3)
		} else {
			conj = g.related(6)
		}
		conj = slices.DeleteFunc(conj, func(x expr.ID) bool { return g.a.Op(x) == expr.Const })
		if len(conj) > 0 {
			test(g, conj)
		}
	}
}

// TestBoundsHold compares bounds with the values in all models.
func TestBoundsHold(t *testing.T) {
	refuted, unsat := 0, 0
	small(t, 20_000, func(g *generator, conj []expr.ID) {
		var b solve.Bounds
		no := b.Refute(g.a, conj)
		sat := false
		models(g.a, conj, func(value func(expr.ID) uint64) {
			sat = true
			if no {
				t.Fatalf("refuted:%s", text(g.a, conj))
			}
			if miss := b.Misses(value); miss != "" {
				t.Fatalf("%s in a model of%s", miss, text(g.a, conj))
			}
		})
		if !sat {
			unsat++
		}
		if no {
			refuted++
		}
	})
	t.Logf("%d of %d refuted", refuted, unsat)
	if refuted < unsat/3 {
		t.Errorf("only %d of %d refuted", refuted, unsat)
	}
}

// TestBoundsFind checks how much the analysis sees.
func TestBoundsFind(t *testing.T) {
	a := expr.NewArena()
	c := func(v uint64) expr.ID { return a.Const(v, 32) }
	x, y, z := a.Var("x", 32), a.Var("y", 32), a.Var("z", 32)
	b8 := a.Var("b", 8)
	for _, test := range []struct {
		name   string
		conj   []expr.ID
		no     bool // contradictory
		of     expr.ID
		lo, hi uint64
	}{
		{"a digit", []expr.ID{a.Ult(a.Sub(b8, a.Const('0', 8)), a.Const(10, 8))}, false, b8, '0', '9'},
		{"signed", []expr.ID{a.Sle(c(0), x), a.Slt(x, c(100))}, false, x, 0, 99},
		{"through another", []expr.ID{a.Ult(x, y), a.Ult(y, c(10))}, false, x, 0, 8},
		{"sum", []expr.ID{a.Ult(x, c(10)), a.Ult(y, c(10)), a.Eq(z, a.Add(x, y))}, false, z, 0, 18},
		{"product", []expr.ID{a.Ult(x, c(10)), a.Ult(y, c(10)), a.Eq(z, a.Mul(x, y))}, false, z, 0, 81},
		{"quotient", []expr.ID{a.Eq(a.UDiv(x, c(100)), c(3))}, false, x, 300, 399},
		{"shift", []expr.ID{a.Eq(a.LShr(x, c(8)), c(5))}, false, x, 5 << 8, 5<<8 + 255},
		{"multiple", []expr.ID{a.Ult(x, c(1000)), a.Eq(a.Mul(x, c(7)), c(70))}, false, x, 10, 10},
		{"bits", []expr.ID{a.Eq(a.And(x, c(0xf0)), c(0x30)), a.Ult(x, c(256))}, false, x, 0x30, 0x3f},
		{"choice", []expr.ID{a.Ult(c(5), a.Ite(a.Ult(x, c(9)), c(3), c(8)))}, false, x, 9, 1<<32 - 1},
		{"element", []expr.ID{a.Eq(z, a.Select(a.Table(32, []expr.ID{c(3), c(8), c(5)}, c(0)), x)), a.Ult(x, c(3))}, false, z, 3, 8},
		{"apart", []expr.ID{a.Ult(x, c(10)), a.Ult(c(20), x)}, true, 0, 0, 0},
		{"parity", []expr.ID{a.Eq(a.And(x, c(1)), c(0)), a.Eq(a.And(a.Mul(x, y), c(1)), c(1))}, true, 0, 0, 0},
		{"remainder", []expr.ID{a.Eq(a.URem(x, c(10)), y), a.Ult(c(9), y)}, true, 0, 0, 0},
	} {
		var b solve.Bounds
		if no := b.Refute(a, test.conj); no != test.no {
			t.Errorf("%s: refuted: %v", test.name, no)
		}
		if test.no {
			continue
		}
		if lo, hi := b.Range(test.of); lo != test.lo || hi != test.hi {
			t.Errorf("%s: %d to %d, want %d to %d", test.name, lo, hi, test.lo, test.hi)
		}
	}
}

// TestReduce compares the models of queries with those of what substitution leaves.
func TestReduce(t *testing.T) {
	changes, refuted := 0, 0
	small(t, 20_000, func(g *generator, conj []expr.ID) {
		var r solve.Reduction
		rest, changed, ok := r.Reduce(g.a, conj)
		if !ok {
			refuted++
			if satisfiable(g.a, conj) {
				t.Fatalf("refuted:%s", text(g.a, conj))
			}
			return
		}
		if changed {
			changes++
		} else if !slices.Equal(rest, conj) {
			t.Fatalf("changed:%s\nto%s", text(g.a, conj), text(g.a, rest))
		}
		if satisfiable(g.a, conj) != satisfiable(g.a, rest) {
			t.Fatalf("%s\nbecame%s", text(g.a, conj), text(g.a, rest))
		}
		models(g.a, rest, func(value func(expr.ID) uint64) {
			full := map[expr.ID]uint64{}
			for _, x := range conj {
				for _, v := range g.a.Vars(nil, x) {
					full[v] = value(v)
				}
			}
			r.Complete(full)
			if !holds(g.a, conj, func(v expr.ID) uint64 { return full[v] }) {
				t.Fatalf("%v is no model of%s\nas one of%s", full, text(g.a, conj), text(g.a, rest))
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
		var r solve.Reduction
		rest, _, ok := r.Reduce(a, test.conj)
		slices.Sort(rest)
		slices.Sort(test.want)
		if ok != test.ok || test.want != nil && !slices.Equal(rest, test.want) {
			t.Errorf("%s: %v, left%s", test.name, ok, text(a, rest))
		}
	}
}

// TestSatisfiable compares answers with and without models, of one solver that has
// seen much, and of fresh ones.
func TestSatisfiable(t *testing.T) {
	a := expr.NewArena()
	g := generator{Rand: rand.New(rand.NewPCG(7, 8)), a: a, widths: []uint8{1, 4, 8}, vars: 2}
	var stats solve.Stats
	old := solve.New(a, solve.Options{Stats: &stats})
	n := 3000
	if testing.Short() {
		n /= 5
	}
	var last []expr.ID
	for range n {
		conj := append(g.related(4), last...) // often one that contains the last
		if last = conj; len(last) > 8 || g.IntN(3) == 0 {
			last = g.query(1, 2)
		}
		got, err := old.Satisfiable(t.Context(), conj)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := check(t, solve.New(a, solve.Options{}), conj)
		if got != want {
			t.Fatalf("%v, want %v, for%s", got, want, text(a, conj))
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
	g := generator{Rand: rand.New(rand.NewPCG(9, 10)), a: a, widths: []uint8{1, 8, 16}, vars: 2}
	var st solve.Stats
	s := solve.New(a, solve.Options{Stats: &st, Budget: 2_000})
	for i := range 600 {
		conj := g.query(5, 3)
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
	g := generator{Rand: rand.New(rand.NewPCG(3, 9)), widths: []uint8{8, 32}, vars: 3}
	for range 2500 {
		g.a = expr.NewArena()
		conj := g.query(5, 2)
		s := solve.New(g.a, solve.Options{Stats: &st, Budget: 10_000})
		r, m := check(t, s, conj)
		if r == solve.Sat && !holds(g.a, conj, m.Value) {
			t.Fatalf("no model of%s", text(g.a, conj))
		}
	}
	if st.Retried == 0 || st.Concretised == 0 || st.Unknowns == 0 {
		t.Errorf("%v", st)
	}
}

// TestStagesAgree has each stage by itself answer questions over words as wide as
// those of programs; the circuit alone says what is right.
func TestStagesAgree(t *testing.T) {
	n := 1500
	if testing.Short() {
		n /= 5
	}
	g := &generator{Rand: rand.New(rand.NewPCG(13, 14))}
	refuted, contradicted := 0, 0
	for i := range n {
		g.a, g.vars = expr.NewArena(), 2
		g.widths = [][]uint8{{8}, {16}, {8, 32}, {64}}[i%4]
		conj := slices.DeleteFunc(g.related(6), func(x expr.ID) bool { return g.a.Op(x) == expr.Const })
		if len(conj) == 0 {
			continue
		}
		const budget = 100_000
		right := solve.ByCircuit(g.a, conj, budget)
		var b solve.Bounds
		if b.Refute(g.a, conj) {
			refuted++
			if right == solve.Sat {
				t.Fatalf("bounds refute%s", text(g.a, conj))
			}
		}
		var r solve.Reduction
		rest, _, ok := r.Reduce(g.a, conj)
		got := solve.Unsat
		if ok {
			got = solve.ByCircuit(g.a, rest, budget)
		} else {
			contradicted++
		}
		if got != right && got != solve.Unknown && right != solve.Unknown {
			t.Fatalf("%v, but %v after substitution, for%s\nthat is%s", right, got, text(g.a, conj), text(g.a, rest))
		}
		if r, _ := check(t, solve.New(g.a, solve.Options{Budget: budget}), conj); r != right && r != solve.Unknown && right != solve.Unknown {
			t.Fatalf("%v, but %v by a circuit alone, for%s", r, right, text(g.a, conj))
		}
	}
	if refuted < n/20 || contradicted < n/50 {
		t.Errorf("%d refuted by bounds, %d by substitution", refuted, contradicted)
	}
}
