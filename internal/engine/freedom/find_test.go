package freedom

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// A toy is a run of a function of bytes.
type toy struct {
	arena *expr.Arena
	input run.Input
	made  Run
}

// draw returns a byte of the input.
func (y *toy) draw(name string) expr.ID {
	x := y.arena.Var(name, 8)
	y.made.Inputs = append(y.made.Inputs, run.InputVar{Name: name, Width: 8, Value: y.input[name], Sym: x})
	return x
}

// less is a branch: whether x is less than n.
func (y *toy) less(x expr.ID, n uint64) bool {
	cond := y.arena.Ult(x, y.arena.Const(n, 8))
	is := y.arena.Eval(cond, func(v expr.ID) uint64 { return y.input[y.arena.VarName(v)] }) != 0
	c := run.Condition{Cond: cond}
	if !is {
		c = run.Condition{Cond: y.arena.Not(cond), Negated: true}
	}
	y.made.Conditions = append(y.made.Conditions, c)
	return is
}

func TestFind(t *testing.T) {
	for _, test := range []struct {
		name  string
		input run.Input
		fails func(y *toy) bool
		want  string // the inputs that do not matter
		runs  int
	}{
		{"not in the path", run.Input{"a": 1, "b": 2}, func(y *toy) bool {
			y.draw("b")
			return y.less(y.draw("a"), 2)
		}, "b", 1},
		{"all paths fail", run.Input{"a": 1}, func(y *toy) bool {
			a := y.draw("a")
			y.less(a, 10)
			y.less(a, 20)
			y.less(a, 30)
			return true
		}, "a", 3},
		{"a path that passes", run.Input{"a": 1}, func(y *toy) bool {
			a := y.draw("a")
			y.less(a, 10)
			return y.less(a, 250)
		}, "", 2},
		{"an input that only another path has", run.Input{"a": 1}, func(y *toy) bool {
			return y.less(y.draw("a"), 10) || y.less(y.draw("b"), 10)
		}, "", 2},
		{"one that makes no difference there", run.Input{"a": 1}, func(y *toy) bool {
			return y.less(y.draw("a"), 10) || y.less(y.draw("b"), 10) || true
		}, "a", 2},
		{"one of two", run.Input{"a": 1, "b": 1}, func(y *toy) bool {
			a, b := y.draw("a"), y.draw("b")
			return y.less(a, 10) || y.less(b, 10)
		}, "a", 2},
		{"a path of which not all is known", run.Input{"a": 1, "b": 1}, func(y *toy) bool {
			y.draw("b")
			if !y.less(y.draw("a"), 10) {
				y.made.Whole = false
			}
			return true
		}, "b", 1},
		{"too many paths", run.Input{"a": 1}, func(y *toy) bool {
			a := y.draw("a")
			for n := range uint64(100) {
				y.less(a, 2*n+1)
			}
			return true
		}, "", maxRunsOfUnit},
	} {
		runs := 0
		arena := expr.NewArena()
		mark := arena.Mark()
		try := func(_ context.Context, in run.Input) (*Run, error) {
			runs++
			arena.Release(mark) // as the machine does between runs
			y := &toy{arena: arena, input: in, made: Run{Arena: arena, Whole: true}}
			if !test.fails(y) {
				return nil, nil
			}
			return &y.made, nil
		}
		r, err := try(t.Context(), test.input)
		if err != nil || r == nil {
			t.Fatalf("%s: %v %v", test.name, r, err)
		}
		runs = 0
		free, err := Find(t.Context(), r, try)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(free)), " "); got != test.want {
			t.Errorf("%s: %q do not matter, want %q", test.name, got, test.want)
		}
		if runs > test.runs {
			t.Errorf("%s: %d runs, want %d at most", test.name, runs, test.runs)
		}
	}
}

func TestUnits(t *testing.T) {
	var inputs []run.InputVar
	for _, name := range []string{"n", "len(s)", "s[0]", "s[1]", "clock(0)#1", "rand(0)#0", "len(p.list)", "p.list[0].x", "p.flag"} {
		inputs = append(inputs, run.InputVar{Name: name})
	}
	inputs = append(inputs, run.InputVar{Name: "cap(s) > 8", Choice: true})
	var got []string
	for _, u := range units(inputs) {
		var has []string
		for _, v := range inputs {
			if u.has(v.Name) {
				has = append(has, v.Name)
			}
		}
		got = append(got, strings.Join(has, "+"))
	}
	want := []string{"n", "s[0]+s[1]", "p.list[0].x", "p.flag", "len(s)+s[0]+s[1]", "len(p.list)+p.list[0].x"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
