package sat

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/sample"
)

// holds reports whether the assignment, a bit for each variable, makes every
// clause true.
func holds(clauses [][]Lit, assignment uint) bool {
	for _, c := range clauses {
		if !slices.ContainsFunc(c, func(l Lit) bool { return (assignment>>l.Var()&1 == 1) != l.Negated() }) {
			return false
		}
	}
	return true
}

// satisfiable tries all assignments.
func satisfiable(clauses [][]Lit, vars int) bool {
	for assignment := range uint(1) << vars {
		if holds(clauses, assignment) {
			return true
		}
	}
	return false
}

func units(lits []Lit) [][]Lit {
	var clauses [][]Lit
	for _, l := range lits {
		clauses = append(clauses, []Lit{l})
	}
	return clauses
}

// checkSolve compares an answer with a truth table.
func checkSolve(t *testing.T, s *Solver, clauses [][]Lit, vars int, assumptions []Lit) {
	t.Helper()
	all := slices.Concat(clauses, units(assumptions))
	switch r := s.Solve(assumptions...); r {
	case Sat:
		var assignment uint
		for v := range vars {
			if s.Value(Lit(2 * v)) {
				assignment |= 1 << v
			}
		}
		if !holds(all, assignment) {
			t.Fatalf("no model of %v: %b", all, assignment)
		}
	case Unsat:
		core := s.Core()
		for _, l := range core {
			if !slices.Contains(assumptions, l) {
				t.Fatalf("%v in the core is not among the assumptions %v", l, assumptions)
			}
		}
		if satisfiable(slices.Concat(clauses, units(core)), vars) {
			t.Fatalf("%v has a model under the core %v", clauses, core)
		}
	default:
		t.Fatalf("%v of %v", r, all)
	}
}

// TestTruthTable adds random clauses one by one and looks for models under
// random assumptions on the way.
func TestTruthTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := New(nil)
	for range sample.Size(1500, 1500, 300) {
		s.Reset()
		vars := 1 + r.IntN(9)
		for range vars {
			s.NewVar()
		}
		randomLit := func() Lit { return Lit(r.IntN(2 * vars)) }
		var clauses [][]Lit
		for range r.IntN(5 * vars) {
			c := make([]Lit, 1+r.IntN(4))
			for i := range c {
				c[i] = randomLit()
			}
			clauses = append(clauses, c)
			s.Add(c...)
			if r.IntN(3) == 0 {
				assumptions := make([]Lit, r.IntN(4))
				for i := range assumptions {
					assumptions[i] = randomLit()
				}
				checkSolve(t, s, clauses, vars, assumptions)
			}
		}
		checkSolve(t, s, clauses, vars, nil)
	}
}

// TestReduce solves formulas hard enough for clauses to be forgotten, and
// forgets them eagerly.
func TestReduce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const vars = 18
	for range 30 {
		s := New(nil)
		for range vars {
			s.NewVar()
		}
		s.maxLearned = 1
		var clauses [][]Lit
		for range 80 {
			c := []Lit{Lit(r.IntN(2 * vars)), Lit(r.IntN(2 * vars)), Lit(r.IntN(2 * vars))}
			clauses = append(clauses, c)
			s.Add(c...)
		}
		for range 5 {
			checkSolve(t, s, clauses, vars, []Lit{Lit(r.IntN(2 * vars)), Lit(r.IntN(2 * vars))})
		}
	}
}

// pigeons adds: each of n+1 pigeons has one of n holes, and no two the same.
// All clauses are void unless guard is true.
func pigeons(s *Solver, n int, guard Lit) {
	in := make([][]Lit, n+1)
	for p := range in {
		for range n {
			in[p] = append(in[p], s.NewVar())
		}
		s.Add(append(slices.Clone(in[p]), guard.Not())...)
	}
	for h := range n {
		for p := range in {
			for q := range p {
				s.Add(in[p][h].Not(), in[q][h].Not(), guard.Not())
			}
		}
	}
}

// TestCompact forgets so much that memory is compacted.
func TestCompact(t *testing.T) {
	s := New(nil)
	guard := s.NewVar()
	pigeons(s, 7, guard)
	s.maxLearned = 200
	if r := s.Solve(guard); r != Unsat {
		t.Errorf("%v, want unsat", r)
	}
	if r := s.Solve(guard.Not()); r != Sat {
		t.Errorf("%v without the guard, want sat", r)
	}
}

func TestPigeons(t *testing.T) {
	s := New(nil)
	other, guard := s.NewVar(), s.NewVar()
	pigeons(s, 6, guard)
	if r := s.Solve(other, guard); r != Unsat || !slices.Equal(s.Core(), []Lit{guard}) {
		t.Errorf("%v with core %v, want unsat with core %v", r, s.Core(), guard)
	}
	if r := s.Solve(other); r != Sat || !s.Value(other) || s.Value(guard) {
		t.Errorf("%v without the guard, want sat", r)
	}
	s.Add(guard)
	if r := s.Solve(); r != Unsat || len(s.Core()) != 0 {
		t.Errorf("%v with core %v, want unsat with none", r, s.Core())
	}
	if r := s.Solve(other); r != Unsat {
		t.Errorf("%v after unsat", r)
	}
}

func TestBudget(t *testing.T) {
	s := New(nil)
	guard := s.NewVar()
	pigeons(s, 9, guard)
	s.SetBudget(s.Work() + 10_000)
	if r := s.Solve(guard); r != Unknown {
		t.Errorf("%v, want unknown", r)
	}
	if s.Work() > 30_000 {
		t.Errorf("%d units of work", s.Work())
	}
	if r := s.Solve(guard.Not()); r != Unknown {
		t.Errorf("%v with the budget spent, want unknown", r)
	}
	s.SetBudget(0)
	if r := s.Solve(guard.Not()); r != Sat {
		t.Errorf("%v without a budget, want sat", r)
	}
}

// TestReset checks that a solver used before answers as a new one does.
func TestReset(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	used := New(nil)
	for range 50 {
		pigeons(used, 4, used.NewVar())
		used.Solve(0)
		used.Reset()
		fresh := New(nil)
		clauses := make([][]Lit, 200)
		for i := range clauses {
			clauses[i] = []Lit{Lit(r.IntN(120)), Lit(r.IntN(120)), Lit(r.IntN(120))}
		}
		var answers [2]string
		for i, s := range []*Solver{used, fresh} {
			for range 60 {
				s.NewVar()
			}
			for _, c := range clauses {
				s.Add(c...)
			}
			answers[i] = fmt.Sprint(s.Solve(), s.model, s.Work())
		}
		if answers[0] != answers[1] {
			t.Fatalf("%s\nbut a new solver says\n%s", answers[0], answers[1])
		}
	}
}

func TestPrefer(t *testing.T) {
	s := New(nil)
	a, b, c := s.NewVar(), s.NewVar(), s.NewVar()
	s.Prefer(a)
	s.Prefer(c.Not())
	s.Add(a.Not(), b)
	if s.Solve() != Sat || !s.Value(a) || !s.Value(b) || s.Value(c) {
		t.Errorf("a %v, b %v, c %v", s.Value(a), s.Value(b), s.Value(c))
	}
	s.Add(a.Not())
	if s.Fixed(a) != -1 || s.Fixed(a.Not()) != 1 || s.Fixed(b) != 0 {
		t.Errorf("fixed: a %d, b %d", s.Fixed(a), s.Fixed(b))
	}
}

// atMost is a theory under which at most n observed literals are true.
type atMost struct {
	n    int
	held []Lit
}

func (m *atMost) Assert(l Lit) []Lit {
	if l.Negated() {
		return nil
	}
	if len(m.held) == m.n {
		return append(slices.Clone(m.held), l)
	}
	m.held = append(m.held, l)
	return nil
}

func (m *atMost) Retract(l Lit) {
	if l.Negated() {
		return
	}
	if m.held[len(m.held)-1] != l {
		panic("retracted out of order")
	}
	m.held = m.held[:len(m.held)-1]
}

func (m *atMost) Choose(l Lit) Lit { return l | 1 }

func TestTheory(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		m := &atMost{n: 1 + r.IntN(3)}
		s := New(m)
		const vars, observed = 8, 5
		var atom [observed]Lit
		for v := range vars {
			if l := s.NewVar(); v < observed {
				s.Observe(l)
				atom[v] = l
			}
		}
		// The same in clauses: of any n+1 one is false.
		var clauses, limit [][]Lit
		for set := range uint(1) << observed {
			var c []Lit
			for v, l := range atom {
				if set>>v&1 == 1 {
					c = append(c, l.Not())
				}
			}
			if len(c) == m.n+1 {
				limit = append(limit, c)
			}
		}
		for range 20 {
			c := []Lit{Lit(r.IntN(2 * vars)), Lit(r.IntN(2 * vars)), Lit(r.IntN(2 * vars))}
			s.Add(c...)
			clauses = append(clauses, c)
			checkSolve(t, s, slices.Concat(clauses, limit), vars, []Lit{Lit(r.IntN(2 * vars))})
		}
	}
}

func TestLuby(t *testing.T) {
	var got []int
	for i := range 15 {
		got = append(got, luby(i+1))
	}
	if want := []int{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func BenchmarkPigeons(b *testing.B) {
	s := New(nil)
	for b.Loop() {
		s.Reset()
		guard := s.NewVar()
		pigeons(s, 7, guard)
		s.Solve(guard)
	}
}

func BenchmarkRandom3SAT(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const vars = 150
	clauses := make([][]Lit, 640)
	for i := range clauses {
		clauses[i] = []Lit{Lit(r.IntN(2 * vars)), Lit(r.IntN(2 * vars)), Lit(r.IntN(2 * vars))}
	}
	s := New(nil)
	for b.Loop() {
		s.Reset()
		for range vars {
			s.NewVar()
		}
		for _, c := range clauses {
			s.Add(c...)
		}
		s.Solve()
	}
}
