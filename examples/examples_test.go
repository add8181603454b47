// Package examples_test searches the examples: each has a bug that is found,
// and a mended twin that holds. It also searches the tests of the module found,
// which all fail.
package examples_test

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

func TestExamples(t *testing.T) {
	for _, name := range sample.From([]string{"addall", "bluetooth", "mentors", "quota", "art"}, 5, 3) {
		t.Run(name, func(t *testing.T) {
			prog, err := program.Load(t.Context(), ".", []string{"./" + name + "/..."}, nil, true)
			if err != nil {
				t.Fatal(err)
			}
			targets, err := prog.Select(program.Selection{})
			if err != nil {
				t.Fatal(err)
			}
			searched := map[verdict.Verdict]int{}
			for i := range targets {
				want := verdict.Fails
				if path.Base(targets[i].Package.Dir) == "mended" {
					want = verdict.Holds
				}
				searched[want]++
				searchTarget(t, prog, &targets[i], want, 0)
			}
			if searched[verdict.Fails] == 0 || searched[verdict.Holds] == 0 {
				t.Errorf("targets searched, by the verdict that they are to have: %v", searched)
			}
		})
	}
}

// TestFound searches tests of public modules that show a bug. It needs the
// modules in the module cache, since it does not use the network.
func TestFound(t *testing.T) {
	const dir = "found"
	list := exec.CommandContext(t.Context(), "go", "list", "-test", "-deps", "-f", "{{if and .Module .Module.Main (not .ForTest)}}{{.ImportPath}}{{end}}", "./...")
	list.Dir = dir
	list.Env = append(os.Environ(), "GOPROXY=off")
	out, err := list.Output()
	if err != nil {
		t.Skip("its modules are not in the module cache; go mod download in examples/found gets them")
	}
	var packages []string
	for name := range strings.Lines(string(out)) {
		if name = strings.TrimSpace(name); !strings.HasSuffix(name, ".test") {
			packages = append(packages, name)
		}
	}
	for _, name := range sample.From(packages, 4, 1) {
		t.Run(path.Base(name), func(t *testing.T) {
			prog, err := program.Load(t.Context(), dir, []string{name}, nil, true)
			if err != nil {
				t.Fatal(err)
			}
			targets, err := prog.Select(program.Selection{})
			if err != nil {
				t.Fatal(err)
			}
			for i := range targets {
				searchTarget(t, prog, &targets[i], verdict.Fails, 5*time.Millisecond)
			}
		})
	}
}

func searchTarget(t *testing.T, prog *program.Program, target *load.Target, want verdict.Verdict, stall time.Duration) {
	// The bound is on runs, not on time, so that the outcome does not depend on
	// the machine.
	cfg := search.Config{Runs: 100_000, Budget: time.Hour, OutDir: t.TempDir(), NoCorpus: true}
	cfg.Stall = stall
	result, err := search.Target(t.Context(), prog, target, cfg, verdict.Quiet{})
	if err != nil {
		t.Fatal(err)
	}
	if result.Verdict != want {
		t.Errorf("%s %s, want %s: %v", target.Name, result.Verdict, want, result.Open)
	}
	for _, f := range result.Counterexamples {
		replays(t, prog, target, f)
	}
}

// replays reads a finding's run file back, which is the run that was found, and a schedule in which each
// event is possible, and makes the run again.
func replays(t *testing.T, prog *program.Program, target *load.Target, f *verdict.Counterexample) {
	data, err := os.ReadFile(f.RunFile)
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := schedule.ReadRun(bytes.NewReader(data), f.RunFile)
	if err != nil {
		t.Fatal(err)
	}
	if recorded.Incomplete != "" {
		t.Errorf("%s: %s", f.RunFile, recorded.Incomplete)
	}
	if len(recorded.Events) != len(f.Run.Events) {
		t.Errorf("%s: %d steps are read, and there were %d", f.RunFile, len(recorded.Events), len(f.Run.Events))
	}
	for _, r := range []*schedule.Run{recorded, f.Run} {
		var again bytes.Buffer
		if err := schedule.WriteRun(&again, r); err != nil || !bytes.Equal(again.Bytes(), data) {
			t.Errorf("%s: it is another file when it is written again: %v", f.RunFile, err)
		}
	}
	same, err := worker.Replay(t.Context(), prog, target, recorded, verdict.Quiet{})
	if err != nil {
		t.Fatal(err)
	}
	if !same {
		t.Errorf("%s: the replay of %s ended differently", target.Name, f.RunFile)
	}
}
