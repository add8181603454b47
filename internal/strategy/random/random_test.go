package random

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// TestSameSeed checks that the search is determined by its seed.
func TestSameSeed(t *testing.T) {
	program := newToy("wx - wx", "- wx -", "wx wx -")
	record := func(t *testing.T, sampling Sampling, seed uint64) (inputs []run.Input, orders [][]operation) {
		s := New(Options{Sampling: sampling, Seed: seed, Runs: 20, Seeds: []run.Input{{"a": 5}}})
		for {
			job := next(t, s)
			if job == nil {
				return inputs, orders
			}
			inputs = append(inputs, job.Plan.Input)
			orders = append(orders, program.play(job.Scheduler))
			trace := &run.Trace{Inputs: []run.InputVar{{Name: "a", Width: 8, Value: job.Plan.Input["a"]}, {Name: "b", Width: 64}}}
			if err := s.Learn(context.Background(), job, trace, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range samplings {
		sampling := Sampling(i)
		t.Run(sampling.String(), func(t *testing.T) {
			in1, order1 := record(t, sampling, 7)
			in2, order2 := record(t, sampling, 7)
			if !reflect.DeepEqual(in1, in2) || !reflect.DeepEqual(order1, order2) {
				t.Errorf("two searches from one seed differ")
			}
			if len(in1) != 20 {
				t.Errorf("%d runs, want 20", len(in1))
			}
			if in1[1]["a"] != 5 {
				t.Errorf("the second run has input %v, want the one given", in1[1])
			}
			if _, order3 := record(t, sampling, 8); reflect.DeepEqual(order1, order3) {
				t.Errorf("searches from two seeds are equal")
			}
			for _, in := range in1 {
				if in["a"] > math.MaxUint8 {
					t.Errorf("input %v: a has 8 bits", in)
				}
			}
		})
	}
}

func next(t *testing.T, s strategy.Strategy) *strategy.Job {
	t.Helper()
	job, err := s.Next(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// magic is the string that runMagic compares its input with.
const magic = "\x7fGo\xf1"

// runMagic returns the trace of a target that draws a string and compares it with magic byte by
// byte. It covers a branch for each byte that is there and one for each that is equal. With an
// arena, the comparisons are in the path.
func runMagic(in run.Input, maxLen uint64, arena *expr.Arena) *run.Trace {
	trace := &run.Trace{Covered: []uint64{1}}
	n := min(in["len(s)"], maxLen)
	trace.Inputs = append(trace.Inputs, run.InputVar{Name: "len(s)", Width: 64, Value: n})
	for i := range n {
		name := fmt.Sprintf("s[%d]", i)
		trace.Inputs = append(trace.Inputs, run.InputVar{Name: name, Width: 8, Value: in[name] & 0xff})
	}
	for i := range min(len(magic), int(n)) {
		trace.Covered[0] |= 0x100 << i // long enough
		v := trace.Inputs[1+i]
		equal := v.Value == uint64(magic[i])
		if arena != nil {
			cond := arena.Eq(arena.Var(v.Name, 8), arena.Const(uint64(magic[i]), 8))
			if !equal {
				cond = arena.Not(cond)
			}
			trace.Path = append(trace.Path, run.Condition{Cond: cond})
		}
		if !equal {
			break
		}
		trace.Covered[0] |= 2 << i
	}
	return trace
}

// TestMagic checks that mutation finds four bytes by coverage, and much sooner by comparisons.
func TestMagic(t *testing.T) {
	for _, c := range []struct {
		name  string
		arena *expr.Arena
		runs  int
	}{
		{"coverage", nil, 100000},
		{"comparisons", expr.NewArena(), 1000},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(5) {
				s := New(Options{Seed: seed, MaxLen: 8})
				n, found := 0, false
				for ; n < c.runs && !found; n++ {
					job := next(t, s)
					trace := runMagic(job.Plan.Input, 8, c.arena)
					if err := s.Learn(context.Background(), job, trace, c.arena); err != nil {
						t.Fatal(err)
					}
					found = trace.Covered[0]>>len(magic)&1 != 0
				}
				t.Logf("seed %d: %d runs", seed, n)
				if !found {
					t.Errorf("seed %d: %q not found in %d runs", seed, magic, n)
				}
			}
		})
	}
}

// TestPromise checks the promise of a search against the bound.
func TestPromise(t *testing.T) {
	program := newToy("wx wx", "wx wx", "wx wx")
	s := New(Options{Sampling: Priorities, Seed: 3, Runs: 61}) // the first run shows all steps
	if got := s.Status().Promise; got != "" {
		t.Errorf("before the first run: %q", got)
	}
	for range 61 {
		job := next(t, s)
		program.play(job.Scheduler)
		if err := s.Learn(context.Background(), job, &run.Trace{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	// The first run is a random walk. Of the others, 20 are for each depth; at least the last
	// two operations are those of the last goroutine alone.
	p := &s.(*search).promise
	if p.goroutines != 3 || p.steps != 4 {
		t.Fatalf("%d goroutines and %d steps, want 3 and 4", p.goroutines, p.steps)
	}
	miss := func(depth int) float64 { return math.Pow(1-Bound(3, 4, depth), 20) }
	want := fmt.Sprintf("a bug among 3 goroutines and 4 steps would have been found with probability >= %.2f at depth 1, %.2f at depth 2, %.2f at depth 3",
		math.Floor(100*(1-miss(1)*miss(2)*miss(3)))/100, math.Floor(100*(1-miss(2)*miss(3)))/100, math.Floor(100*(1-miss(3)))/100)
	if got := s.Status().Promise; got != want {
		t.Errorf("promise\n     %q\nwant %q", got, want)
	}
}
