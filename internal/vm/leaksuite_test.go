package vm_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/goroot"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// TestLeakSuite runs the kernels of the test of Go's goroutine leak profile, in
// GOROOT/src/runtime/testdata/testgoroutineleakprofile. The goroutines that nothing can wake
// at the end are those that the profile has to show, and no others, under any of a few
// schedules; those of kernels that leak in each run natively are all found.
func TestLeakSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a hundred programs")
	}
	kernels, err := goroot.LeakKernels()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("this Go installation comes without its tests: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(kernels) < 50 {
		t.Errorf("the test of the profile has only %d cases", len(kernels))
	}
	root := t.TempDir()
	if err := goroot.LeakTests(root); err != nil {
		t.Fatal(err)
	}
	packages := map[string]*leakPackage{}
	for _, dir := range []string{"kernels", "goker"} {
		p := loadLeakPackage(t, filepath.Join(root, dir))
		for _, k := range kernels {
			if p.pkg.Func(k.Name) != nil {
				packages[k.Name] = p
			}
		}
	}
	for _, k := range sample.Each(kernels, 40, 0) {
		t.Run(k.Name, func(t *testing.T) {
			if packages[k.Name] == nil {
				t.Fatal("there is no such function")
			}
			checkLeaks(t, &k, packages[k.Name])
		})
	}
}

// leakSchedules is the number of random schedules under which each kernel runs.
const leakSchedules = 20

// rareLeaks are the kernels that leak under none of these schedules.
var rareLeaks = map[string]bool{"Kubernetes11298": true, "Moby27782": true}

// checkLeaks looks for the leaks of a kernel.
func checkLeaks(t *testing.T, k *goroot.LeakKernel, p *leakPackage) {
	m := p.machine(t, k.Name)
	seen := make([]bool, len(k.Leaks))
	any := false
	for seed := range uint64(leakSchedules) {
		trace, err := m.Run(t.Context(), &run.Plan{}, run.Random(seed))
		if err != nil {
			t.Fatal(err)
		}
		if trace.Stuck == nil || !trace.Stuck.Returned {
			if trace.Outcome != run.Finished {
				t.Errorf("outcome %v: %s", trace.Outcome, trace.Message)
			}
			continue
		}
		for _, g := range trace.Stuck.Goroutines {
			if g.Waker != run.NoWaker {
				continue
			}
			any = true
			function := g.Frames[len(g.Frames)-1].Func
			i := k.Expects(function, g.For)
			if i < 0 {
				t.Fatalf("seed %d: %s, waiting for %s, is a leak", seed, function, g.For)
			}
			seen[i] = true
		}
	}
	if len(k.Leaks) > 0 && !any && !rareLeaks[k.Name] {
		t.Error("there is no leak")
	}
	for i, ok := range seen {
		if !ok && !k.Flaky {
			t.Errorf("no leak is %s", k.Leaks[i])
		}
	}
}

// A leakPackage is a package of kernels.
type leakPackage struct {
	result *load.Result
	pkg    *ssa.Package
}

// loadLeakPackage loads a package of kernels.
func loadLeakPackage(t *testing.T, dir string) *leakPackage {
	t.Helper()
	r := vmtest.Load(t, load.Config{Dir: dir})
	return &leakPackage{r, r.Packages[0].SSA}
}

// machine returns a machine at the start of a kernel. Some leak only if a timer fires early.
func (p *leakPackage) machine(t *testing.T, name string) *vm.Machine {
	t.Helper()
	prog := compile.NewProgram(p.result.Prog, p.result.Sizes, nil, p.result.Standard)
	return vmtest.Boot(t, prog, vmtest.Function(p.pkg, name), run.Settings{
		Limits: run.Limits{Instructions: 1e7, Depth: 10000, Goroutines: 10000, Decisions: 20000}, Stall: run.AnyStall,
	}, nil)
}
