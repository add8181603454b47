package shapes_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/run"
)

// inside is a package whose functions print where the pointers lead that they get, and write through them. The
// comparisons of addresses are right if, and only if, a write through one pointer is seen through the others.
const inside = `package inside

type (
	Outer struct {
		a  int
		in [2]int
	}
	Other struct{ x, y, z int } // has the same words
	Node  struct {
		next *Node
		val  int
	}
	First struct{ at Node }
	Link  struct {
		next *Link
		to   *int
		val  int
	}
	Common struct{ n int }
	Left   struct {
		Common
		l int
	}
	Right struct {
		r int
		Common
	}
)

func where(o *Outer, p *int) string {
	switch {
	case p == nil:
		return "nil"
	case o == nil:
		return "own"
	case p == &o.a:
		return "a"
	case p == &o.in[0]:
		return "0"
	case p == &o.in[1]:
		return "1"
	}
	return "own"
}

// see writes to *p, and panics unless o sees that if, and only if, p leads there.
func see(o *Outer, p *int, at string) {
	if o == nil || p == nil {
		return
	}
	*o = Outer{}
	*p = 7
	want := Outer{}
	switch at {
	case "a":
		want.a = 7
	case "0":
		want.in[0] = 7
	case "1":
		want.in[1] = 7
	}
	if *o != want {
		panic("seen elsewhere")
	}
}

func Into(o *Outer, p *int) {
	if o != nil {
		o.a = 5
	}
	at := where(o, p)
	see(o, p, at)
	println(o != nil, at)
}

// Before has drawn p before o, and uses it then.
func Before(p *int, o *Outer) {
	if p != nil {
		*p = 5
	}
	at := where(o, p)
	see(o, p, at)
	println(o != nil, at)
}

// Compared uses o last.
func Compared(o *Outer, p, q *int) {
	same := p == q && p != nil
	if p != nil {
		*p = 1
	}
	if q != nil {
		*q = 2
	}
	if p != nil && q != nil && (*p == 2) != same {
		panic("seen elsewhere")
	}
	x, y := where(o, p), where(o, q)
	see(o, p, x)
	see(o, q, y)
	println(o != nil, x, y, same)
}

// Two has two objects into which a pointer may lead.
func Two(f *Other, o *Outer, p *int) {
	if f == nil || o == nil || p == nil {
		return
	}
	at := where(o, p)
	if p == &f.x || p == &f.y || p == &f.z {
		if at != "own" {
			panic("in both")
		}
		at = "other"
		*f = Other{}
		*p = 1
		if f.x+f.y+f.z != 1 {
			panic("not seen")
		}
	} else {
		*f = Other{}
		see(o, p, at)
		if *f != (Other{}) {
			panic("seen elsewhere")
		}
	}
	println(at)
}

// Array has pointers to elements, and from an element to another one.
func Array(a *[2]Node, n *Node) {
	if a == nil || n == nil {
		return
	}
	at := "own"
	for i := range a {
		if n == &a[i] {
			at = []string{"0", "1"}[i]
		}
	}
	*a = [2]Node{}
	n.val = 3
	if (a[0].val == 3) != (at == "0") || (a[1].val == 3) != (at == "1") {
		panic("seen elsewhere")
	}
	println(at)
}

// Begin has a pointer to the first field.
func Begin(f *First, n *Node) {
	if f == nil || n == nil {
		return
	}
	f.at.val = 1
	n.val = 2
	same := n == &f.at
	if (f.at.val == 2) != same {
		panic("seen elsewhere")
	}
	println(same)
}

// Links has pointers to parts of objects that are found before and later.
func Links(l *Link) {
	if l == nil || l.next == nil || l.to == nil {
		return
	}
	x := l.next
	l.val, x.val = 1, 2
	*l.to = 3
	switch {
	case l.to == &l.val:
		if l.val != 3 || x != l && x.val != 2 {
			panic("own")
		}
		println(x == l, "own")
	case l.to == &x.val:
		if x.val != 3 || l.val != 1 {
			panic("next")
		}
		println(x == l, "next")
	default:
		if l.val == 3 || x.val == 3 {
			panic("seen elsewhere")
		}
		println(x == l, "elsewhere")
	}
}

// Shares has two types with a part in common.
func Shares(l *Left, r *Right, c *Common) {
	if l == nil || r == nil || c == nil {
		return
	}
	l.n, r.n, c.n = 1, 2, 3
	switch {
	case c == &l.Common:
		if l.n != 3 || r.n != 2 {
			panic("left")
		}
		println("left")
	case c == &r.Common:
		if r.n != 3 || l.n != 1 {
			panic("right")
		}
		println("right")
	default:
		if l.n != 1 || r.n != 2 {
			panic("seen elsewhere")
		}
		println("own")
	}
}

// Between has a pointer into what is drawn before it, or after it.
func Between(o *Outer, p *int, q *Outer) {
	at, in := where(o, p), where(q, p)
	if p != nil && q != nil {
		q.in[1] = 1
		*p = 7
		if (q.in[1] == 7) != (in == "1") {
			panic("seen elsewhere")
		}
	}
	if o == q { // a branch
		println(at, in, true)
	} else {
		println(at, in, false)
	}
}

// Pointers has a pointer to a pointer, which may be a field of what another one leads to.
func Pointers(n *Node, p **Node) {
	if n == nil || p == nil {
		return
	}
	n.next = nil
	*p = n
	if (n.next == n) != (p == &n.next) {
		panic("seen elsewhere")
	}
	println(p == &n.next)
}
`

// TestParts has pointers to parts of objects. Everything that is possible happens, or a bound says
// that it may not have.
func TestParts(t *testing.T) {
	product := func(lists ...[]string) []string {
		all := []string{""}
		for _, list := range lists {
			var next []string
			for _, before := range all {
				for _, s := range list {
					next = append(next, strings.TrimSpace(before+" "+s))
				}
			}
			all = next
		}
		return all
	}
	places := []string{"nil", "own", "a", "0", "1"}
	without := []string{"false nil", "false own"}
	into := append(product([]string{"true"}, places), without...)
	var compared []string
	for _, at := range product([]string{"true"}, places, places) {
		words := strings.Fields(at)
		switch {
		case words[1] == "own" && words[2] == "own":
			compared = append(compared, at+" true", at+" false")
		default:
			compared = append(compared, fmt.Sprint(at, " ", words[1] == words[2] && words[1] != "nil"))
		}
	}
	compared = append(compared, "false nil nil false", "false nil own false", "false own nil false", "false own own true", "false own own false")
	between := []string{"nil nil true", "nil nil false", "own own true", "own own false"}
	for _, at := range []string{"a", "0", "1"} {
		between = append(between, at+" "+at+" true", at+" own false")
	}
	later := []string{"own a false", "own 0 false", "own 1 false"} // a bound says so
	cases := []possible{
		{"Between", slices.Concat(between, later), between},
		{"Into", into, into},
		{"Before", into, append(product([]string{"true"}, []string{"nil", "own"}), without...)},
		{"Compared", compared, compared},
		{"Two", []string{"own", "a", "0", "1", "other"}, []string{"own", "a", "0", "1", "other"}},
		{"Array", []string{"own", "0", "1"}, []string{"own", "0", "1"}},
		{"Begin", []string{"true", "false"}, []string{"true", "false"}},
		{"Links", []string{"true own", "true elsewhere", "false own", "false next", "false elsewhere"}, []string{"true own", "true elsewhere", "false own", "false next", "false elsewhere"}},
		{"Shares", []string{"left", "right", "own"}, []string{"left", "right", "own"}},
		{"Pointers", []string{"true", "false"}, []string{"true", "false"}},
	}
	compare(t, "inside", inside, "found later", cases)
}

// A possible is a function and what it can print, one of which is printed in each run.
type possible struct {
	name string
	all  []string
	want []string // at least
}

// compare compares what the functions of a package print in all runs of a search with what is
// possible. Only where a bound of that name is recorded may something be missing.
func compare(t *testing.T, module, source, bound string, cases []possible) {
	t.Helper()
	var names []string
	for _, c := range cases {
		names = append(names, c.name)
	}
	s := loadFuncs(t, module, source, names)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			var inputs []run.Input
			var outputs []string
			bounded := false
			each(t, s, c.name, 3, func(trace *run.Trace, output string) {
				if trace.Outcome != run.Finished {
					t.Errorf("%v: %s", trace.Outcome, trace.Message)
				}
				for _, b := range trace.PlacedBounds {
					bounded = bounded || strings.Contains(b.Name, bound)
				}
				if !trace.Skipped {
					inputs, outputs = append(inputs, valuesOf(trace)), append(outputs, output)
				}
				if output = strings.TrimSpace(output); output != "" && !slices.Contains(got, output) {
					got = append(got, output)
				}
			})
			for _, output := range got {
				if !slices.Contains(c.all, output) {
					t.Errorf("%s is not possible", output)
				}
			}
			for _, output := range c.want {
				if !slices.Contains(got, output) {
					t.Errorf("no run with %s", output)
				}
			}
			if !bounded && len(got) < len(c.all) {
				t.Errorf("%q of %q, and no bound says that there are others", got, c.all)
			}
			again(t, s, c.name, inputs, outputs)
			t.Logf("%d runs, %d of %d", len(inputs), len(got), len(c.all))
		})
	}
}

// valuesOf returns the values of the inputs of a run, as its trace has them.
func valuesOf(trace *run.Trace) run.Input {
	in := run.Input{}
	for i := range trace.Inputs {
		in[trace.Inputs[i].Name] = trace.Inputs[i].Value
	}
	return in
}

// again makes a run with each input, with symbolic values and without, which leads to the same
// output and to the same input.
func again(t *testing.T, s *suite.Suite, target string, inputs []run.Input, outputs []string) {
	t.Helper()
	var output bytes.Buffer
	m, err := s.Machine(t.Context(), target, &output)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { m.Concrete = false }() // it is that of the other targets, too
	for _, concrete := range []bool{false, true} {
		m.Concrete = concrete
		for i, in := range inputs {
			output.Reset()
			trace, err := m.Run(t.Context(), &run.Plan{Input: in}, run.NonPreemptive{})
			if err != nil {
				t.Fatal(err)
			}
			if output.String() != outputs[i] {
				t.Errorf("%v (concrete: %v): %q, want %q", in, concrete, output.String(), outputs[i])
			}
			for name, v := range valuesOf(trace) {
				if in[name] != v {
					t.Errorf("%v: %s is %d when it runs again", in, name, v)
				}
			}
		}
	}
}
