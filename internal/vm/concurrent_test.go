package vm_test

import (
	"bytes"
	"context"
	"go/ast"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/golib"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// A funcs is a loaded package whose functions are run.
type funcs struct {
	code *code.Program
	pkg  *ssa.Package
	// want has, by function, the texts after "want: " in its comment.
	want  map[string][]string
	docs  map[string]string
	names []string // those with a want, in order of the source
	// settings are those with which the functions are run.
	settings run.Settings
}

// allFuncs has the packages with functions to run, by their directories below testdata.
// They are loaded together, once for all tests.
var allFuncs = sync.OnceValues(func() (map[string]*funcs, error) {
	all := map[string]*funcs{}
	dir, err := filepath.Abs("testdata")
	if err != nil {
		return nil, err
	}
	r, err := golib.Load(context.Background(), load.Config{Dir: dir, Patterns: []string{"./concurrent/...", "./merge", "./operations/run"}})
	if err != nil {
		return nil, err
	}
	for _, p := range r.Packages {
		name, err := filepath.Rel(dir, p.Dir)
		if err != nil {
			return nil, err
		}
		all[filepath.ToSlash(name)] = newFuncs(r, p)
	}
	all["concurrent/memory"].settings.Limits.Memory = 1 << 20
	return all, nil
})

// loadFuncs returns the package in a directory below testdata.
func loadFuncs(t testing.TB, dir string) *funcs {
	t.Helper()
	all, err := allFuncs()
	if err != nil {
		t.Fatal(err)
	}
	if all[dir] == nil {
		t.Fatalf("no package in %s", dir)
	}
	return all[dir]
}

func newFuncs(r *load.Result, root *load.Package) *funcs {
	p := &funcs{pkg: root.SSA, settings: settings, want: map[string][]string{}, docs: map[string]string{}}
	p.code = compile.NewProgram(r.Prog, r.Sizes, func(q *ssa.Package) bool { return q == p.pkg }, r.Standard)
	for _, file := range root.Files {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			p.docs[fn.Name.Name] = fn.Doc.Text()
			p.want[fn.Name.Name] = p.notes(fn.Name.Name, "want:")
			if p.want[fn.Name.Name] != nil {
				p.names = append(p.names, fn.Name.Name)
			}
		}
	}
	return p
}

// notes returns what follows a word in the comment of a function, line by line.
func (p *funcs) notes(fn, word string) []string {
	var list []string
	for line := range strings.Lines(p.docs[fn]) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), word); ok {
			list = append(list, strings.TrimSpace(text))
		}
	}
	return list
}

// some returns a sample of the names, which with -short are few.
func (p *funcs) some() []string { return sample.Each(p.names, len(p.names), (len(p.names)+3)/4) }

// eachNoted runs a test for each function whose comment has notes that begin with a
// word, at least so many functions. The runner has inputs.
func (p *funcs) eachNoted(t *testing.T, word string, least int, test func(t *testing.T, r *runner, name string, notes []string)) {
	t.Helper()
	tried := 0
	for _, name := range slices.Sorted(maps.Keys(p.docs)) {
		notes := p.notes(name, word)
		if notes == nil {
			continue
		}
		tried++
		t.Run(name, func(t *testing.T) {
			r := p.runner(t, name)
			r.AddInputs(p.pkg.Pkg.Path())
			test(t, r, name, notes)
		})
	}
	if tried < least {
		t.Errorf("only %d functions", tried)
	}
}

// A runner runs a function or target again and again.
type runner struct {
	*vm.Machine
	out bytes.Buffer
}

func newRunner(t testing.TB, prog *code.Program, entry vm.Entry, settings run.Settings) *runner {
	t.Helper()
	r := new(runner)
	r.Machine = vmtest.Boot(t, prog, entry, settings, &r.out)
	return r
}

// settings are those with which functions are run.
var settings = run.Settings{
	Limits: run.Limits{Instructions: 1e6, Depth: 1000, Decisions: 10000}, MaxLen: 4, Stall: run.AnyStall,
}

func (p *funcs) runner(t testing.TB, fn string) *runner {
	t.Helper()
	return newRunner(t, p.code, vmtest.Function(p.pkg, fn), p.settings)
}

// run carries out a plan and returns the trace and a line that says what was
// printed and found.
func (r *runner) run(t testing.TB, plan *run.Plan, sched run.Scheduler) (*run.Trace, string) {
	t.Helper()
	r.out.Reset()
	trace, err := r.Run(t.Context(), plan, sched)
	if err != nil {
		t.Fatal(err)
	}
	return trace, outcome(r.out.String(), trace)
}

// outcome describes a run.
func outcome(printed string, trace *run.Trace) string {
	var parts []string
	if s := strings.TrimSpace(printed); s != "" {
		parts = append(parts, s)
	}
	for _, f := range check.Judge(trace) {
		parts = append(parts, string(f.Kind)+": "+f.Message)
		if f.Kind != check.Leak {
			continue
		}
		for _, o := range f.Others {
			parts = append(parts, string(o.Kind)+": "+o.Message)
		}
	}
	if trace.Outcome != run.Finished && trace.Outcome != run.Failed {
		parts = append(parts, trace.Outcome.String()+": "+trace.Message)
	}
	return strings.Join(parts, " ")
}

// everyRun runs the function in every interleaving, up to max runs.
func (r *runner) everyRun(t testing.TB, plan run.Plan, max int, visit func(trace *run.Trace, outcome string)) {
	t.Helper()
	var e run.Enumeration
	for n, more := 0, true; more; n++ {
		if n == max {
			t.Fatalf("more than %d interleavings", max)
		}
		trace, out := r.run(t, &plan, &e)
		if trace.Outcome == run.Infeasible {
			t.Fatalf("plan %v: %s", plan.Prefix, trace.Message)
		}
		visit(trace, out)
		plan.Prefix, more = e.Next()
	}
}

// The functions in testdata/concurrent have exactly the outcomes that their
// comments list, and each run is the same again when its decisions are replayed.
func TestConcurrent(t *testing.T) {
	for _, dir := range []string{"channels", "locks", "time", "bubbles", "memory"} {
		t.Run(dir, func(t *testing.T) {
			p := loadFuncs(t, "concurrent/"+dir)
			for _, name := range p.some() {
				t.Run(name, func(t *testing.T) { p.exploreAll(t, name) })
			}
		})
	}
}

func (p *funcs) exploreAll(t *testing.T, name string) {
	r := p.runner(t, name)
	got := map[string][]run.Decision{}
	runs := 0
	r.everyRun(t, run.Plan{}, 20000, func(trace *run.Trace, out string) {
		runs++
		got[withoutPlace(trace, out)] = slices.Clone(trace.Decisions)
	})
	for out, decisions := range got {
		trace, again := r.run(t, &run.Plan{Prefix: decisions}, &run.Enumeration{})
		if again = withoutPlace(trace, again); again != out || len(trace.Decisions) != len(decisions) {
			t.Errorf("replayed, the run ends with\n\t%s\nnot\n\t%s\nafter %d decisions for %d", again, out, len(trace.Decisions), len(decisions))
		}
	}
	want := slices.Sorted(slices.Values(p.want[name]))
	if have := slices.Sorted(maps.Keys(got)); !slices.Equal(have, want) {
		t.Errorf("in %d runs\ngot\n\t%s\nwant\n\t%s", runs, strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
	}
	t.Log(runs, "runs")
}

// withoutPlace returns the description of a run without the place in the message that says why
// it was cut.
func withoutPlace(trace *run.Trace, outcome string) string {
	what, _, _ := strings.Cut(trace.Message, "\n")
	return strings.Replace(outcome, trace.Message, what, 1)
}

// A race makes its sites visible operations, and then every order is seen.
func TestVisibleSites(t *testing.T) {
	r := loadFuncs(t, "concurrent/locks").runner(t, "racy")
	trace, _ := r.run(t, &run.Plan{}, run.NonPreemptive{})
	sites := map[run.SiteID]bool{}
	for _, p := range trace.Unordered {
		sites[p.Earlier.Innermost()], sites[p.Later.Innermost()] = true, true
	}
	printed := map[string]bool{}
	r.everyRun(t, run.Plan{Visible: run.Visible{Sites: sites}}, 1000, func(_ *run.Trace, out string) {
		printed[out[:1]] = true
	})
	if !printed["1"] || !printed["2"] || len(printed) != 2 {
		t.Errorf("n is one of %v", printed)
	}
}
