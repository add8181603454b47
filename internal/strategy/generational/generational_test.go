package generational

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/strategy"
)

// A program is a random decision tree over inputs of four bits: inner nodes
// test a condition, or read an element at an index that is an input.
type program struct {
	cond  func(a *expr.Arena) expr.ID // nil for a leaf
	table bool                        // cond is an index, with a child for each value
	site  run.SiteID
	next  map[uint64]*program // by the value of cond
}

var names = []string{"x", "y", "z"}

func newProgram(r *rand.Rand, depth int, sites *int32) *program {
	if depth == 0 {
		return &program{}
	}
	*sites++
	p := &program{site: run.SiteID{Instr: *sites}, next: map[uint64]*program{}}
	left, right := names[r.IntN(3)], names[r.IntN(3)]
	c := uint64(r.IntN(16))
	if r.IntN(4) == 0 {
		p.table = true
		p.cond = func(a *expr.Arena) expr.ID { return a.Extract(a.Var(left, 4), 0, 2) }
		for v := range uint64(4) {
			p.next[v] = newProgram(r, depth-1, sites)
		}
		return p
	}
	op := []expr.Op{expr.Eq, expr.Ult, expr.Slt}[r.IntN(3)]
	p.cond = func(a *expr.Arena) expr.ID {
		return a.Binary(op, a.Mul(a.Var(left, 4), a.Add(a.Var(right, 4), a.Const(1, 4))), a.Const(c, 4))
	}
	p.next[0], p.next[1] = newProgram(r, r.IntN(depth), sites), newProgram(r, depth-1, sites)
	return p
}

// run returns the trace of a run, and its path as text.
func (p *program) run(a *expr.Arena, in run.Input) (*run.Trace, string) {
	trace := &run.Trace{}
	for _, name := range names {
		trace.Inputs = append(trace.Inputs, run.InputVar{Name: name, Width: 4, Value: in[name]})
	}
	path := ""
	for p.cond != nil {
		x := p.cond(a)
		v := a.Eval(x, func(v expr.ID) uint64 { return in[a.VarName(v)] })
		c := run.Condition{Site: p.site, Kind: run.Jump, Cond: x}
		if p.table {
			c.Kind, c.Cond, c.Value = run.Concretized, a.Eq(x, a.Const(v, 2)), x
		} else if v == 0 {
			c.Cond = a.Not(x)
		}
		if _, known := a.ConstValue(c.Cond); !known {
			trace.Path = append(trace.Path, c)
		}
		path += fmt.Sprint(p.site.Instr, "=", v, " ")
		p = p.next[v]
	}
	return trace, path
}

// TestPaths checks that a search from one input runs every path of a program that there is by
// running it on all inputs, and a strict search each once, also if the arena is compacted
// after each run.
func TestPaths(t *testing.T) {
	for _, strict := range []bool{true, false} {
		for _, tidy := range []bool{false, true} {
			t.Run(fmt.Sprintf("strict=%v,tidy=%v", strict, tidy), func(t *testing.T) { testPaths(t, strict, tidy) })
		}
	}
}

func testPaths(t *testing.T, strict, tidy bool) {
	all, usual, short, paths := 60, 60, 15, 0
	if tidy {
		all, usual, short = 10, 10, 5
	}
	scratch := expr.NewArena()
	empty := scratch.Mark()
	for seed := range sample.Of(all, usual, short) {
		sites := int32(0)
		p := newProgram(rand.New(rand.NewPCG(uint64(seed), 3)), 4, &sites)
		want := map[string]bool{}
		for v := range uint64(1 << 12) {
			_, path := p.run(scratch, run.Input{"x": v & 15, "y": v >> 4 & 15, "z": v >> 8})
			want[path] = true
			scratch.Release(empty)
		}
		got := map[string]int{}
		s := New(Options{})
		s.(*search).strict = strict
		a := expr.NewArena()
		for {
			job, err := s.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if job == nil {
				break
			}
			mark := a.Mark()
			trace, path := p.run(a, job.Plan.Input)
			got[path]++
			if tidy {
				s.(*search).arenaLimit = 0
			}
			if err := s.Learn(t.Context(), job, trace, a); err != nil {
				t.Fatal(err)
			}
			a.Release(mark)
		}
		if st := s.Status(); !st.Finished || len(st.Open) > 0 {
			t.Fatalf("program %d: %+v", seed, st)
		}
		for path, n := range got {
			if strict && n != 1 {
				t.Errorf("program %d: %d runs take the path %s", seed, n, path)
			}
		}
		if a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(a, b) {
			t.Errorf("program %d: paths\n%v\nwant\n%v", seed, a, b)
		}
		paths += len(want)
	}
	if paths < 5*sample.Size(all, usual, short) {
		t.Errorf("only %d paths in all", paths)
	}
}

// TestSeeds checks that the empty input and the seeds come first, unchanged.
func TestSeeds(t *testing.T) {
	s := New(Options{Seeds: []run.Input{{"x": 3}, {"x": 3}, {"x": 0}, {"y": 9}}})
	var got []string
	for {
		job, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			break
		}
		got = append(got, fmt.Sprint(job.Plan.Input))
	}
	slices.Sort(got)
	if want := []string{"map[]", "map[x:3]", "map[y:9]"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestNeighbours checks that every other item is a neighbour, those of the rarest runs first, and
// that neighbours are run when there is nothing else.
func TestNeighbours(t *testing.T) {
	var q queue
	for i := range 2 {
		q.push(&item{index: i + 1, site: run.SiteID{Instr: 1}}, true)
	}
	for i, rarity := range []int{7, 2, 2, 9} {
		q.push(&item{index: 10 + i, rarity: rarity}, true)
	}
	var got []int
	for q.size > 0 {
		got = append(got, q.pop().index)
	}
	if want := []int{12, 2, 11, 1, 10, 13}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// textInput returns the input in which s is a text.
func textInput(s string) run.Input {
	in := run.Input{"len(s)": uint64(len(s))}
	for i := range len(s) {
		in[fmt.Sprintf("s[%d]", i)] = uint64(s[i])
	}
	return in
}

// searchText searches from a text until visit reports that another is the one to be found. If it
// is not, visit adds the conditions of a run on it to the trace.
func searchText(t *testing.T, seed string, maxLen int, visit func(text string, trace *run.Trace, a *expr.Arena) bool) {
	t.Helper()
	s := New(Options{Seeds: []run.Input{textInput(seed)}, MaxLen: maxLen})
	a := expr.NewArena()
	for {
		job, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			t.Fatal("not found")
		}
		if !job.Plan.InputToState {
			t.Fatal("the plan does not ask for correspondences")
		}
		in := job.Plan.Input
		trace := &run.Trace{Inputs: []run.InputVar{{Name: "len(s)", Width: 64, Value: in["len(s)"]}}}
		var text []byte
		for i := range in["len(s)"] {
			name := fmt.Sprintf("s[%d]", i)
			trace.Inputs = append(trace.Inputs, run.InputVar{Name: name, Width: 8, Value: in[name]})
			text = append(text, byte(in[name]))
		}
		if visit(string(text), trace, a) {
			return
		}
		if err := s.Learn(t.Context(), job, trace, a); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLonger checks that an input is found that is longer than the seed in the middle, though no
// condition of shorter ones says so.
func TestLonger(t *testing.T) {
	searchText(t, "1.2", 4, func(text string, trace *run.Trace, a *expr.Arena) bool {
		// The parser compares what is before the dot if that has two digits.
		if digits, _, ok := strings.Cut(text, "."); ok && len(digits) == 2 {
			is := a.And(a.Eq(a.Var("s[0]", 8), a.Const('7', 8)), a.Eq(a.Var("s[1]", 8), a.Const('7', 8)))
			trace.Path = append(trace.Path, run.Condition{Site: run.SiteID{Instr: 2}, Cond: a.Not(is), Negated: true})
			return digits == "77"
		}
		// There is no condition on where the dot is.
		first := a.Ne(a.Var("s[0]", 8), a.Const(0, 8))
		trace.Path = append(trace.Path, run.Condition{Site: run.SiteID{Instr: 1}, Cond: first})
		return false
	})
}

// TestTurns checks that sites take turns, and what comes first at a site.
func TestTurns(t *testing.T) {
	var q queue
	push := func(site, number int, novel bool) {
		if !q.push(&item{index: number, site: run.SiteID{Instr: int32(site)}}, novel) {
			t.Fatal("no room")
		}
	}
	for i := range 3 {
		push(1, 10+i, true)
	}
	push(1, 20, false)
	push(2, 30, false)
	push(2, 31, true)
	var got []int
	next := func() { got = append(got, q.pop().index) }
	next() // site 1, the newest
	next() // site 2, what is novel
	push(3, 40, true)
	next() // a new site at once
	for q.size > 0 {
		next()
	}
	if want := []int{12, 31, 40, 11, 30, 10, 20}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if q.pop() != nil {
		t.Error("an item of an empty queue")
	}
}

// TestCorrespondences checks that bytes are replaced by the text that they were compared with.
func TestCorrespondences(t *testing.T) {
	searchText(t, "a://x", 8, func(text string, trace *run.Trace, a *expr.Arena) bool {
		scheme, _, ok := strings.Cut(text, ":")
		if ok && scheme == "ftp" {
			if text != "ftp://x" {
				t.Errorf("%q", text)
			}
			return true
		}
		if ok && scheme != "" {
			w := run.Correspondence{Want: []byte("ftp")}
			for i := range len(scheme) { // compared without case
				w.Have = append(w.Have, a.Or(a.Var(fmt.Sprintf("s[%d]", i), 8), a.Const(0x20, 8)))
			}
			trace.Correspondences = append(trace.Correspondences, w)
		}
		return false
	})
}

// TestElsewhere checks that a run which does not begin with the path that it was made for is
// noticed, also if it differs before the flipped condition, and that no path is lost by it.
func TestElsewhere(t *testing.T) {
	a := expr.NewArena()
	condition := func(instr int32, x expr.ID, holds bool) run.Condition {
		if !holds {
			x = a.Not(x)
		}
		return run.Condition{Site: run.SiteID{Instr: instr}, Kind: run.Jump, Cond: x}
	}
	x, y := a.Var("x", 4), a.Var("y", 4)
	s := New(Options{})
	seen := map[string]bool{}
	for range 100 {
		job, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			break
		}
		in := job.Plan.Input
		trace := &run.Trace{Inputs: []run.InputVar{{Name: "x", Width: 4, Value: in["x"]}, {Name: "y", Width: 4, Value: in["y"]}}}
		if in["y"] == 9 { // a branch that is recorded on one side only
			small := in["x"] < 8
			trace.Path = append(trace.Path, condition(3, a.Eq(y, a.Const(9, 4)), true), condition(4, a.Ult(x, a.Const(8, 4)), small))
			seen[fmt.Sprint("nine ", small)] = true
		}
		trace.Path = append(trace.Path, condition(5, a.Ult(y, a.Const(9, 4)), in["y"] < 9))
		seen[fmt.Sprint("less ", in["y"] < 9)] = true
		if err := s.Learn(t.Context(), job, trace, a); err != nil {
			t.Fatal(err)
		}
	}
	if st := s.Status(); !slices.Contains(st.Open, strategy.Elsewhere) {
		t.Errorf("open: %q", st.Open)
	}
	if len(seen) != 4 {
		t.Errorf("seen: %v", slices.Sorted(maps.Keys(seen)))
	}
}
