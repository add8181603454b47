package vm_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
)

// The functions in testdata/concurrent/inputs have exactly the outcomes that
// their comments list, over all inputs that flipping the conditions of runs, in
// every interleaving, leads to; and over as many as they say.
func TestInputs(t *testing.T) {
	p := loadFuncs(t, "concurrent/inputs")
	for _, name := range p.some() {
		t.Run(name, func(t *testing.T) {
			r := p.runner(t, name)
			r.AddInputs(p.pkg.Pkg.Path())
			arena := expr.NewArena() // the machine's is cut back by each run
			solver := solve.New(arena, solve.Options{})
			got := map[string]bool{}
			seen := map[string]bool{}
			tried := map[string]bool{}
			// An item asks for a run under an input. It is to differ from another run
			// from condition at on; asked is what has to hold for that, of all
			// runs that follow from it.
			type item struct {
				input run.Input
				at    int
				asked []expr.ID
			}
			work := []item{{input: run.Input{}}}
			runs := 0
			for len(work) > 0 {
				job := work[0]
				work = work[1:]
				tried[fmt.Sprint(job.input)] = true
				r.everyRun(t, run.Plan{Input: job.input}, 1000, func(trace *run.Trace, out string) {
					runs++
					got[out] = true
					var conds []expr.ID
					for i := range trace.Path {
						conds = append(conds, arena.Copy(r.Arena, trace.Path[i].Cond))
						if trace.Path[i].Kind == run.Assumed {
							continue
						}
						asked := []expr.ID{arena.Not(conds[i])}
						if i >= job.at {
							asked = append(asked, job.asked...)
						}
						other := append(slices.Clone(conds[:i]), asked...)
						if key := fmt.Sprint(other); seen[key] {
							continue
						} else {
							seen[key] = true
						}
						if res, model, err := solver.Check(t.Context(), other); err != nil {
							t.Fatal(err)
						} else if res == solve.Sat {
							next := maps.Clone(job.input)
							for _, v := range trace.Inputs {
								next[v.Name] = model.Value(arena.Var(v.Name, v.Width))
							}
							work = append(work, item{next, i, asked})
						} else if res == solve.Unknown {
							t.Errorf("not answered: %v", other)
						}
					}
				})
				if runs > 3000 {
					t.Fatalf("%d runs, outcomes so far %v", runs, slices.Sorted(maps.Keys(got)))
				}
			}
			want := slices.Sorted(slices.Values(p.want[name]))
			if have := slices.Sorted(maps.Keys(got)); !slices.Equal(have, want) {
				t.Errorf("in %d runs\ngot\n\t%s\nwant\n\t%s", runs, strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
			}
			if inputs := p.notes(name, "inputs:"); inputs != nil && !slices.Equal(inputs, []string{strconv.Itoa(len(tried))}) {
				t.Errorf("%d inputs, want %s", len(tried), inputs)
			}
			t.Log(runs, "runs,", len(tried), "inputs")
		})
	}
}
