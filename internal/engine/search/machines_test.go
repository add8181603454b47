package search

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/verdict"
)

// machinePrograms loads the test binaries of testdata/machines.
var machinePrograms = sync.OnceValues(func() (*program.Program, error) {
	return program.Load(context.Background(), ".", []string{"./testdata/machines/..."}, nil, true)
})

// A shown observer notes what searches show, by target, and how often packages were
// initialised.
type shown struct {
	verdict.Quiet
	t           *testing.T
	of          map[string]string
	printed     map[string]string
	initialised map[string]int
}

func (o *shown) Initialised(pkg string, _ time.Duration) { o.initialised[pkg]++ }

func (o *shown) Output(_, target string, text []byte) { o.printed[target] += string(text) }

func (o *shown) Ended(r *verdict.Result) {
	for _, c := range r.Counterexamples {
		c.RunFile = ""
	}
	o.of[r.Target] = outcome(o.t, r) + "\n" + o.printed[r.Target]
}

// searchInOrder searches targets one after the other and returns what they show, and the
// files that were written, by name.
func searchInOrder(t *testing.T, prog *program.Program, targets []load.Target) map[string]string {
	t.Helper()
	dir := t.TempDir()
	obs := &shown{t: t, of: map[string]string{}, printed: map[string]string{}, initialised: map[string]int{}}
	cfg := Config{Workers: 1, Runs: 80, Budget: time.Hour, OutDir: dir, NoCorpus: true, Estimate: true}
	if err := Targets(t.Context(), prog, targets, cfg, obs); err != nil {
		t.Fatal(err)
	}
	for pkg, n := range obs.initialised {
		if n != 1 {
			t.Errorf("package %s was initialised %d times", pkg, n)
		}
	}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".run") {
			return err
		}
		text, err := fs.ReadFile(os.DirFS(dir), name)
		obs.of[path.Base(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(obs.of, func(name, _ string) bool { return strings.Contains(name, "+") }) // of several targets
	return obs.of
}

// TestMachines searches the targets of test binaries in several orders and each by itself:
// the machine that others have used before makes no difference.
func TestMachines(t *testing.T) {
	prog, err := machinePrograms()
	if err != nil {
		t.Fatal(err)
	}
	targets := prog.Targets()
	want := searchInOrder(t, prog, targets)
	if len(want) < len(targets)+8 {
		t.Errorf("%d targets have %d outcomes", len(targets), len(want))
	}
	compare := func(what string, got map[string]string) {
		for name, text := range got {
			if text != want[name] {
				t.Errorf("%s, %s:\n%s\nin the order of the source:\n%s", name, what, text, want[name])
			}
		}
	}
	backwards := slices.Clone(targets)
	slices.Reverse(backwards)
	compare("in the reverse order", searchInOrder(t, prog, backwards))
	var every []int
	for i := range targets {
		every = append(every, i)
	}
	for _, i := range sample.From(every, 8, 2) {
		compare("by itself", searchInOrder(t, prog, targets[i:i+1]))
	}
}
