package vm_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
)

// Programs that use memory at symbolic indexes are run under every input from a
// domain. The path condition of a run holds for the inputs that take its path,
// and for no others; and there are no more paths than the program has branches.
func TestArrays(t *testing.T) {
	testArrays(t, "each:", 6, run.Plan{})
}

// Goroutines use the same table, and all runs have their steps in one order.
func TestArraysInOneOrder(t *testing.T) {
	testArrays(t, "each in order:", 2, run.Plan{OneOrder: true})
}

// testArrays tests the functions with a note, which says what is more than the largest input. There
// are least such functions at least.
func testArrays(t *testing.T, note string, least int, plan run.Plan) {
	p := loadFuncs(t, "concurrent/inputs")
	p.eachNoted(t, note, least, func(t *testing.T, r *runner, name string, each []string) {
		limit, err := strconv.Atoi(each[0])
		if err != nil {
			t.Fatal(err)
		}
		trace, _ := r.run(t, &plan, &run.Enumeration{})
		var names []string
		for _, v := range trace.Inputs {
			names = append(names, v.Name)
		}
		arena := expr.NewArena() // the machine's is cut back by each run
		type path struct {
			conds   []expr.ID
			outcome string
		}
		var paths []path
		takes := func(p path, input run.Input) bool {
			return !slices.ContainsFunc(p.conds, func(x expr.ID) bool {
				return arena.Eval(x, func(v expr.ID) uint64 { return input[arena.VarName(v)] }) == 0
			})
		}
		total := 1
		for range names {
			total *= limit
		}
		inputOf := func(i int) run.Input {
			input := run.Input{}
			for _, name := range names {
				input[name] = uint64(i % limit)
				i /= limit
			}
			return input
		}
		pathOf := make([]int, total)
		for i := range total {
			input := inputOf(i)
			plan := plan
			plan.Input = input
			trace, outcome := r.run(t, &plan, &run.Enumeration{})
			taken := path{outcome: outcome}
			for _, c := range trace.Path {
				taken.conds = append(taken.conds, arena.Copy(r.Arena, c.Cond))
			}
			if !takes(taken, input) {
				t.Fatalf("the path condition of the run under %v is false there", input)
			}
			pathOf[i] = slices.IndexFunc(paths, func(p path) bool { return slices.Equal(p.conds, taken.conds) })
			if pathOf[i] < 0 {
				pathOf[i] = len(paths)
				paths = append(paths, taken)
			} else if want := paths[pathOf[i]].outcome; outcome != want {
				t.Fatalf("%q under %v, %q under another input of the same path", outcome, input, want)
			}
		}
		for i := range total {
			input := inputOf(i)
			for k := range paths {
				if takes(paths[k], input) != (k == pathOf[i]) {
					t.Fatalf("the input %v takes path %d, but %d holds: %t", input, pathOf[i], k, takes(paths[k], input))
				}
			}
		}
		if want := p.notes(name, "paths:"); strconv.Itoa(len(paths)) != want[0] {
			t.Errorf("%d paths, want %s", len(paths), want[0])
		}
	})
}

// BenchmarkHistogram looks for a text of 20 bytes that a condition on its histogram
// of 256 elements wants, by flipping conditions of runs, at most 2000 of them.
func BenchmarkHistogram(b *testing.B) {
	p := loadFuncs(b, "concurrent/inputs")
	r := p.runner(b, "histogramOfText")
	r.AddInputs(p.pkg.Pkg.Path())
	runs, found := 0, 0
	for b.Loop() {
		arena := expr.NewArena()
		solver := solve.New(arena, solve.Options{})
		work := []run.Input{{}}
		seen := map[string]bool{}
		for n := 0; n < 2000 && len(work) > 0; n++ {
			input := work[0]
			work = work[1:]
			trace, outcome := r.run(b, &run.Plan{Input: input}, &run.Enumeration{})
			runs++
			if outcome == "found" {
				found++
				break
			}
			var conds []expr.ID
			for _, c := range trace.Path {
				conds = append(conds, arena.Copy(r.Arena, c.Cond))
				query := slices.Clone(conds)
				query[len(query)-1] = arena.Not(query[len(query)-1])
				if key := fmt.Sprint(query); seen[key] {
					continue
				} else {
					seen[key] = true
				}
				if result, model, err := solver.Check(b.Context(), query); err != nil {
					b.Fatal(err)
				} else if result == solve.Sat {
					next := maps.Clone(input)
					for _, v := range trace.Inputs {
						next[v.Name] = model.Value(arena.Var(v.Name, v.Width))
					}
					work = append(work, next)
				}
			}
		}
	}
	b.ReportMetric(float64(runs)/float64(b.N), "runs/op")
	b.ReportMetric(float64(found)/float64(b.N), "found/op")
}
