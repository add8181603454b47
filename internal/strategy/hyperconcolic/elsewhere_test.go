package hyperconcolic

import (
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// TestElsewhere checks that a run that does not begin with the whole path that it was made for
// is noticed, whatever the machine got wrong: the search must not be exhausted. It is also
// checked when the items move to another instance in between.
func TestElsewhere(t *testing.T) {
	a := expr.NewArena()
	x, y := a.Var("x", 8), a.Var("y", 8)
	less := func(v expr.ID, n uint64) expr.ID { return a.Ult(v, a.Const(n, 8)) }
	// A condition is recorded as it holds, unless it is left out or another one is recorded in
	// its place.
	type recorder func(cond, value expr.ID, kind run.ConditionKind)
	for _, c := range []struct {
		name    string
		program func(in run.Input, record recorder)
		ok      bool
	}{
		{"all is recorded", func(in run.Input, record recorder) {
			record(less(x, 8), expr.None, run.Jump)
			record(less(y, 9), expr.None, run.Jump)
		}, true},
		{"a branch before the flipped one is recorded on one side", func(in run.Input, record recorder) {
			if in["y"] >= 9 {
				record(a.Not(less(y, 9)), expr.None, run.Jump)
			}
			record(less(x, 8), expr.None, run.Jump)
			record(less(y, 3), expr.None, run.Jump)
			record(less(y, 100), expr.None, run.Jump)
		}, false},
		{"a condition of the same kind in the place of the flipped one", func(in run.Input, record recorder) {
			if in["x"] < 8 {
				record(less(x, 8), expr.None, run.Jump)
			} else {
				record(less(y, 9), expr.None, run.Jump)
			}
		}, false},
		{"the wrong side of the flipped condition", func(in run.Input, record recorder) {
			record(a.And(less(x, 8), a.Eq(x, x)), expr.None, run.Jump)
			cond := less(y, 8)
			if in["y"] >= 8 {
				record(cond, expr.None, run.Assumed) // as if it held
				return
			}
			record(cond, expr.None, run.Jump)
		}, false},
		{"a condition before the flipped one is missing", func(in run.Input, record recorder) {
			if in["y"] < 9 {
				record(less(x, 8), expr.None, run.Jump)
			}
			record(less(y, 9), expr.None, run.Jump)
			record(less(y, 100), expr.None, run.Jump)
		}, false},
		{"another value is concretized", func(in run.Input, record recorder) {
			v := x
			if in["x"] != 0 {
				v = y
			}
			record(a.Eq(a.Extract(v, 0, 2), a.Const(in[a.VarName(v)]&3, 2)), a.Extract(v, 0, 2), run.Concretized)
		}, false},
		{"every value is concretized", func(in run.Input, record recorder) {
			record(a.Eq(a.Extract(x, 0, 2), a.Const(in["x"]&3, 2)), a.Extract(x, 0, 2), run.Concretized)
		}, true},
	} {
		for _, divided := range []bool{false, true} {
			s := New(Options{Names: run.NewNames()})
			var open []string
			for range 100 {
				if divided {
					items := s.Export()
					open = append(open, s.Status().Open...)
					s = New(Options{Names: run.NewNames()})
					s.Export()
					if err := s.Import(items); err != nil {
						t.Fatal(err)
					}
				}
				job, err := s.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if job == nil {
					break
				}
				in := job.Plan.Input
				trace := &run.Trace{Inputs: []run.InputVar{{Name: "x", Width: 8, Value: in["x"], Sym: x}, {Name: "y", Width: 8, Value: in["y"], Sym: y}}}
				c.program(in, func(cond, value expr.ID, kind run.ConditionKind) {
					if kind == run.Jump && a.Eval(cond, func(v expr.ID) uint64 { return in[a.VarName(v)] }) == 0 {
						cond = a.Not(cond)
					}
					trace.Path = append(trace.Path, run.Condition{Cond: cond, Value: value, Kind: kind})
				})
				if err := s.Learn(t.Context(), job, trace, a); err != nil {
					t.Fatal(err)
				}
			}
			st := s.Status()
			open = append(open, st.Open...)
			if !st.Finished || slices.Contains(open, strategy.Elsewhere) == c.ok || !divided && st.Exhausted != c.ok {
				t.Errorf("%s (divided: %v): %+v, open: %q", c.name, divided, st, open)
			}
		}
	}
}
