package search

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/random"
	"github.com/everyway-go/everyway/internal/verdict"
)

// An auditor checks the path conditions of the runs that another strategy makes.
type auditor struct {
	strategy.Strategy
	t     *testing.T
	merge run.Merging
	made  map[string]string // runs: what they did, by the path condition
	pairs int               // runs with the path condition of another
}

// Next implements strategy.Strategy.
func (a *auditor) Next(ctx context.Context) (*strategy.Job, error) {
	job, err := a.Strategy.Next(ctx)
	if job != nil {
		job.Plan.Merge = a.merge
	}
	return job, err
}

// Learn implements strategy.Strategy.
func (a *auditor) Learn(ctx context.Context, job *strategy.Job, t *run.Trace, from *expr.Arena) error {
	values := map[string]uint64{}
	for _, v := range t.Inputs {
		values[v.Name] = v.Value
	}
	var path strings.Builder
	for i := range t.Path {
		c := &t.Path[i]
		fmt.Fprintf(&path, "%v %s\n", c.Site, from.String(c.Cond))
		if from.Eval(c.Cond, func(v expr.ID) uint64 { return values[from.VarName(v)] }) != 1 {
			a.t.Errorf("%v: a condition that does not hold: %s", job.Plan.Input, from.String(c.Cond))
		}
	}
	if len(t.Decisions) == 0 {
		did := fmt.Sprintf("%v, %d findings", t.Outcome, goroutines(check.Judge(t)))
		if a.merge == run.MergeNone {
			did += fmt.Sprintf(", %d instructions", t.Instructions)
		}
		was, met := a.made[path.String()]
		if met {
			a.pairs++
		}
		if met && did != was {
			a.t.Errorf("%v: %s; another input with these conditions: %s\n%s", job.Plan.Input, did, was, path.String())
		}
		a.made[path.String()] = did
	}
	return a.Strategy.Learn(ctx, job, t, from)
}

// goroutines returns the number of findings, with the others of each.
func goroutines(found []check.Finding) int {
	n := 0
	for i := range found {
		n += 1 + len(found[i].Others)
	}
	return n
}

// The path condition of a run holds for its input, and decides what the run does: another
// run with the same conditions does the same. The inputs are random ones.
func TestPathsDecide(t *testing.T) {
	prog, err := program.Load(t.Context(), "../../..", []string{"./bench/solve/testdata/parsers", "./internal/engine/search/testdata/keys"}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	runs := sample.Size(600, 300, 60)
	targets := prog.Targets()
	targets = sample.From(targets, len(targets), 8)
	pairs := 0
	for _, target := range targets {
		t.Run(target.Name, func(t *testing.T) {
			for _, merge := range []run.Merging{run.MergeNone, run.MergeAll} {
				audit := &auditor{t: t, merge: merge, made: map[string]string{}}
				audited := strategy.Info{Name: "audited", New: func(c strategy.Config) (strategy.Strategy, error) {
					audit.Strategy = random.New(random.Options{Seed: 7, Runs: runs, Seeds: c.Seeds, MaxLen: c.MaxLen})
					return audit, nil
				}}
				phases := []phase{{strategy: audited, until: 1}}
				cfg := Config{Workers: 1, Budget: time.Hour, OutDir: t.TempDir(), NoCorpus: true}
				if _, err := searchTarget(t.Context(), newCores(1), prog, newMachines(prog, &target, verdict.Quiet{}), &target, cfg, phases, verdict.Quiet{}, nil); err != nil {
					t.Fatal(err)
				}
				pairs += audit.pairs
			}
		})
	}
	if pairs < 10*len(targets) {
		t.Errorf("only %d pairs of runs with the same conditions", pairs)
	}
}
