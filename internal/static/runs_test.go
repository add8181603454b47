package static_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/meter"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

const testdata = "../vm/testdata/"

// names returns the programs of the machine's own tests, and the directories of packages with functions that
// they run.
func names() (files, dirs []string) {
	files, _ = filepath.Glob(testdata + "run/*.go") // the pattern is right
	dirs, _ = filepath.Glob(testdata + "concurrent/*")
	return files, dirs
}

// programs has them, loaded once for all tests.
var programs = sync.OnceValues(func() (*vmtest.Programs, error) {
	files, dirs := names()
	return vmtest.LoadPrograms(files, dirs...)
})

// TestRuns compares what the machine does with what the analysis says that it may do.
func TestRuns(t *testing.T) {
	p, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	files, dirs := names()
	if len(files) == 0 || len(dirs) == 0 {
		t.Fatal("no programs")
	}
	all := append(files, dirs...)
	for _, name := range sample.From(all, len(all)/8, 3) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".go"), func(t *testing.T) {
			pkg := p.Packages[name]
			if pkg == nil {
				t.Fatal("the package is not loaded")
			}
			compare(t, p.Code, pkg.SSA, starts(t, p.Code, pkg.SSA))
		})
	}
}

// TestRunsGoroot is TestRuns for programs of GOROOT/test, which were not written for it.
func TestRunsGoroot(t *testing.T) {
	root := filepath.Join(runtime.GOROOT(), "test")
	if _, err := os.Stat(root); err != nil {
		t.Skip("this Go installation comes without its tests: ", err)
	}
	list, err := os.ReadFile(filepath.Join(testdata, "goroot.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for line := range strings.Lines(string(list)) {
		if name := strings.TrimSpace(line); name != "" && !strings.HasPrefix(name, "#") {
			files = append(files, filepath.Join(root, name+".go"))
		}
	}
	files = sample.From(files, 4, 1)
	p, err := vmtest.LoadPrograms(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimPrefix(strings.TrimSuffix(file, ".go"), root+string(filepath.Separator)), func(t *testing.T) {
			pkg := p.Packages[file]
			compare(t, p.Code, pkg.SSA, starts(t, p.Code, pkg.SSA))
		})
	}
}

// starts returns the functions of a package that can be run: main, or all without parameters, and
// the function literals of package variables.
func starts(t *testing.T, prog *code.Program, pkg *ssa.Package) []*ssa.Function {
	t.Helper()
	if pkg.Pkg.Name() == "main" {
		return []*ssa.Function{pkg.Func("main")}
	}
	var list []*ssa.Function
	add := func(fn *ssa.Function) {
		if fn.Signature.Params().Len()+fn.Signature.TypeParams().Len() == 0 {
			list = append(list, fn)
		}
	}
	for _, name := range pkg.Pkg.Scope().Names() {
		if fn := pkg.Func(name); fn != nil && fn.Object() != nil {
			add(fn)
		}
	}
	init, err := prog.Body(pkg.Func("init")) // which has the literals
	if err != nil {
		t.Fatal(err)
	}
	for _, fn := range init.AnonFuncs {
		add(fn)
	}
	return list
}

// config says what there is to analyse of functions of a package.
func config(prog *code.Program, pkg *ssa.Package, starts []*ssa.Function) static.Config {
	primitives := vm.AllPrimitives()
	return static.Config{
		Code:      prog,
		Roots:     append([]*ssa.Function{prog.SSA.ImportedPackage("runtime").Func("init"), pkg.Func("init")}, starts...),
		Primitive: primitives.Has, Visible: primitives.Visible,
		Fset: prog.SSA.Fset,
	}
}

// analyse returns the analysis of functions of a package.
func analyse(t *testing.T, prog *code.Program, pkg *ssa.Package, starts []*ssa.Function) *static.Analysis {
	t.Helper()
	a, err := static.New(t.Context(), config(prog, pkg, starts))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Calls().Sanity(); err != nil {
		t.Fatal(err)
	}
	return a
}

// analyseFile analyses the main function of a file. It returns the package that the file is, and its text, too.
func analyseFile(t *testing.T, file string) (a *static.Analysis, pkg *ssa.Package, text string) {
	t.Helper()
	p, err := vmtest.LoadPrograms([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pkg = p.Packages[file].SSA
	return analyse(t, p.Code, pkg, []*ssa.Function{pkg.Func("main")}), pkg, string(b)
}

func pointersOf(t *testing.T, a *static.Analysis) *pointsto.Result {
	t.Helper()
	pointers, err := a.PointsTo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return pointers
}

// A comparison is one of runs with what an analysis says.
type comparison struct {
	t *testing.T
	a *static.Analysis
	m *vm.Machine

	objects   map[ssa.Instruction][]*pointsto.Object // by what makes them
	heldAt    map[ssa.Instruction]*locksBefore
	readsSeen map[[2]ssa.Instruction]bool // what has read, and what has written that
	pointings map[pointing]bool           // that were seen

	calls, accesses, reads, locks, shared int
	fields, lockFields                    int // of pointers to different parts, and of comparisons of locks: those that were made by field
	reported                              map[string]bool
}

// compare runs functions of a package under several schedules.
func compare(t *testing.T, prog *code.Program, pkg *ssa.Package, starts []*ssa.Function) {
	a := analyse(t, prog, pkg, starts)
	c := &comparison{
		t: t, a: a, reported: make(map[string]bool),
		heldAt: make(map[ssa.Instruction]*locksBefore), readsSeen: make(map[[2]ssa.Instruction]bool), pointings: make(map[pointing]bool),
	}
	for _, fn := range starts {
		c.m = vm.New(prog, expr.NewArena(), run.NewNames(), run.Settings{Limits: run.Limits{Instructions: 1 << 18, Depth: 2000}})
		counter := meter.New(1, func() time.Duration { return 0 })
		counter.Start()
		c.m.SetMeter(counter)
		if _, err := c.m.Boot(t.Context(), vm.Entry{Inits: []*ssa.Package{pkg}, Func: fn}); err != nil {
			t.Fatal(err)
		}
		for i, scheduler := range []run.Scheduler{run.NonPreemptive{}, shuffled{rand.New(rand.NewPCG(1, 2))}} {
			trace, err := c.m.Run(t.Context(), &run.Plan{Record: true, RecordPlain: true}, scheduler)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				c.m.Meter.Collect(func(at meter.Stack, _ meter.Cost) { c.checkStack(c.m.Meter.Frames(at)) })
			}
			c.checkEvents(trace)
		}
	}
	if c.calls == 0 {
		t.Error("no calls were seen")
	}
	t.Logf("%d functions, %d calls, %d accesses (%d pointers to different parts were compared by field), %d reads, %d accesses with locks held (%d comparisons by field), %d of several goroutines",
		len(starts), c.calls, c.accesses, c.fields, c.reads, c.locks, c.lockFields, c.shared)
}

// A shuffled scheduler takes any choice.
type shuffled struct{ *rand.Rand }

// Choose implements [run.Scheduler].
func (s shuffled) Choose(p *run.SchedulingPoint) int {
	return s.IntN(max(len(p.Enabled), p.N))
}

// errorf reports what a run did that it cannot do, once for each text.
func (c *comparison) errorf(format string, args ...any) {
	c.t.Helper()
	if text := fmt.Sprintf(format, args...); !c.reported[text] {
		c.reported[text] = true
		c.t.Error(text)
	}
}

// instr returns the instruction of a site, and where it is.
func (c *comparison) instr(site run.SiteID) (ssa.Instruction, string) {
	if site.Func < 0 {
		return nil, ""
	}
	f := c.m.Funcs[site.Func].Func
	instr := f.Instr(int(site.Instr))
	at := f.Name
	if int(site.Instr) < len(f.Pos) {
		at += " " + c.a.Calls().Nodes[1].Func.Prog.Fset.Position(f.Pos[site.Instr]).String()
	}
	return instr, at
}
