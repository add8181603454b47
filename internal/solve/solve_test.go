package solve_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/solve/sat"
	"github.com/everyway-go/everyway/internal/solve/solvetest"
)

// checkAnswer checks what can be checked without knowing the right answer:
// that the model is one, and that the core is a core.
func checkAnswer(t *testing.T, a *expr.Arena, s *solve.Solver, conj []expr.ID, r solve.Result, m *solve.Model) {
	t.Helper()
	switch r {
	case solve.Sat:
		if !solvetest.Holds(a, conj, m.Value) {
			t.Fatalf("no model of%s", solvetest.Text(a, conj))
		}
	case solve.Unsat:
		core := s.Core(t.Context())
		if len(core) == 0 || !slices.IsSorted(core) {
			t.Fatalf("core %v of%s", core, solvetest.Text(a, conj))
		}
		var part []expr.ID
		for _, i := range core {
			part = append(part, conj[i])
		}
		if r, _ := check(t, s, part); r == solve.Sat { // unknown may be: the part can be harder than the whole
			t.Fatalf("%v for the core %v of%s", r, core, solvetest.Text(a, conj))
		}
	}
}

// TestBruteForce compares answers over a few small variables with all values.
func TestBruteForce(t *testing.T) {
	const all, usual, short = 20_000, 6_000, 1_500
	n := sample.Size(all, usual, short)
	count := map[solve.Result]int{}
	g := solvetest.Generator{Rand: rand.New(rand.NewPCG(1, 2))}
	for i := range sample.Of(all, usual, short) {
		g.Arena = expr.NewArena()
		g.Widths = [][]uint8{{1, 2}, {3}, {4}, {2, 3}, {1, 5}}[i%5]
		g.Vars = 1 + i%2
		g.Stores = []int{0, 0, 0, 5, 0, 0, 0, 0, 0, 5, 40, 0}[i/5%12]
		conj := g.Query(4, 3)
		s := solve.New(g.Arena, solve.Options{})
		r, m := check(t, s, conj)
		want := solve.Unsat
		if solvetest.Satisfiable(g.Arena, conj) {
			want = solve.Sat
		}
		if r != want {
			t.Fatalf("%v, want %v, for%s", r, want, solvetest.Text(g.Arena, conj))
		}
		checkAnswer(t, g.Arena, s, conj, r, m)
		count[r]++
	}
	if count[solve.Sat] < n/10 || count[solve.Unsat] < n/10 {
		t.Errorf("lopsided: %v", count)
	}
}

// describe writes an answer so that it can be compared across arenas.
func describe(t *testing.T, a *expr.Arena, s *solve.Solver, r solve.Result, m *solve.Model) string {
	text := fmt.Sprint(r, " ", s.Core(t.Context()))
	if m != nil {
		var values []string
		for _, v := range m.Vars() {
			values = append(values, fmt.Sprintf("%s=%d", a.VarName(v), m.Value(v)))
		}
		slices.Sort(values)
		text += fmt.Sprint(values)
	}
	return text
}

// TestHistory checks that an answer depends on the query alone: not on the
// queries before, nor on the arena and what else was built there.
func TestHistory(t *testing.T) {
	a := expr.NewArena()
	g := solvetest.Generator{Rand: rand.New(rand.NewPCG(3, 4)), Arena: a, Widths: []uint8{1, 8, 16}, Vars: 2, Stores: 3}
	s := solve.New(a, solve.Options{Budget: 200_000})
	for range sample.Size(400, 400, 100) {
		conj := g.Query(5, 3)
		switch g.IntN(4) {
		case 0:
			check(t, s, conj[1:])
		case 1:
			if _, err := s.Satisfiable(t.Context(), append(g.Query(2, 2), conj...)); err != nil {
				t.Fatal(err)
			}
		case 2:
			check(t, s, conj[:len(conj)-1])
			s.Core(t.Context())
		}
		hint := func(e *expr.Arena) func(v expr.ID) uint64 {
			return func(v expr.ID) uint64 { return uint64(len(e.VarName(v))) * 77 }
		}
		fresh := expr.NewArena()
		fresh.Const(5, 9)
		var copied []expr.ID
		for _, x := range slices.Backward(conj) {
			copied = append(copied, fresh.Copy(a, x))
		}
		slices.Reverse(copied)
		other := solve.New(fresh, solve.Options{Budget: 200_000})
		for _, near := range []bool{true, false, true} {
			var got, want string
			if near {
				r, m := checkNear(t, s, conj, hint(a))
				got = describe(t, a, s, r, m)
				r, m = checkNear(t, other, copied, hint(fresh))
				want = describe(t, fresh, other, r, m)
			} else {
				r, m := check(t, s, conj)
				got = describe(t, a, s, r, m)
				r, m = check(t, other, copied)
				want = describe(t, fresh, other, r, m)
			}
			if got != want {
				t.Fatalf("%s\n%s with another history, for%s", got, want, solvetest.Text(a, conj))
			}
		}
	}
}

func TestCheckNear(t *testing.T) {
	a := expr.NewArena()
	c := func(v uint64) expr.ID { return a.Const(v, 32) }
	x, y, z := a.Var("x", 32), a.Var("y", 32), a.Var("z", 32)
	hint := func(v expr.ID) uint64 { return map[expr.ID]uint64{x: 50, y: 60, z: 70}[v] }
	for _, test := range []struct {
		name string
		conj []expr.ID
		want []uint64
	}{
		{"satisfied", []expr.ID{a.Ult(x, y), a.Ult(y, z)}, []uint64{50, 60, 70}},
		{"one slice kept", []expr.ID{a.Ult(c(100), x), a.Ult(y, z)}, []uint64{101, 60, 70}},
		{"not mentioned", []expr.ID{a.Ult(y, z)}, []uint64{0, 60, 70}},
		{"forced", []expr.ID{a.Eq(a.Add(x, c(7)), c(3)), a.Eq(z, c(1))}, []uint64{1<<32 - 4, 0, 1}},
	} {
		s := solve.New(a, solve.Options{})
		r, m := checkNear(t, s, test.conj, hint)
		if r != solve.Sat {
			t.Errorf("%s: %v", test.name, r)
			continue
		}
		for i, v := range []expr.ID{x, y, z} {
			if m.Value(v) != test.want[i] {
				t.Errorf("%s: %s = %d, want %d", test.name, a.VarName(v), m.Value(v), test.want[i])
			}
		}
	}

	// Whatever the hint, the answer is right.
	g := solvetest.Generator{Rand: rand.New(rand.NewPCG(5, 6)), Arena: a, Widths: []uint8{4}, Vars: 2}
	s := solve.New(a, solve.Options{})
	for range 1000 {
		conj := g.Query(4, 3)
		r, m := checkNear(t, s, conj, func(v expr.ID) uint64 { return uint64(v) * 7 })
		if want := solvetest.Satisfiable(a, conj); r == solve.Unknown || want != (r == solve.Sat) {
			t.Fatalf("%v, satisfiable: %v, for%s", r, want, solvetest.Text(a, conj))
		}
		checkAnswer(t, a, s, conj, r, m)
	}
}

func TestCore(t *testing.T) {
	a := expr.NewArena()
	c := func(v uint64) expr.ID { return a.Const(v, 64) }
	x, y, z := a.Var("x", 64), a.Var("y", 64), a.Var("z", 64)
	for _, test := range []struct {
		name string
		conj []expr.ID
		want []int
	}{
		{"sat", []expr.ID{a.Ult(x, y)}, nil},
		{"false", []expr.ID{a.Ult(x, y), a.Bool(false)}, []int{1}},
		{"cycle", []expr.ID{a.Ult(x, y), a.Ult(c(3), z), a.Ult(x, c(100)), a.Ult(y, z), a.Ult(z, x)}, []int{0, 3, 4}},
		{"conjunction", []expr.ID{a.And(a.Ult(x, c(9)), a.Ult(y, c(9))), a.Ult(c(20), z), a.Ult(c(50), x)}, []int{0, 2}},
		{"one", []expr.ID{a.Ult(x, c(9)), a.And(a.Ult(y, c(9)), a.Ult(c(20), y))}, []int{1}},
		{"twice", []expr.ID{a.Ult(x, c(9)), a.Ult(x, c(9)), a.Ult(c(20), x)}, []int{0, 2}},
		{"multiplication", []expr.ID{a.Eq(a.And(x, c(1)), c(0)), a.Ult(x, c(1000)), a.Eq(a.And(a.Mul(x, y), c(1)), c(1))}, []int{0, 2}},
	} {
		s := solve.New(a, solve.Options{})
		check(t, s, test.conj)
		if got := s.Core(t.Context()); !slices.Equal(got, test.want) {
			t.Errorf("%s: core %v, want %v", test.name, got, test.want)
		}
	}
}

// TestBudget checks that a hard query ends, and that its answer is not taken
// for that of an easier one.
func TestBudget(t *testing.T) {
	a := expr.NewArena()
	x, y := a.Var("x", 64), a.Var("y", 64)
	limit := a.Const(1<<32, 64)
	hard := []expr.ID{ // the product of two primes
		a.Ult(x, limit), a.Ult(y, limit),
		a.Eq(a.Mul(x, y), a.Const(3267000013*2860486313, 64)),
	}
	var stats solve.Stats
	s := solve.New(a, solve.Options{Budget: 100_000, Stats: &stats})
	if r, m := check(t, s, hard); r != solve.Unknown || m != nil {
		t.Errorf("%v, want unknown", r)
	}
	if stats.Unknowns != 1 || stats.Work > 300_000 {
		t.Errorf("%+v", stats)
	}
	if r, _ := check(t, s, hard[:2]); r != solve.Sat {
		t.Errorf("%v without the product, want sat", r)
	}
	stats = solve.Stats{}
	if r, _ := check(t, solve.New(a, solve.Options{Budget: 1, Stats: &stats}), hard); r != solve.Unknown || stats.Work > 100_000 {
		t.Errorf("%v with the least budget, %+v", r, stats)
	}
	v := a.Var("v", 8)
	if r, _ := check(t, s, append(hard, a.Eq(a.Mul(v, v), a.Const(3, 8)))); r != solve.Unsat {
		t.Errorf("%v with a slice that is false, want unsat", r)
	}
}

// TestReset checks that answers are forgotten with the expressions.
func TestReset(t *testing.T) {
	a := expr.NewArena()
	x := a.Var("x", 8)
	s := solve.New(a, solve.Options{})
	mark := a.Mark()
	for i := range uint64(50) {
		r, m := check(t, s, []expr.ID{a.Eq(a.Mul(x, x), a.Const(i, 8))})
		want := false
		for v := range uint64(256) {
			want = want || v*v%256 == i
		}
		if want != (r == solve.Sat) || want && m.Value(x)*m.Value(x)%256 != i {
			t.Errorf("square root of %d: %v", i, r)
		}
		a.Release(mark)
		s.Reset()
	}
}

func TestModel(t *testing.T) {
	a := expr.NewArena()
	x, y := a.Var("x", 8), a.Var("y", 8)
	_, m := check(t, solve.New(a, solve.Options{}), []expr.ID{a.Eq(x, a.Const(9, 8))})
	if m.Value(x) != 9 || m.Value(y) != 0 || m.Eval(a.Add(x, a.Not(y))) != 8 {
		t.Errorf("x = %d, y = %d, x + ^y = %d", m.Value(x), m.Value(y), m.Eval(a.Add(x, a.Not(y))))
	}
	if !slices.Equal(m.Vars(), []expr.ID{x}) {
		t.Errorf("variables %v", m.Vars())
	}
	_, m = check(t, solve.New(a, solve.Options{}), nil)
	if m == nil || m.Value(x) != 0 {
		t.Error("no model of nothing")
	}
}

func check(t testing.TB, s *solve.Solver, conj []expr.ID) (solve.Result, *solve.Model) {
	t.Helper()
	return checkNear(t, s, conj, nil)
}

func checkNear(t testing.TB, s *solve.Solver, conj []expr.ID, hint func(expr.ID) uint64) (solve.Result, *solve.Model) {
	t.Helper()
	r, m, err := s.CheckNear(t.Context(), conj, hint)
	if err != nil {
		t.Fatal(err)
	}
	return r, m
}

// TestProve checks the proofs of queries that have no model.
func TestProve(t *testing.T) {
	proved := 0
	for seed := range uint64(200) {
		a := expr.NewArena()
		g := solvetest.Generator{Rand: rand.New(rand.NewPCG(seed, 21)), Arena: a, Widths: []uint8{1, 4}, Vars: 2, Stores: []int{0, 3, 40}[seed%3]}
		conj := g.Query(5, 2)
		s := solve.New(a, solve.Options{})
		c := sat.NewChecker()
		if r, _ := check(t, s, conj); r != solve.Unsat {
			if r := s.Prove(t.Context(), c); r != solve.Unknown {
				t.Fatalf("a proof of %v after an answer that is not unsat", r)
			}
			continue
		}
		if r := s.Prove(t.Context(), c); r != solve.Unsat || c.Err() != nil || len(c.Last()) != 0 {
			t.Fatalf("%v, %v, last %v, for%s", r, c.Err(), c.Last(), solvetest.Text(a, conj))
		}
		if c.Steps() > 0 {
			proved++
		}
	}
	if proved < 20 {
		t.Errorf("only %d proofs of any length", proved)
	}
}
