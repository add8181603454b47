package vm_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// A leakKernel is a function of the test of Go's goroutine leak profile.
type leakKernel struct {
	name   string
	simple bool             // every leak shows natively in each run
	leaks  []*regexp.Regexp // the function of a goroutine that leaks, and what it waits for
}

// TestLeakSuite runs the kernels of the test of Go's goroutine leak profile, in
// GOROOT/src/runtime/testdata/testgoroutineleakprofile. The goroutines that nothing can wake
// at the end are those that the profile has to show, and no others, under any of a few
// schedules; those of kernels that leak in each run natively are all found.
func TestLeakSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a hundred programs")
	}
	root := filepath.Join(runtime.GOROOT(), "src/runtime")
	kernels := leakKernels(t, filepath.Join(root, "goroutineleakprofile_test.go"))
	from := filepath.Join(root, "testdata/testgoroutineleakprofile")
	packages := map[string]*leakPackage{}
	for _, dir := range []string{from, filepath.Join(from, "goker")} {
		p := loadLeakPackage(t, dir)
		for _, k := range kernels {
			if p.pkg.Func(k.name) != nil {
				packages[k.name] = p
			}
		}
	}
	for _, k := range sample.From(kernels, 40, 0) {
		t.Run(k.name, func(t *testing.T) {
			if packages[k.name] == nil {
				t.Fatal("there is no such function")
			}
			k.check(t, packages[k.name])
		})
	}
}

// leakSchedules is the number of random schedules under which each kernel runs.
const leakSchedules = 20

// rareLeaks are the kernels that leak under none of these schedules.
var rareLeaks = map[string]bool{"Kubernetes11298": true, "Moby27782": true}

func (k *leakKernel) check(t *testing.T, p *leakPackage) {
	m := p.machine(t, k.name)
	seen := make([]bool, len(k.leaks))
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
	goroutines:
		for _, g := range trace.Stuck.Goroutines {
			if g.Waker != run.NoWaker {
				continue
			}
			any = true
			texts := leakTexts(&g)
			for i, leak := range k.leaks {
				if slices.ContainsFunc(texts, leak.MatchString) {
					seen[i] = true
					continue goroutines
				}
			}
			t.Fatalf("seed %d: %s is a leak", seed, texts[0])
		}
	}
	if len(k.leaks) > 0 && !any && !rareLeaks[k.name] {
		t.Error("there is no leak")
	}
	for i, ok := range seen {
		if !ok && k.simple {
			t.Errorf("no leak is %s", k.leaks[i])
		}
	}
}

// leakReasons has, by primitive, what a goroutine waits for natively. A writer waits for the
// others first.
var leakReasons = map[string][]string{
	"sync.mutexLock": {"sync.Mutex.Lock"},
	"sync.rwLock":    {"sync.RWMutex.Lock", "sync.Mutex.Lock"},
	"sync.rwRLock":   {"sync.RWMutex.RLock"},
	"sync.wgWait":    {"sync.WaitGroup.Wait"},
	"sync.condWait":  {"sync.Cond.Wait"},
}

// leakTexts describes a goroutine in the ways that the test of the profile may.
func leakTexts(g *run.StuckGoroutine) []string {
	reasons := leakReasons[g.For]
	if reasons == nil {
		reasons = []string{g.For}
	}
	var texts []string
	for _, reason := range reasons {
		texts = append(texts, g.Frames[len(g.Frames)-1].Func+"(...) ["+reason+"]")
	}
	return texts
}

// leakKernels returns the test cases of the test of the profile.
func leakKernels(t *testing.T, file string) []leakKernel {
	t.Helper()
	if _, err := os.Stat(file); err != nil {
		t.Skip("this Go installation comes without its tests: ", err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var kernels []leakKernel
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		made, _ := call.Fun.(*ast.Ident)
		if made == nil || made.Name != "makeTest" && made.Name != "makeFlakyTest" {
			return true
		}
		var args []string
		for _, arg := range call.Args {
			if lit, ok := arg.(*ast.BasicLit); ok {
				s, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				args = append(args, s)
			}
		}
		k := leakKernel{name: args[0], simple: made.Name == "makeTest"}
		for _, leak := range args[1:] {
			k.leaks = append(k.leaks, regexp.MustCompile(leak))
		}
		kernels = append(kernels, k)
		return true
	})
	if len(kernels) < 50 {
		t.Errorf("the test of the profile has only %d cases", len(kernels))
	}
	return kernels
}

// A leakPackage is a package of kernels.
type leakPackage struct {
	result *load.Result
	pkg    *ssa.Package
}

// loadLeakPackage loads a package of kernels, which do not write the profile
// and make few attempts.
func loadLeakPackage(t *testing.T, from string) *leakPackage {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module kernels\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	// Natively the kernels need many attempts at a schedule that leaks.
	many := regexp.MustCompile(`i <=? \d{2,}; i\+\+`)
	write := regexp.MustCompile(`prof\.WriteTo\((\S+), 2\)`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = write.ReplaceAll(text, []byte("_, _ = prof, $1"))
		text = many.ReplaceAll(text, []byte("i < 3; i++"))
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
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
