package order

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/sample"
)

// problem is a set of constraints in a form that brute force can check too.
type problem struct {
	n         int
	fixed     [][2]int
	clauses   [][]literal
	selectors int
}

// literal says that event i is before j, or if i < 0 that selector -1-i is j.
type literal struct{ i, j int }

func (l literal) holds(place []int, selected uint) bool {
	if l.i < 0 {
		return int(selected>>(-1-l.i)&1) == l.j
	}
	return place[l.i] < place[l.j]
}

// satisfiable tries all orders and all values of the selectors.
func (p *problem) satisfiable(extra []literal) bool {
	clauses := slices.Clone(p.clauses)
	for _, l := range extra {
		clauses = append(clauses, []literal{l})
	}
	for _, f := range p.fixed {
		clauses = append(clauses, []literal{{f[0], f[1]}})
	}
	holds := func(place []int, selected uint) bool {
		for _, c := range clauses {
			if !slices.ContainsFunc(c, func(l literal) bool { return l.holds(place, selected) }) {
				return false
			}
		}
		return true
	}
	place := make([]int, p.n)
	for i := range place {
		place[i] = i
	}
	var permute func(k int) bool
	permute = func(k int) bool {
		if k == p.n {
			for selected := range uint(1) << p.selectors {
				if holds(place, selected) {
					return true
				}
			}
			return false
		}
		for i := k; i < p.n; i++ {
			place[k], place[i] = place[i], place[k]
			if permute(k + 1) {
				return true
			}
			place[k], place[i] = place[i], place[k]
		}
		return false
	}
	return permute(0)
}

// TestBruteForce builds random problems step by step and compares every answer
// with all orders.
func TestBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	count := map[Result]int{}
	rounds := sample.Size(1000, 1000, 150)
	for range rounds {
		p := &problem{n: 2 + r.IntN(5), selectors: r.IntN(3)}
		o := NewOrder(p.n)
		selectors := make([]Lit, p.selectors)
		for i := range selectors {
			selectors[i] = o.NewSelector()
		}
		toLit := func(l literal) Lit {
			if l.i >= 0 {
				return o.Before(l.i, l.j)
			}
			if l.j == 1 {
				return selectors[-1-l.i]
			}
			return selectors[-1-l.i].Not()
		}
		pair := func() (i, j int) {
			i = r.IntN(p.n)
			return i, (i + 1 + r.IntN(p.n-1)) % p.n
		}
		random := func() literal {
			if p.selectors > 0 && r.IntN(4) == 0 {
				return literal{-1 - r.IntN(p.selectors), r.IntN(2)}
			}
			i, j := pair()
			return literal{i, j}
		}
		for range 3 * p.n {
			if r.IntN(6) == 0 {
				i, j := pair()
				p.fixed = append(p.fixed, [2]int{i, j})
				o.Fix(i, j)
			} else {
				c := make([]literal, 1+r.IntN(4))
				lits := make([]Lit, len(c))
				for k := range c {
					c[k] = random()
					lits[k] = toLit(c[k])
				}
				p.clauses = append(p.clauses, c)
				o.Add(lits...)
			}
			assumed := make([]literal, r.IntN(4))
			lits := make([]Lit, len(assumed))
			for k := range assumed {
				assumed[k] = random()
				lits[k] = toLit(assumed[k])
			}
			result := o.Check(lits...)
			if want := p.satisfiable(assumed); (result == Sat) != want {
				t.Fatalf("%v, satisfiable: %v, for %+v assuming %v", result, want, p, assumed)
			}
			count[result]++
			if result == Unsat {
				var core []literal
				for _, l := range o.Core() {
					core = append(core, assumed[slices.Index(lits, l)])
				}
				if p.satisfiable(core) {
					t.Fatalf("core %v of %+v", core, p)
				}
				continue
			}
			order := o.Linear(func(i, j int) bool { return i > j })
			place := make([]int, p.n)
			for k, e := range order {
				place[e] = k
			}
			var selected uint
			for k, l := range selectors {
				if o.Holds(l) {
					selected |= 1 << k
				}
			}
			for _, f := range p.fixed {
				if place[f[0]] > place[f[1]] {
					t.Fatalf("%v is not an order for %+v", order, p)
				}
			}
			for _, l := range assumed {
				p.clauses = append(p.clauses, []literal{l})
			}
			for _, c := range p.clauses {
				if !slices.ContainsFunc(c, func(l literal) bool { return l.holds(place, selected) }) {
					t.Fatalf("%v is not an order for %+v", order, p)
				}
			}
			p.clauses = p.clauses[:len(p.clauses)-len(assumed)]
		}
	}
	if count[Sat] < rounds || count[Unsat] < rounds {
		t.Errorf("lopsided: %v", count)
	}
}

// TestGraph checks random big graphs against a hidden order.
func TestGraph(t *testing.T) {
	const n = 500
	r := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		hidden := r.Perm(n) // place of each event
		o := NewOrder(n)
		path := make([][]int, n) // by event: direct successors
		connect := func(fix bool) {
			i, j := r.IntN(n), r.IntN(n)
			if i == j {
				return
			}
			if hidden[i] > hidden[j] {
				i, j = j, i
			}
			path[i] = append(path[i], j)
			if fix {
				o.Fix(i, j)
			} else {
				o.Add(o.Before(i, j))
			}
		}
		for k := range 2 * n {
			connect(k%2 == 0)
		}
		if result := o.Check(); result != Sat {
			t.Fatalf("%v for a graph without cycles", result)
		}
		for k, order := 0, o.Linear(nil); k < n; k++ {
			for _, j := range path[order[k]] {
				if slices.Index(order, j) < k {
					t.Fatalf("%d before %d", j, order[k])
				}
			}
		}
		// Against an event reached, either way.
		from := r.IntN(n)
		reached := map[int]bool{}
		var visit func(i int)
		visit = func(i int) {
			for _, j := range path[i] {
				if !reached[j] {
					reached[j] = true
					visit(j)
				}
			}
		}
		visit(from)
		for to := range n {
			if to == from {
				continue
			}
			want := Sat
			if reached[to] {
				want = Unsat
			}
			back, other := o.Before(to, from), o.Before((to+1)%n, to)
			if got := o.Check(back); got != want {
				t.Fatalf("%v, want %v", got, want)
			}
			if want == Unsat && !slices.Equal(o.Core(), []Lit{back}) {
				t.Fatalf("core %v, want %v", o.Core(), back)
			}
			if o.Check(other) == Unsat && o.Check(other.Not()) == Unsat {
				t.Fatal("neither of two opposites is possible")
			}
		}
	}
}

func TestLinear(t *testing.T) {
	o := NewOrder(5)
	o.Fix(3, 1)
	o.Add(o.Before(4, 0), o.Before(4, 3))
	if r := o.Check(o.Before(0, 4)); r != Sat {
		t.Fatal(r)
	}
	for _, test := range []struct {
		name   string
		prefer func(i, j int) bool
		want   []int
	}{
		{"least", nil, []int{0, 2, 4, 3, 1}},
		{"greatest", func(i, j int) bool { return i > j }, []int{2, 0, 4, 3, 1}},
		{"odd", func(i, j int) bool { return i%2 > j%2 }, []int{0, 2, 4, 3, 1}},
		{"4", func(i, j int) bool { return i == 4 && j != 4 }, []int{0, 4, 2, 3, 1}},
	} {
		if got := o.Linear(test.prefer); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	o.Fix(1, 2)
	o.Before(0, 1)
	if got, want := o.Linear(nil), []int{0, 2, 4, 3, 1}; !slices.Equal(got, want) {
		t.Errorf("after new constraints %v, want %v", got, want)
	}
}

func TestFixedCycle(t *testing.T) {
	o := NewOrder(3)
	o.Fix(0, 1)
	o.Fix(1, 2)
	if o.Check() != Sat {
		t.Error("a chain is no order")
	}
	o.Fix(2, 0)
	if o.Check() != Unsat || len(o.Core()) != 0 {
		t.Error("a cycle is an order")
	}

	o = NewOrder(3)
	o.Add(o.Before(0, 1))
	o.Add(o.Before(1, 2))
	o.Fix(2, 0)
	if o.Check() != Unsat {
		t.Error("a cycle of a fixed edge and others is an order")
	}

	o = NewOrder(2)
	o.Fix(1, 1)
	if o.Check() != Unsat {
		t.Error("an event is before itself")
	}
}

// threads returns an order of n events in program order on four threads, with
// reads that each choose among some writes: for every read and every write
// that it may see, under a selector, the write comes before it and no other
// write between.
func threads(n int) (o *Order, selectors [][]Lit) {
	r := rand.New(rand.NewPCG(5, 6))
	o = NewOrder(n)
	for i := 4; i < n; i++ {
		o.Fix(i-4, i)
	}
	var writes, reads []int
	for i := range n {
		switch r.IntN(5) {
		case 0, 1:
			writes = append(writes, i)
		case 2:
			reads = append(reads, i)
		}
	}
	for _, read := range reads {
		var choices []Lit
		for range 4 {
			write := writes[r.IntN(len(writes))]
			s := o.NewSelector()
			o.Add(s.Not(), o.Before(write, read))
			for _, other := range writes {
				if other != write && r.IntN(5) == 0 {
					o.Add(s.Not(), o.Before(other, write), o.Before(read, other))
				}
			}
			choices = append(choices, s)
		}
		selectors = append(selectors, choices)
	}
	return o, selectors
}

// BenchmarkCheck has a few reads at a time see certain writes.
func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{50, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			o, selectors := threads(n)
			r := rand.New(rand.NewPCG(7, 8))
			count := map[Result]int{}
			for b.Loop() {
				var assumed []Lit
				for range 3 {
					choices := selectors[r.IntN(len(selectors))]
					assumed = append(assumed, choices[r.IntN(len(choices))])
				}
				count[o.Check(assumed...)]++
			}
			b.ReportMetric(float64(count[Sat])/float64(b.N), "sat/op")
		})
	}
}
