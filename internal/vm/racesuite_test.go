package vm_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/goroot"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// raceSuiteExceptions are the tests of the race detector's suite for which the
// machine is meant to say something else, and why.
var raceSuiteExceptions = map[string]string{
	"TestRaceChanCloseSend": "a send that a close comes before is found as a panic, not as a race",
	"TestRaceIssue5567":     "reads a file of the host",
	"TestRaceIssue51618":    "likewise",
}

// The tests of Go's race detector, in GOROOT/src/runtime/race/testdata, say in
// their names whether they have a race. The machine finds those, in some of a
// few schedules, and no others in any.
func TestRaceSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("runs hundreds of tests")
	}
	dir := raceSuite(t)
	r, prog := loadTargets(t, load.Config{Dir: dir})
	settings := run.Settings{Limits: run.Limits{Instructions: 1e7, Depth: 10000}}
	var m *vm.Machine
	var wrong []string
	counts := map[string]int{}
	for _, target := range sample.Each(r.Targets(), 200, 0) {
		name := target.Name
		racy := strings.HasPrefix(name, "TestRace")
		if !racy && !strings.HasPrefix(name, "TestNoRace") || strings.Contains(name, "Failing") {
			continue
		}
		if m == nil {
			m = vmtest.Boot(t, prog, vmtest.Target(r, &target), settings, nil)
		} else if err := m.Retarget(vmtest.Target(r, &target)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		found, other, skipped := "", "", false
		for seed := range uint64(10) {
			if found != "" || skipped {
				break
			}
			var sched run.Scheduler = run.NonPreemptive{}
			if seed > 0 {
				sched = run.Random(seed)
			}
			trace, err := m.Run(t.Context(), &run.Plan{}, sched)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			skipped = trace.Skipped
			for _, f := range check.Judge(trace) {
				if f.Kind == check.Race {
					_, pos := m.Site(f.Site)
					found = f.Message + " at " + r.Fset.Position(pos).String()
				} else {
					other = f.Message
				}
			}
			if trace.Outcome != run.Finished && trace.Outcome != run.Failed {
				other = trace.Outcome.String() + ": " + trace.Message
			}
		}
		if skipped {
			continue
		}
		verdict := "no race"
		if found != "" {
			verdict = "race"
		}
		counts[verdict]++
		if why, ok := raceSuiteExceptions[name]; ok {
			t.Logf("%s: %s; %s", name, verdict, why)
			continue
		}
		if (found != "") != racy {
			line, _, _ := strings.Cut(other, "\n")
			wrong = append(wrong, name+": "+verdict+" "+found+" ("+line+")")
		}
	}
	if len(wrong) > 0 {
		t.Errorf("%d wrong:\n%s", len(wrong), strings.Join(wrong, "\n"))
	}
	for _, verdict := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%d tests with %s", counts[verdict], verdict)
	}
}

// raceSuite returns a directory with the tests of Go's race detector that the machine can run.
func raceSuite(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := goroot.RaceTests(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestOwnedAccesses checks that runs find the same races, at the same places and in the same call
// chains, whether accesses of the owners of cells are recorded as they are made, or in the general
// way, as in runs that are recorded.
func TestOwnedAccesses(t *testing.T) {
	if testing.Short() {
		t.Skip("runs hundreds of tests")
	}
	races := 0
	for _, suite := range []struct {
		name  string
		load  func(t *testing.T) (*load.Result, *code.Program)
		whole int
	}{
		{"race detector", func(t *testing.T) (*load.Result, *code.Program) {
			return loadTargets(t, load.Config{Dir: raceSuite(t)})
		}, 200},
		{"own", loadOwnTargets, 100},
	} {
		t.Run(suite.name, func(t *testing.T) {
			r, prog := suite.load(t)
			settings := run.Settings{Limits: run.Limits{Instructions: 1e6, Depth: 10000}}
			var machines [2]*vm.Machine
			for _, target := range sample.Each(r.Targets(), suite.whole, 30) {
				for i := range machines {
					if machines[i] == nil {
						machines[i] = vmtest.Boot(t, prog, vmtest.Target(r, &target), settings, nil)
					} else if err := machines[i].Retarget(vmtest.Target(r, &target)); err != nil {
						t.Fatalf("%s: %v", target.Name, err)
					}
				}
				for seed := range uint64(4) {
					var found [2]string
					for i, m := range machines {
						trace, err := m.Run(t.Context(), &run.Plan{Record: i == 1}, run.Random(seed))
						if err != nil {
							t.Fatalf("%s: %v", target.Name, err)
						}
						found[i] = fmt.Sprintf("%+v %+v", trace.Unordered, trace.ClosedSends)
						races += len(trace.Unordered)
					}
					if found[0] != found[1] {
						t.Errorf("%s, schedule %d: races\n%s\nwant\n%s", target.Name, seed, found[0], found[1])
					}
				}
			}
		})
	}
	if races == 0 {
		t.Error("no races")
	}
}
