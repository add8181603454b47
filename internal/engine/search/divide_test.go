package search

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"sync"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/verdict"
)

// divideTargets loads the programs of testdata/divide.
var divideTargets = sync.OnceValues(func() (*program.Program, error) {
	return program.Load(context.Background(), ".", []string{"./testdata/divide/..."}, nil, true)
})

func divideTarget(t testing.TB, name string) (*program.Program, *load.Target) {
	t.Helper()
	prog, err := divideTargets()
	if err != nil {
		t.Fatal(err)
	}
	targets := prog.Targets()
	for i := range targets {
		if path.Base(targets[i].Package.Path) == name {
			return prog, &targets[i]
		}
	}
	t.Fatalf("no target %s", name)
	return nil, nil
}

var naiveMix = []phase{{strategy: naiveInfo(0), until: 1}}

// pacedMix is naiveMix for the bubbles of package synctest. The time there passes while
// workers sleep, the pace for each run, so that what happens after some time happens after
// some number of runs, however fast the machine is.
var pacedMix = []phase{{strategy: naiveInfo(pace), until: 1}}

const pace = 100 * time.Microsecond

// searchNaive searches a target naively.
func searchNaive(t *testing.T, name string, cfg Config) *verdict.Result {
	t.Helper()
	return searchMix(t, name, cfg, naiveMix)
}

func searchMix(t *testing.T, name string, cfg Config, mix []phase) *verdict.Result {
	t.Helper()
	prog, target := divideTarget(t, name)
	cfg, err := cfg.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	r, err := searchTarget(t.Context(), newCores(cfg.Workers), prog, newMachines(prog, target, verdict.Quiet{}), target, cfg, mix, verdict.Quiet{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// outcome is what of a result may not depend on workers and interruptions.
func outcome(t *testing.T, r *verdict.Result) string {
	t.Helper()
	c := *r
	c.Elapsed = 0
	c.Counterexamples = nil
	text := fmt.Sprintf("%+v", c)
	for _, f := range r.Counterexamples {
		run, err := json.Marshal(f.Run)
		if err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf(" %d switches %s", f.Switches, run)
	}
	return text
}

// TestWorkers searches with several numbers of workers, which changes nothing.
func TestWorkers(t *testing.T) {
	for _, name := range sample.From([]string{"small", "large", "late"}, 3, 2) {
		t.Run(name, func(t *testing.T) {
			var want string
			for _, workers := range []int{1, 2, 5} {
				r := searchNaive(t, name, Config{Workers: workers, OutDir: t.TempDir(), Budget: time.Hour})
				t.Logf("%d workers: %s after %d runs of about %d", workers, r.Verdict, r.Runs, r.Estimate)
				got := outcome(t, r)
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%d workers:\n%s\n1 worker:\n%s", workers, got, want)
				}
			}
		})
	}
}
